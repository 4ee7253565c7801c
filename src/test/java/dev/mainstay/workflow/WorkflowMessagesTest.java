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
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Executions that have to do with one another: by messages, and by calling. */
class WorkflowMessagesTest {
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

    private static Node message(String id, NodeKind kind, String name, String... correlation) {
      String which = correlation.length == 0 ? null : correlation[0];
      return node(id, kind).with(Traits.of(new Trigger.Message(name, which, null)));
    }

    private static NewMessage sent(String name, String correlation, boolean keep) {
      return new NewMessage(name, correlation, null, JsonObject.of("from", "outside"), keep);
    }

    @Test
    void a_message_goes_to_whoever_waits_longest_with_the_same_correlation() {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built", "version")));
      WorkflowExecution other = start("wait", "version", "1");
      WorkflowExecution first = start("wait", "version", "2");
      clock.advance(Duration.ofSeconds(1));
      WorkflowExecution second = start("wait", "version", "2");
      assertThat(executions.message(sent("built", "2", false), BOT))
          .hasValueSatisfying(got -> assertThat(got.id()).isEqualTo(first.id()));
      assertThat(variable(first, "from")).isEqualTo("outside");
      assertThat(status(first)).isEqualTo(COMPLETED);
      assertThat(status(second)).isEqualTo(RUNNING);
      refused(
          Code.CONFLICT, () -> executions.message(sent("built", null, false), BOT), "nobody waits");
      refused(
          Code.CONFLICT,
          () ->
              executions.message(
                  new NewMessage("built", "2", other.id(), JsonObject.EMPTY, false), BOT),
          "nobody waits",
          other.id());
      assertThat(status(other)).isEqualTo(RUNNING);
    }

    @Test
    void a_message_that_came_too_early_is_taken_once_by_the_first_that_waits() {
      take(line("wait", message("hear", NodeKind.RECEIVE_TASK, "built")));
      assertThat(executions.message(sent("built", null, true), BOT)).isEmpty();
      assertThat(start("wait").status()).isEqualTo(COMPLETED);
      assertThat(start("wait").status()).isEqualTo(RUNNING);
    }

    @Test
    void a_kept_message_that_crossed_with_its_receiver_is_given_by_the_next_look() {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      WorkflowExecution made = start("wait");
      given(tx -> tx.workflowMessages().keep("built", null, JsonObject.of("n", 1), "person:ada"));
      assertThat(executions.due()).isEqualTo(1);
      assertThat(variable(made, "n")).isEqualTo(1L);
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(executions.due()).isZero();
    }

    @Test
    void one_execution_sends_and_another_goes_on_in_the_same_commit() {
      take(line("hearer", message("hear", NodeKind.CATCH_EVENT, "go")));
      take(
          line(
              "sayer",
              node("work", NodeKind.SERVICE_TASK),
              message("say", NodeKind.THROW_EVENT, "go")));
      WorkflowExecution hearer = start("hearer");
      WorkflowExecution sayer = start("sayer");
      complete(task(sayer, "work"));
      assertThat(status(hearer)).isEqualTo(COMPLETED);
      assertThat(status(sayer)).isEqualTo(COMPLETED);
    }

    @Test
    void a_message_starts_the_newest_version_of_the_workflow_that_begins_by_it() {
      List<Node> nodes =
          List.of(
              message("asked", NodeKind.START_EVENT, "please"),
              node("work", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      take(new Definition("asked", "", nodes, path("asked", "work", "end")));
      take(new Definition("asked", "again", nodes, path("asked", "work", "end")));
      WorkflowExecution made = executions.message(sent("please", null, false), BOT).orElseThrow();
      assertThat(workflows.show("asked").workflow().version()).isEqualTo(2);
      assertThat(made.workflow()).isEqualTo(workflows.show("asked").workflow().id());
      assertThat(variable(made, "from")).isEqualTo("outside");
      complete(task(made, "work"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void a_message_for_a_paused_execution_is_kept_until_it_goes_on() {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      WorkflowExecution made = start("wait");
      executions.pause(made.id(), "later", ADA);
      assertThat(executions.message(sent("built", null, false), BOT)).isEmpty();
      NewMessage alone = new NewMessage("built", null, made.id(), JsonObject.EMPTY, false);
      refused(Code.CONFLICT, () -> executions.message(alone, BOT), "resume it first");
      assertThat(executions.due()).isZero();
      executions.resume(made.id(), ADA);
      assertThat(variable(made, "from")).isEqualTo("outside");
      assertThat(status(made)).isEqualTo(COMPLETED);
      refused(
          Code.CONFLICT, () -> executions.message(sent("built", null, false), BOT), "nobody waits");
    }

    @Test
    void a_message_passes_over_a_paused_execution_to_one_that_goes_on() {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      WorkflowExecution paused = start("wait");
      clock.advance(Duration.ofSeconds(1));
      WorkflowExecution second = start("wait");
      executions.pause(paused.id(), "later", ADA);
      assertThat(executions.message(sent("built", null, false), BOT))
          .hasValueSatisfying(got -> assertThat(got.id()).isEqualTo(second.id()));
    }

    /** Whichever of two messages comes first. */
    private static Definition either() {
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              node("which", NodeKind.EVENT_GATEWAY),
              message("yes", NodeKind.CATCH_EVENT, "yes"),
              message("no", NodeKind.CATCH_EVENT, "no"),
              node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", "which", "yes", "end"));
      edges.addAll(path("which", "no", "end"));
      return new Definition("either", "", nodes, edges);
    }

    @Test
    void of_two_kept_messages_an_execution_that_needs_one_takes_one() {
      take(either());
      executions.message(sent("yes", null, true), BOT);
      executions.message(sent("no", null, true), BOT);
      assertThat(start("either").status()).isEqualTo(COMPLETED);
      assertThat(start("either").status()).isEqualTo(COMPLETED);
      assertThat(start("either").status()).isEqualTo(RUNNING);
    }

    @Test
    void of_two_messages_sent_in_one_step_the_second_is_not_thrown_away() {
      take(either());
      take(
          line(
              "sayer",
              message("first", NodeKind.THROW_EVENT, "yes"),
              message("second", NodeKind.THROW_EVENT, "no")));
      WorkflowExecution made = start("either");
      start("sayer");
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(start("either").status()).isEqualTo(COMPLETED);
    }

    @Test
    void of_two_messages_that_came_while_it_was_paused_the_second_is_for_the_next() {
      take(either());
      WorkflowExecution made = start("either");
      executions.pause(made.id(), "later", ADA);
      executions.message(sent("yes", null, false), BOT);
      executions.message(sent("no", null, false), BOT);
      executions.resume(made.id(), ADA);
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(start("either").status()).isEqualTo(COMPLETED);
    }

    @Test
    void a_message_names_what_it_is_about_in_a_word() {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      WorkflowExecution made = start("wait");
      refused(
          Code.INVALID,
          () ->
              executions.message(
                  new NewMessage("built", null, made.id(), JsonObject.EMPTY, true), BOT),
          "leave one of the two out");
      refused(
          Code.TOO_LARGE,
          () -> executions.message(sent("built", "x".repeat(201), true), BOT),
          "correlation");
      refused(Code.INVALID, () -> executions.message(sent("built", "a\nb", true), BOT), "one line");
      String secret = "ghp" + "_" + "a1B2".repeat(9);
      executions.message(sent("other", secret, true), BOT);
      assertThat(store.<Boolean>reading(tx -> tx.workflowWaits().awaited(10).isEmpty())).isTrue();
      given(tx -> assertThat(tx.workflowMessages().take("other", secret)).isEmpty());
    }

    private static Definition asked() {
      List<Node> nodes =
          List.of(
              message("asked", NodeKind.START_EVENT, "please"),
              node("work", NodeKind.SERVICE_TASK),
              node("end", NodeKind.END_EVENT));
      return new Definition("asked", "", nodes, path("asked", "work", "end"));
    }

    @Test
    void a_message_that_was_kept_for_one_that_is_gone_starts_the_workflow_that_begins_by_it() {
      take(asked());
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "please")));
      WorkflowExecution paused = start("wait");
      executions.pause(paused.id(), "later", ADA);
      assertThat(executions.message(sent("please", null, false), BOT)).isEmpty();
      assertThat(executions.due()).isZero();
      executions.cancel(paused.id(), "never", ADA);
      assertThat(executions.due()).isEqualTo(1);
      WorkflowExecution made = executions.list("asked", RUNNING, null, 10).get(0);
      assertThat(made.stamps().startedBy()).isEqualTo("agent:bot");
      assertThat(variable(made, "from")).isEqualTo("outside");
      assertThat(executions.due()).isZero();
    }

    @Test
    void a_message_for_one_that_just_got_another_goes_to_the_next() throws Exception {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      for (int i = 0; i < 3; i++) start("wait");
      Both.atOnce(3, () -> executions.message(sent("built", null, false), BOT));
      executions.due(); // one that found all of them taken at that moment is kept
      assertThat(executions.list("wait", COMPLETED, null, 10)).hasSize(3);
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
