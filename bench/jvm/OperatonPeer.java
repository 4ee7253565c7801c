import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.operaton.bpm.engine.OptimisticLockingException;
import org.operaton.bpm.engine.ProcessEngine;
import org.operaton.bpm.engine.externaltask.LockedExternalTask;
import org.operaton.bpm.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.operaton.bpm.engine.runtime.Execution;

/**
 * Operaton as an embedded engine, as fast as it goes: it keeps no history and no metrics, its
 * connections come from the pool that ours come from, and its own job executor is off, since no
 * part of this process is asynchronous. Branches that meet at the join at one moment are refused by
 * its optimistic locks, and whoever was refused tries again, as its manual says.
 */
final class OperatonPeer implements WorkflowEngine {
  /** How the three tasks are done. */
  enum Form {
    EXTERNAL_TASKS,
    RECEIVE_TASKS;

    String typed() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private static final String PROCESS = "bench";
  private static final String TOPIC = "work";
  private static final long LOCK_MS = 600_000;
  private static final int TRIES_MAX = 1_000;

  private final Form form;
  private final HikariDataSource pool;
  private final ProcessEngine engine;
  private final AtomicInteger started = new AtomicInteger();
  private final Map<String, AtomicLong> done = new ConcurrentHashMap<>();
  private final ThreadLocal<String> own = new ThreadLocal<>();

  OperatonPeer(String jdbc, Form form, int workers) {
    this.form = form;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbc);
    if (jdbc.startsWith("jdbc:h2:")) config.setUsername("sa");
    config.setMaximumPoolSize(2 * workers + 8);
    pool = new HikariDataSource(config);
    StandaloneProcessEngineConfiguration settings = new StandaloneProcessEngineConfiguration();
    settings.setDataSource(pool);
    settings.setDatabaseSchemaUpdate("true");
    settings.setHistory("none");
    settings.setEnforceHistoryTimeToLive(false);
    settings.setJobExecutorActivate(false);
    settings.setMetricsEnabled(false);
    settings.setTaskMetricsEnabled(false);
    settings.setDbMetricsReporterActivate(false);
    settings.setCmmnEnabled(false);
    settings.setDmnEnabled(false);
    settings.setProcessEngineName(pool.getPoolName());
    engine = settings.buildProcessEngine();
    engine.getRepositoryService().createDeployment().addString("split.bpmn", xml()).deploy();
  }

  private String xml() {
    StringBuilder tasks = new StringBuilder();
    for (String each : List.of("a", "b", "c")) {
      tasks.append(
          form == Form.RECEIVE_TASKS
              ? "<receiveTask id='" + each + "'/>"
              : "<serviceTask id='" + each + "' o:type='external' o:topic='" + TOPIC + "'/>");
      tasks.append(
          "<sequenceFlow id='to-" + each + "' sourceRef='split' targetRef='" + each + "'/>");
      tasks.append(
          "<sequenceFlow id='of-" + each + "' sourceRef='" + each + "' targetRef='join'/>");
    }
    return "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
        + " xmlns:o='http://operaton.org/schema/1.0/bpmn' targetNamespace='bench'><process id='"
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
    started.incrementAndGet();
  }

  @Override
  public int work(String worker, int limit) {
    return form == Form.RECEIVE_TASKS ? trigger() : fetch(worker, limit);
  }

  private int fetch(String worker, int limit) {
    List<LockedExternalTask> tasks = locked(worker, limit);
    for (LockedExternalTask task : tasks) {
      untilTaken(() -> engine.getExternalTaskService().complete(task.getId(), worker));
      count(task.getProcessInstanceId() + " " + task.getActivityId());
    }
    return tasks.size();
  }

  /**
   * It looks for the instance of a task that somebody else has ended in between, and falls over it;
   * nothing is locked then, and whoever asked asks again.
   */
  private List<LockedExternalTask> locked(String worker, int limit) {
    try {
      var wanted = engine.getExternalTaskService().fetchAndLock(limit, worker);
      return wanted.topic(TOPIC, LOCK_MS).execute();
    } catch (NullPointerException ended) {
      return List.of();
    }
  }

  private int trigger() {
    var runtime = engine.getRuntimeService();
    int count = 0;
    for (String activity : List.of("a", "b", "c")) {
      Execution waits =
          runtime
              .createExecutionQuery()
              .processInstanceId(own.get())
              .activityId(activity)
              .singleResult();
      untilTaken(() -> runtime.signal(waits.getId()));
      count(own.get() + " " + activity);
      count++;
    }
    return count;
  }

  private static void untilTaken(Runnable step) {
    for (int tries = 1; ; tries++) {
      try {
        step.run();
        return;
      } catch (OptimisticLockingException met) {
        if (tries == TRIES_MAX) throw met;
      }
    }
  }

  private void count(String task) {
    done.computeIfAbsent(task, each -> new AtomicLong()).incrementAndGet();
  }

  @Override
  public long ended() {
    return started.get() - engine.getRuntimeService().createProcessInstanceQuery().count();
  }

  @Override
  public void check(int instances) {
    long open = engine.getRuntimeService().createProcessInstanceQuery().count();
    long twice = done.values().stream().filter(each -> each.get() != 1).count();
    if (open != 0 || twice != 0 || done.size() != TASKS_EACH * instances) {
      throw new IllegalStateException(
          open + " open, " + twice + " done twice, " + done.size() + " tasks");
    }
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
