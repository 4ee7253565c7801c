import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEntityEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEventType;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.history.HistoryLevel;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.delegate.event.AbstractFlowableEngineEventListener;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.flowable.engine.runtime.Execution;
import org.flowable.job.api.AcquiredExternalWorkerJob;

/**
 * Flowable as an embedded engine, as fast as it goes: it keeps no history, its connections come
 * from the pool that ours come from, and nothing but the process engine is on. Either its external
 * workers take the tasks, or tasks wait to be triggered by whoever started the instance.
 */
final class FlowablePeer implements WorkflowEngine {
  /** How the three tasks are done. */
  enum Form {
    EXTERNAL_WORKERS,
    RECEIVE_TASKS;

    String typed() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private static final String PROCESS = "bench";
  private static final String TOPIC = "work";
  private static final int POLL_MS = 50;
  private static final Duration LOCK = Duration.ofMinutes(10);

  private final Form form;
  private final HikariDataSource pool;
  private final ProcessEngine engine;
  private final LongAdder ended = new LongAdder();
  private final Map<String, AtomicLong> done = new ConcurrentHashMap<>();
  private final ThreadLocal<String> own = new ThreadLocal<>();

  FlowablePeer(String jdbc, Form form, int workers) {
    this.form = form;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbc);
    config.setMaximumPoolSize(2 * workers + 8);
    pool = new HikariDataSource(config);
    StandaloneProcessEngineConfiguration settings = new StandaloneProcessEngineConfiguration();
    settings.setDataSource(pool);
    settings.setDatabaseSchemaUpdate("true");
    settings.setHistoryLevel(HistoryLevel.NONE);
    settings.setDisableIdmEngine(true);
    settings.setDisableEventRegistry(true);
    // What an external worker did is taken up by the executor of asynchronous jobs, so that runs.
    settings.setAsyncExecutorActivate(form == Form.EXTERNAL_WORKERS);
    // Branches that meet at the join at one moment are tried again; ten seconds later, if not told.
    settings.setAsyncExecutorNumberOfRetries(1_000);
    settings.setAsyncFailedJobWaitTime(0);
    settings.setAsyncExecutorDefaultAsyncJobAcquireWaitTime(POLL_MS);
    settings.setAsyncExecutorDefaultTimerJobAcquireWaitTime(POLL_MS);
    settings.setEventListeners(List.of(new Ends()));
    engine = settings.buildProcessEngine();
    engine.getRepositoryService().createDeployment().addString("split.bpmn20.xml", xml()).deploy();
  }

  private final class Ends extends AbstractFlowableEngineEventListener {
    Ends() {
      super(java.util.Set.of(FlowableEngineEventType.PROCESS_COMPLETED));
    }

    /** One that is rolled back and tried again has not ended yet. */
    @Override
    public boolean isFireOnTransactionLifecycleEvent() {
      return true;
    }

    @Override
    public String getOnTransaction() {
      return TransactionState.COMMITTED.name();
    }

    @Override
    protected void processCompleted(FlowableEngineEntityEvent event) {
      ended.increment();
    }
  }

  private String xml() {
    StringBuilder tasks = new StringBuilder();
    for (String each : List.of("a", "b", "c")) {
      tasks.append(
          form == Form.RECEIVE_TASKS
              ? "<receiveTask id='" + each + "'/>"
              // Exclusive ones of a split are given out one by one: flowable-engine issue 3509.
              : "<serviceTask id='"
                  + each
                  + "' flowable:type='external-worker' flowable:topic='"
                  + TOPIC
                  + "' flowable:exclusive='false'/>");
      tasks.append(
          "<sequenceFlow id='to-" + each + "' sourceRef='split' targetRef='" + each + "'/>");
      tasks.append(
          "<sequenceFlow id='of-" + each + "' sourceRef='" + each + "' targetRef='join'/>");
    }
    return "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
        + " xmlns:flowable='http://flowable.org/bpmn' targetNamespace='bench'><process id='"
        + PROCESS
        + "' isExecutable='true'><startEvent id='start'/><parallelGateway id='split'/>"
        + "<parallelGateway id='join'/><endEvent id='end'/>"
        + "<sequenceFlow id='begin' sourceRef='start' targetRef='split'/>"
        + tasks
        + "<sequenceFlow id='finish' sourceRef='join' targetRef='end'/></process></definitions>";
  }

  @Override
  public void start(int number) {
    own.set(engine.getRuntimeService().startProcessInstanceByKey(PROCESS).getId());
  }

  @Override
  public int work(String worker, int limit) {
    return form == Form.RECEIVE_TASKS ? trigger() : acquire(worker, limit);
  }

  private int acquire(String worker, int limit) {
    var management = engine.getManagementService();
    List<AcquiredExternalWorkerJob> jobs =
        management
            .createExternalWorkerJobAcquireBuilder()
            .topic(TOPIC, LOCK)
            .acquireAndLock(limit, worker);
    for (AcquiredExternalWorkerJob job : jobs) {
      management.createExternalWorkerCompletionBuilder(job.getId(), worker).complete();
      count(job.getProcessInstanceId() + " " + job.getElementId());
    }
    return jobs.size();
  }

  private int trigger() {
    var runtime = engine.getRuntimeService();
    int count = 0;
    for (Execution each : runtime.createExecutionQuery().parentId(own.get()).list()) {
      String activity = each.getActivityId();
      if (activity == null) continue;
      runtime.trigger(each.getId());
      count(own.get() + " " + activity);
      count++;
    }
    return count;
  }

  private void count(String task) {
    done.computeIfAbsent(task, each -> new AtomicLong()).incrementAndGet();
  }

  @Override
  public long ended() {
    return ended.sum();
  }

  @Override
  public void check(int instances) {
    long open = engine.getRuntimeService().createProcessInstanceQuery().count();
    long twice = done.values().stream().filter(each -> each.get() != 1).count();
    if (open != 0 || twice != 0 || done.size() != TASKS_EACH * instances || ended() != instances) {
      throw new IllegalStateException(
          open
              + " open, "
              + twice
              + " done twice, "
              + done.size()
              + " tasks, "
              + ended()
              + " ended");
    }
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
