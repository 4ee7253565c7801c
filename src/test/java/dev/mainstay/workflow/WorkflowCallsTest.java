package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.CANCELLED;
import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.FAILED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Follower.End;
import dev.mainstay.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Executions that have to do with one another by calling. */
class WorkflowCallsTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnWorkflows {
    Contract(Databases database) {
      super(database);
    }

    private static Node call(String id, String workflow) {
      return node(id, NodeKind.CALL_ACTIVITY).with(Traits.of(new Inner.Call(workflow)));
    }

    private WorkflowExecution called(WorkflowExecution caller) {
      return called(caller, null);
    }

    private WorkflowExecution called(WorkflowExecution caller, Status status) {
      return executions.list(null, status, null, 100).stream()
          .filter(
              each -> {
                var by = each.home().caller();
                return by != null && by.execution().equals(caller.id());
              })
          .findFirst()
          .orElseThrow();
    }

    @Test
    void a_called_workflow_gives_its_variables_to_its_caller_in_one_commit() {
      take(line("inner", node("work", NodeKind.SERVICE_TASK)));
      take(line("middle", call("again", "inner")));
      take(line("outer", call("use", "middle")));
      WorkflowExecution outer = start("outer", "n", 1);
      WorkflowExecution middle = called(outer);
      WorkflowExecution inner = called(middle);
      assertThat(open(outer)).extracting(ExecutionView.Open::about).containsExactly(middle.id());
      long commits = store.commits();
      complete(task(inner, "work"), "done", true);
      assertThat(store.commits() - commits).isEqualTo(2); // one for the lease
      assertThat(status(inner)).isEqualTo(COMPLETED);
      assertThat(status(middle)).isEqualTo(COMPLETED);
      assertThat(status(outer)).isEqualTo(COMPLETED);
      JsonObject got = (JsonObject) variable(outer, "use_result");
      assertThat(got.object("again_result").object("work_result"))
          .isEqualTo(JsonObject.of("done", true));
    }

    @Test
    void a_called_workflow_gives_back_only_what_its_caller_does_not_have() {
      take(line("inner", node("work", NodeKind.SERVICE_TASK)));
      List<Node> calls = new ArrayList<>();
      for (int i = 1; i <= 3; i++) calls.add(call("use" + i, "inner"));
      take(line("outer", calls.toArray(Node[]::new)));
      WorkflowExecution outer = start("outer", "n", 1, "none", null);
      for (int i = 1; i <= 3; i++) {
        complete(task(called(outer, RUNNING), "work"), "round", i);
        assertThat(variable(outer, "use" + i + "_result"))
            .isEqualTo(JsonObject.of("work_result", JsonObject.of("round", i)));
      }
      assertThat(status(outer)).isEqualTo(COMPLETED);
    }

    @Test
    void what_each_round_of_a_loop_has_is_not_given_back_either() {
      take(line("inner", node("work", NodeKind.SERVICE_TASK)));
      Loop loop = new Loop(false, "items", "item", null, "all");
      Traits traits = new Traits(null, null, loop, new Inner.Call("inner"), Yield.USUAL);
      take(line("outer", node("use", NodeKind.CALL_ACTIVITY).with(traits)));
      WorkflowExecution outer = start("outer", "items", List.of("a"));
      complete(task(called(outer), "work"), "n", 1);
      assertThat(variable(outer, "all"))
          .isEqualTo(List.of(JsonObject.of("work_result", JsonObject.of("n", 1))));
    }

    @Test
    void one_version_of_a_workflow_can_be_called() {
      take(line("inner", node("old", NodeKind.SERVICE_TASK)));
      take(line("inner", node("new", NodeKind.SERVICE_TASK)));
      take(line("outer", call("use", "inner@1")));
      WorkflowExecution outer = start("outer");
      complete(task(called(outer), "old"));
      assertThat(status(outer)).isEqualTo(COMPLETED);
    }

    @Test
    void a_called_workflow_that_fails_is_caught_by_its_code_or_is_an_incident() {
      List<Node> failing =
          List.of(
              node("start", NodeKind.START_EVENT),
              node("broken", NodeKind.END_EVENT).with(Traits.of(new Trigger.Fault("E7"))));
      take(new Definition("failing", "", failing, path("start", "broken")));
      take(line("careless", call("use", "failing")));
      Node caught =
          node("caught", NodeKind.BOUNDARY_EVENT)
              .with(Frame.at(null, "use", true))
              .with(Traits.of(new Trigger.Fault("E7")));
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              call("use", "failing"),
              caught,
              node("mend", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", "use", "end"));
      edges.addAll(path("caught", "mend", "end"));
      take(new Definition("careful", "", nodes, edges));
      WorkflowExecution careless = start("careless");
      assertThat(status(called(careless))).isEqualTo(FAILED);
      assertThat(open(careless)).extracting(ExecutionView.Open::what).containsExactly("INCIDENT");
      WorkflowExecution careful = start("careful");
      complete(task(careful, "mend"));
      assertThat(status(careful)).isEqualTo(COMPLETED);
    }

    @Test
    void cancelling_the_caller_ends_all_that_it_called() {
      take(line("inner", node("work", NodeKind.SERVICE_TASK)));
      take(line("middle", call("again", "inner")));
      take(line("outer", call("use", "middle")));
      WorkflowExecution outer = start("outer");
      WorkflowExecution middle = called(outer);
      WorkflowExecution inner = called(middle);
      executions.cancel(outer.id(), "enough", ADA);
      assertThat(status(middle)).isEqualTo(CANCELLED);
      assertThat(status(inner)).isEqualTo(CANCELLED);
      assertThat(status(task(inner, "work"))).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void cancelling_what_was_called_is_an_incident_of_its_caller() {
      take(line("inner", node("work", NodeKind.SERVICE_TASK)));
      take(line("outer", call("use", "inner")));
      WorkflowExecution outer = start("outer");
      executions.cancel(called(outer).id(), "not this one", ADA);
      assertThat(now(outer).standing().error()).contains("not this one");
      executions.skip(outer.id(), "use", JsonObject.EMPTY, ADA);
      assertThat(status(outer)).isEqualTo(COMPLETED);
    }

    @Test
    void a_workflow_that_calls_itself_for_ever_is_stopped() {
      take(line("circle", call("again", "circle")));
      WorkflowExecution made = start("circle");
      assertThat(status(made)).isEqualTo(RUNNING);
      List<WorkflowExecution> all = executions.list("circle", null, null, 100);
      assertThat(all).hasSize(Wishing.CALLS_DEEP_MAX);
      assertThat(all)
          .filteredOn(each -> each.standing().error() != null)
          .singleElement()
          .satisfies(each -> assertThat(each.standing().error()).contains("look for a circle"));
      executions.cancel(made.id(), "stop", ADA);
      assertThat(executions.list("circle", CANCELLED, null, 100)).hasSize(Wishing.CALLS_DEEP_MAX);
    }

    @Test
    void calls_one_after_another_stop_when_it_is_enough_for_once_and_can_go_on() {
      List<Node> nodes =
          List.of(node("start", NodeKind.START_EVENT), node("end", NodeKind.END_EVENT));
      take(new Definition("inner", "", nodes, path("start", "end")));
      Loop loop = new Loop(true, "items", "item", null, null);
      Traits traits = new Traits(null, null, loop, new Inner.Call("inner"), Yield.USUAL);
      take(line("outer", node("use", NodeKind.CALL_ACTIVITY).with(traits)));
      int calls = Moving.TURNS_MAX / 2 + 2; // each begins and is done
      WorkflowExecution outer = start("outer", "items", Collections.nCopies(calls, "x"));
      assertThat(outer.status()).isEqualTo(RUNNING);
      assertThat(outer.standing().error()).contains("happened at once", "try it again");
      executions.retry(outer.id(), "use", JsonObject.EMPTY, ADA);
      assertThat(status(outer)).isEqualTo(COMPLETED);
    }

    @Test
    void what_is_enough_for_one_is_none_of_the_others_business() {
      List<Node> nodes =
          List.of(node("start", NodeKind.START_EVENT), node("end", NodeKind.END_EVENT));
      take(new Definition("inner", "", nodes, path("start", "end")));
      Loop loop = new Loop(true, "items", "item", null, null);
      Traits traits = new Traits(null, null, loop, new Inner.Call("inner"), Yield.USUAL);
      take(
          line(
              "outer",
              node("work", NodeKind.SERVICE_TASK),
              node("use", NodeKind.CALL_ACTIVITY).with(traits)));
      int calls = Moving.TURNS_MAX / 4; // each begins and is done
      List<WorkflowExecution> outer = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        outer.add(start("outer", "items", Collections.nCopies(calls, "x")));
      }
      List<End> ends = new ArrayList<>();
      for (WorkflowExecution each : outer) {
        ends.add(new End(done(task(each, "work")), JsonObject.EMPTY, BOT));
      }
      given(tx -> executions.ended(tx, ends));
      assertThat(outer).allSatisfy(each -> assertThat(status(each)).isEqualTo(COMPLETED));
    }

    /** Without anybody who follows, so that a test can tell of several at once. */
    private Task done(TaskId id) {
      try (Store silent = open(address)) {
        complete(silent, id);
      }
      return tasks.show(id);
    }

    @Test
    void calling_what_is_not_there_is_an_incident_until_it_is() {
      take(line("outer", call("use", "later")));
      WorkflowExecution made = start("outer");
      assertThat(now(made).standing().error()).contains("no workflow later");
      take(line("later", node("work", NodeKind.SERVICE_TASK)));
      executions.retry(made.id(), "use", JsonObject.EMPTY, BOT);
      complete(task(called(made), "work"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }
  }
}
