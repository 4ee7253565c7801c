import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.workflow.NewExecution;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Ours: through the use cases, with journal, leases, fences and assignments. */
final class MainstayWorkflows implements WorkflowEngine {
  private static final Call BENCH = Call.by(Actor.person("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final String DRAWN =
      """
      {"name": "bench", "title": "", "nodes": [
         {"id": "start", "kind": "start_event"}, {"id": "split", "kind": "parallel_gateway"},
         {"id": "a", "kind": "service_task"}, {"id": "b", "kind": "service_task"},
         {"id": "c", "kind": "service_task"},
         {"id": "join", "kind": "parallel_gateway"}, {"id": "end", "kind": "end_event"}],
       "edges": [
         {"source": "start", "target": "split"}, {"source": "split", "target": "a"},
         {"source": "split", "target": "b"}, {"source": "split", "target": "c"},
         {"source": "a", "target": "join"}, {"source": "b", "target": "join"},
         {"source": "c", "target": "join"}, {"source": "join", "target": "end"}]}""";

  private final Store store;
  private final Dispatcher dispatcher;
  private final Leases leases;
  private final WorkflowExecutions executions;
  private final Path folder;
  private final AtomicInteger started = new AtomicInteger();
  private final Map<TaskId, Boolean> done = new ConcurrentHashMap<>();
  private final AtomicInteger twice = new AtomicInteger();

  MainstayWorkflows(StoreAddress address, Path folder) {
    this.folder = folder;
    store = Store.open(address, StoreSettings.DEFAULT);
    dispatcher = new Dispatcher(store);
    leases = new Leases(store);
    executions = new WorkflowExecutions(store);
    new Workflows(store).importJson(JsonText.object(DRAWN), BENCH);
  }

  @Override
  public void start(int number) {
    executions.start(new NewExecution("bench", "bench", "here", folder, JsonObject.EMPTY), BENCH);
    started.incrementAndGet();
  }

  @Override
  public int work(String worker, int limit) {
    Wanted wanted = new Wanted(worker, List.of(), limit, LEASE);
    List<Task> held = dispatcher.claim(wanted, Duration.ZERO, BENCH);
    for (Task task : held) {
      leases.complete(task.id(), JsonObject.EMPTY, BENCH.withFence(task.fence()));
      if (done.put(task.id(), true) != null) twice.incrementAndGet();
    }
    return held.size();
  }

  /** The last completion ends an instance in its own commit, so none is left to be waited for. */
  @Override
  public long ended() {
    return executions.list("bench", Status.RUNNING, null, 1).isEmpty() ? started.get() : 0;
  }

  @Override
  public void check(int instances) {
    int completed = 0;
    String last = null;
    for (List<WorkflowExecution> page = page(null); !page.isEmpty(); page = page(last)) {
      completed += page.size();
      last = page.get(page.size() - 1).id();
    }
    if (completed != instances || twice.get() != 0 || done.size() != TASKS_EACH * instances) {
      throw new IllegalStateException(
          completed + " completed, " + done.size() + " tasks, " + twice + " done twice");
    }
  }

  private List<WorkflowExecution> page(String before) {
    return executions.list("bench", Status.COMPLETED, before, WorkflowExecutions.PAGE_MAX);
  }

  @Override
  public void close() {
    dispatcher.close();
    store.close();
  }
}
