package dev.mainstay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.DefinitionJson;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Marking;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of workflows begin with, and what must hold after each of them. */
abstract class OnWorkflows extends OnDatabase {
  static final Duration LEASE = Duration.ofMinutes(10);

  protected Workflows workflows;
  protected WorkflowExecutions executions;
  protected Tasks tasks;

  OnWorkflows(Databases database) {
    super(database);
  }

  @BeforeEach
  void rooms() {
    workflows = new Workflows(store, "here", Path.of("/work"));
    executions = new WorkflowExecutions(store);
    tasks = new Tasks(store);
  }

  /** Whatever a test did, each execution stands as its stream tells, and the tables agree. */
  @AfterEach
  void every_execution_equals_the_replay_of_its_stream() {
    for (WorkflowExecution each : executions.list(null, null, null, 1_000)) {
      assertThat(replayed(each.id())).as(each.id()).isEqualTo(each.standing().data());
    }
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  private JsonObject replayed(String id) {
    JsonObject data = Marking.EMPTY.toJson();
    for (JournalEntry entry : entries(id)) {
      WorkflowEvent event =
          WorkflowEvent.read(entry.content().kind(), JsonText.object(entry.content().payload()));
      if (event != null) data = event.applyTo(data);
    }
    return data;
  }

  List<JournalEntry> entries(String execution) {
    return store.reading(tx -> tx.journal().stream(WorkflowExecution.stream(execution)));
  }

  List<String> kinds(String execution) {
    return entries(execution).stream().map(entry -> entry.content().kind()).toList();
  }

  static Node node(String id, NodeKind kind) {
    return Node.of(id, kind);
  }

  /** From the first to the last, each to the next. */
  static List<Edge> path(String... nodes) {
    List<Edge> edges = new ArrayList<>();
    for (int i = 1; i < nodes.length; i++) {
      edges.add(Edge.of(nodes[i - 1] + "_" + nodes[i], nodes[i - 1], nodes[i]));
    }
    return edges;
  }

  /** A start, these nodes in turn, and an end. */
  static Definition line(String name, Node... nodes) {
    List<Node> all = new ArrayList<>();
    all.add(node("start", NodeKind.START_EVENT));
    all.addAll(Arrays.asList(nodes));
    all.add(node("end", NodeKind.END_EVENT));
    return new Definition(name, "", all, path(all.stream().map(Node::id).toArray(String[]::new)));
  }

  /** Split in three, one task each, and joined again. */
  static Definition threefold() {
    List<Node> nodes = new ArrayList<>();
    nodes.add(node("start", NodeKind.START_EVENT));
    nodes.add(node("split-tasks", NodeKind.PARALLEL_GATEWAY));
    List<Edge> edges = new ArrayList<>(path("start", "split-tasks"));
    for (int i = 1; i <= 3; i++) {
      nodes.add(node("code-task-" + i, NodeKind.SERVICE_TASK));
      edges.addAll(path("split-tasks", "code-task-" + i, "join-tasks"));
    }
    nodes.add(node("join-tasks", NodeKind.PARALLEL_GATEWAY));
    nodes.add(node("end", NodeKind.END_EVENT));
    edges.addAll(path("join-tasks", "end"));
    return new Definition("threefold", "Three at once", nodes, edges);
  }

  Workflow take(Definition definition) {
    return workflows.importJson(json(definition), ADA).workflow();
  }

  static JsonObject json(Definition definition) {
    return JsonObject.of("name", definition.key(), "title", definition.title())
        .with("nodes", definition.nodes().stream().map(DefinitionJson::write).toList())
        .with("edges", definition.edges().stream().map(DefinitionJson::write).toList());
  }

  WorkflowExecution start(String workflow, Object... variables) {
    return executions.start(
        new NewExecution(workflow, "session", "here", Path.of("/work"), JsonObject.of(variables)),
        ADA);
  }

  WorkflowExecution now(WorkflowExecution execution) {
    return executions.show(execution.id()).execution();
  }

  WorkflowExecution.Status status(WorkflowExecution execution) {
    return now(execution).status();
  }

  Object variable(WorkflowExecution execution, String name) {
    return now(execution).standing().data().object("variables").get(name);
  }

  List<Task> all() {
    return tasks.list(TaskFilter.ALL, null, 1_000).tasks();
  }

  /** The newest task of a node. */
  TaskId task(WorkflowExecution execution, String node) {
    List<Task> found =
        all().stream()
            .filter(task -> node.equals(task.brief().metadata().get("node_id")))
            .filter(task -> execution.id().equals(task.brief().metadata().get("execution_id")))
            .toList();
    assertThat(found).as("tasks of " + node).isNotEmpty();
    return found.get(found.size() - 1).id();
  }

  void complete(TaskId id, Object... result) {
    complete(store, id, result);
  }

  void complete(Store by, TaskId id, Object... result) {
    Leases leases = new Leases(by);
    long fence = leases.hold(id, "bot", LEASE, BOT).fence();
    leases.complete(id, JsonObject.of(result), BOT.withFence(fence));
  }

  void fail(TaskId id, String error) {
    Leases leases = new Leases(store);
    leases.fail(id, error, BOT.withFence(leases.hold(id, "bot", LEASE, BOT).fence()));
  }

  TaskStatus status(TaskId id) {
    return tasks.show(id).status();
  }

  List<ExecutionView.Open> open(WorkflowExecution execution) {
    return executions.show(execution.id()).open();
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              for (String word : words) assertThat(refusal.sentence()).contains(word);
            });
  }
}
