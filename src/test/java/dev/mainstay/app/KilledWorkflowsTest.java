package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import dev.mainstay.workflow.WorkflowExecutions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Split in three, timer, join: three servers on one store, workers that ask whichever is there, and
 * servers killed at random moments. {@code -Dexecutions=N} and {@code -Dkills=N} make it longer,
 * {@code -Ddatabases=SQLITE} plays it on one of the two.
 */
@Order(1)
class KilledWorkflowsTest {
  private static final int SERVERS = 3;
  private static final int WORKERS = 4;
  private static final int EXECUTIONS = Integer.getInteger("executions", 12);
  private static final int KILLS = Integer.getInteger("kills", 3);
  private static final List<String> CODING = List.of("code-task-1", "code-task-2", "code-task-3");

  @TempDir Path home;
  private final Deeds deeds = new Deeds();
  private final Set<String> executions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger mayBegin = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private Store store;
  private Fleet fleet;

  @AfterEach
  void stop() throws InterruptedException {
    over.set(true);
    for (Thread each : threads) each.join(Rest.PATIENCE.toMillis());
    if (fleet != null) fleet.close();
    if (store != null) store.close();
  }

  @ParameterizedTest
  @EnumSource(Databases.class)
  void executions_go_on_where_they_were_and_nothing_is_done_twice_or_left_out(Databases database)
      throws Exception {
    assumeThat(System.getProperty("databases", database.name())).contains(database.name());
    var address = database.fresh();
    fleet = new Fleet(home, address, SERVERS);
    Fleet.await("all servers listen", fleet::isWhole);
    store = Store.open(address, StoreSettings.DEFAULT);
    Rest person =
        new Rest(fleet.at(0).token())
            .issue(fleet.at(0), JsonObject.of("role", "person", "name", "lead"));
    assertThat(person.post(fleet.at(0), "/workflows", split()).status()).isEqualTo(201);
    Random random = new Random(Long.getLong("seed", System.nanoTime()));
    for (int i = 1; i <= WORKERS; i++) work("worker-" + i, person);
    thread("lead", () -> startAll(person));
    WorkflowExecutions look = new WorkflowExecutions(store);
    int hit = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      int may = Math.max(1, (kill + 2) * EXECUTIONS / (KILLS + 2));
      int half = (2 * kill + 3) * EXECUTIONS * CODING.size() / (2 * (KILLS + 2));
      int wanted = Math.min(half, may * CODING.size());
      Fleet.await("a second server", () -> isWrong() || fleet.alive() > 1);
      // Half of those that may begin now are done then, and the others run.
      mayBegin.set(may);
      Fleet.await("work goes on", () -> isWrong() || completed.get() >= wanted);
      assertThat(deeds.wrongs()).isEmpty();
      boolean underWay = !look.list(null, Status.RUNNING, null, 1).isEmpty();
      fleet.killAny(random);
      if (underWay) hit++;
    }
    mayBegin.set(EXECUTIONS);
    System.out.printf(
        "killed workflows: %d kills, %d of them while executions ran, %d requests cut off%n",
        KILLS, hit, deeds.cutOff.get());
    assertThat(hit).as("kills while executions ran").isPositive();
    Fleet.await(
        "every execution is completed",
        () -> isWrong() || look.list(null, Status.COMPLETED, null, 1_000).size() == EXECUTIONS);
    over.set(true);
    assertThat(deeds.wrongs()).isEmpty();
    check(look);
  }

  private boolean isWrong() {
    return !deeds.wrongs().isEmpty() || !fleet.faults().isEmpty();
  }

  /** The workflow of the document, and beside it a short wait, so that timers are killed too. */
  private static JsonObject split() {
    List<JsonObject> nodes = new ArrayList<>();
    List<JsonObject> edges = new ArrayList<>();
    nodes.add(JsonObject.of("id", "start", "kind", "start_event"));
    nodes.add(JsonObject.of("id", "split-tasks", "kind", "parallel_gateway"));
    nodes.add(JsonObject.of("id", "join-tasks", "kind", "parallel_gateway"));
    nodes.add(
        JsonObject.of("id", "rest", "kind", "catch_event")
            .with("timer", JsonObject.of("duration", "PT0.2S")));
    nodes.add(JsonObject.of("id", "end", "kind", "end_event"));
    edges.add(edge("start", "split-tasks"));
    edges.add(edge("join-tasks", "end"));
    for (String each : List.of("code-task-1", "code-task-2", "code-task-3", "rest")) {
      if (!each.equals("rest")) nodes.add(JsonObject.of("id", each, "kind", "service_task"));
      edges.add(edge("split-tasks", each));
      edges.add(edge(each, "join-tasks"));
    }
    return JsonObject.of("name", "split", "title", "Split", "nodes", nodes, "edges", edges);
  }

  private static JsonObject edge(String source, String target) {
    return JsonObject.of("id", source + "-" + target, "source", source, "target", target);
  }

  private void thread(String name, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (RuntimeException fault) {
                deeds.wrong(name + ": " + fault);
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  private void startAll(Rest person) {
    Random random = new Random(1);
    for (int i = 0; i < EXECUTIONS && !over.get(); i++) {
      while (i >= mayBegin.get() && !over.get()) Pause.briefly();
      JsonObject body = JsonObject.of("variables", JsonObject.of("number", i));
      Rest.Answer answer = ask(person, random, "/workflows/split/executions", body, "start-" + i);
      if (answer.status() == 201) executions.add(answer.json().text("id"));
      else deeds.wrong("a start was answered " + answer);
    }
  }

  /** Asks again under the same key, at whichever server is there, until one answers. */
  private Rest.Answer ask(Rest rest, Random random, String path, JsonObject body, String key) {
    while (true) {
      try {
        Rest.Answer answer = rest.post(fleet.any(random), path, body, "Idempotency-Key", key);
        if (!answer.isBusy()) return answer;
      } catch (IOException died) {
        deeds.cutOff.incrementAndGet();
      }
    }
  }

  private void work(String name, Rest person) throws IOException {
    JsonObject who = JsonObject.of("role", "agent", "name", name, "terminal", name);
    Rest agent = person.issue(fleet.at(0), who);
    Random random = new Random(name.hashCode());
    Reports reports = new RestReports(agent, fleet, deeds, random);
    JsonObject wanted = JsonObject.of("lease_seconds", 60, "wait_seconds", 1);
    thread(
        name,
        () -> {
          for (int claim = 1; !over.get(); claim++) {
            Rest.Answer given = ask(agent, random, "/tasks/claim", wanted, name + "-" + claim);
            for (JsonObject task : given.json().objects("tasks")) {
              deeds.held(task, name);
              if (reports.complete(task, "complete-" + Deeds.name(task), name)) {
                completed.incrementAndGet();
              } else {
                deeds.wrong(Deeds.name(task) + " was lost");
              }
            }
          }
        });
  }

  private void check(WorkflowExecutions look) {
    List<WorkflowExecution> all = look.list(null, null, null, 1_000);
    assertThat(all).extracting(WorkflowExecution::id).hasSize(EXECUTIONS).containsAll(executions);
    for (WorkflowExecution each : all) {
      Map<String, Integer> left = left(each.id());
      Set<String> nodes = new TreeSet<>(CODING);
      nodes.addAll(List.of("start", "split-tasks", "rest", "join-tasks", "end"));
      assertThat(left.keySet()).isEqualTo(nodes);
      assertThat(left.values()).as("%s %s", each.id(), left).containsOnly(1);
    }
    List<Task> tasks =
        new Tasks(store).list(new TaskFilter(null, null, null, null), null, 1_000).tasks();
    assertThat(tasks).hasSize(EXECUTIONS * CODING.size());
    assertThat(tasks).extracting(Task::status).containsOnly(TaskStatus.COMPLETED);
    assertThat(tasks).extracting(task -> task.progress().attempt()).containsOnly(1);
    assertThat(Verification.of(store).findings()).isEmpty();
    for (int i = 0; i < SERVERS; i++) {
      if (fleet.alive() == SERVERS) assertThat(fleet.at(i).errors()).isEmpty();
    }
  }

  /** How often each node was left, as the journal tells. */
  private Map<String, Integer> left(String execution) {
    Map<String, Integer> left = new HashMap<>();
    String stream = WorkflowExecution.stream(execution);
    for (JournalEntry entry : store.reading(tx -> tx.journal().stream(stream))) {
      JsonObject payload = JsonText.object(entry.content().payload());
      for (JsonObject trace : payload.objects("traces")) {
        if (trace.text("what").equals("LEFT")) left.merge(trace.text("node"), 1, Integer::sum);
      }
    }
    return left;
  }
}
