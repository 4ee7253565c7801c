package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.PAUSED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Executions that are held, waited for and changed by those who have seen how they stand. */
class WorkflowControlTest {
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
    private static final int MANY = 480;
    private static final Runnable NOTHING = () -> {};

    Contract(Databases database) {
      super(database);
    }

    private static Node work(String id) {
      return node(id, NodeKind.SERVICE_TASK);
    }

    private static Node call(String id, String workflow) {
      return node(id, NodeKind.CALL_ACTIVITY).with(Traits.of(new Inner.Call(workflow)));
    }

    private static Node begins(Trigger trigger) {
      return node("start", NodeKind.START_EVENT).with(Traits.of(trigger));
    }

    private static Definition begun(String name, Trigger trigger) {
      List<Node> nodes = List.of(begins(trigger), work("work"), node("end", NodeKind.END_EVENT));
      return new Definition(name, "", nodes, path("start", "work", "end"));
    }

    private WorkflowExecution calledBy(WorkflowExecution caller) {
      return executions.list(null, null, null, 100).stream()
          .filter(
              each -> {
                var by = each.home().caller();
                return by != null && by.execution().equals(caller.id());
              })
          .findFirst()
          .orElseThrow();
    }

    @Test
    void those_that_were_called_are_paused_with_their_caller_and_go_on_with_it() {
      take(line("inner", work("first"), work("second")));
      take(line("middle", call("again", "inner")));
      take(line("outer", call("use", "middle")));
      WorkflowExecution outer = start("outer");
      WorkflowExecution middle = calledBy(outer);
      WorkflowExecution inner = calledBy(middle);
      executions.pause(outer.id(), "lunch", ADA);
      assertThat(List.of(status(outer), status(middle), status(inner))).containsOnly(PAUSED);
      complete(task(inner, "first"));
      assertThat(all()).as("nothing new is begun").hasSize(1);
      executions.resume(outer.id(), ADA);
      assertThat(List.of(status(outer), status(middle), status(inner))).containsOnly(RUNNING);
      complete(task(inner, "second"));
      assertThat(List.of(status(outer), status(middle), status(inner))).containsOnly(COMPLETED);
      assertThat(kinds(inner.id())).contains("workflow.paused", "workflow.resumed");
    }

    @Test
    void one_that_was_paused_before_its_caller_stays_so_when_that_goes_on() {
      take(line("inner", work("first")));
      take(line("outer", call("use", "inner")));
      WorkflowExecution outer = start("outer");
      WorkflowExecution inner = calledBy(outer);
      executions.pause(inner.id(), "broken", ADA);
      executions.pause(outer.id(), "lunch", ADA);
      executions.resume(outer.id(), ADA);
      assertThat(status(outer)).isEqualTo(RUNNING);
      assertThat(status(inner)).isEqualTo(PAUSED);
      executions.resume(inner.id(), ADA);
      complete(task(inner, "first"));
      assertThat(status(outer)).isEqualTo(COMPLETED);
    }

    @Test
    void whoever_has_seen_an_older_version_changes_nothing() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      long seen = made.standing().version();
      executions.ifAt(seen).pause(made.id(), "lunch", ADA);
      refused(
          Code.CONFLICT,
          () -> executions.ifAt(seen).resume(made.id(), ADA),
          "version " + (seen + 1) + ", not " + seen);
      refused(Code.CONFLICT, () -> executions.ifAt(seen).cancel(made.id(), "", ADA), "look at it");
      refused(Code.CONFLICT, () -> executions.ifAt(seen).migrate(made.id(), null, ADA), "version");
      assertThat(status(made)).isEqualTo(PAUSED);
      executions.ifAt(null).resume(made.id(), ADA);
      assertThat(status(made)).isEqualTo(RUNNING);
    }

    @Test
    void whoever_waits_for_an_end_is_told_of_it_and_no_longer_than_he_wants() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      assertThat(executions.await(made.id(), Duration.ZERO, NOTHING).status()).isEqualTo(RUNNING);
      CompletableFuture<WorkflowExecution> end =
          CompletableFuture.supplyAsync(
              () -> executions.await(made.id(), Duration.ofHours(1), NOTHING));
      complete(task(made, "work"));
      assertThat(end.join().status()).isEqualTo(COMPLETED);
      Duration longer = WorkflowExecutions.WAIT_MAX.plusSeconds(1);
      refused(Code.INVALID, () -> executions.await(made.id(), longer, NOTHING), "1 day");
      refused(
          Code.NOT_FOUND, () -> executions.await("exec-none", Duration.ZERO, NOTHING), "exec-none");
    }

    @Test
    void whoever_waits_where_no_server_is_looks_at_the_clock_himself() {
      Trigger hour = new Trigger.Timer(TimerKind.DURATION, "PT1H");
      take(line("later", node("rest", NodeKind.CATCH_EVENT).with(Traits.of(hour))));
      WorkflowExecution made = start("later");
      clock.advance(Duration.ofHours(1));
      assertThat(executions.await(made.id(), Duration.ofHours(1), executions::due).status())
          .isEqualTo(COMPLETED);
    }

    @Test
    void what_becomes_of_a_kept_message_is_written_down() {
      take(line("wait", hears("built")));
      executions.message(message("built", 1), BOT);
      executions.message(message("built", 2), BOT);
      assertThat(executions.messages(10)).extracting(WorkflowMessage::content).hasSize(2);
      WorkflowExecution made = start("wait");
      assertThat(made.status()).isEqualTo(COMPLETED);
      clock.advance(WorkflowMessage.LIFE.minusSeconds(1));
      assertThat(executions.due()).isZero();
      clock.advance(Duration.ofSeconds(1));
      assertThat(executions.due()).isEqualTo(1);
      assertThat(executions.messages(10)).isEmpty();
      var entries = store.reading(tx -> tx.journal().stream(WorkflowMessage.stream("built")));
      assertThat(entries)
          .extracting(entry -> entry.content().kind())
          .containsExactly(
              "workflow.message_kept",
              "workflow.message_kept",
              "workflow.message_taken",
              "workflow.message_expired");
      assertThat(entries.get(0).content().payload()).contains("\"n\":1");
      assertThat(entries.get(2).content().payload()).contains(made.id());
      assertThat(start("wait").status()).isEqualTo(RUNNING);
    }

    private static Node hears(String name) {
      return node("hear", NodeKind.RECEIVE_TASK)
          .with(Traits.of(new Trigger.Message(name, null, null)));
    }

    private static NewMessage message(String name, int n) {
      return new NewMessage(name, null, null, JsonObject.of("n", n), true);
    }

    @Test
    void a_schedule_is_ended_and_goes_on_by_a_persons_word() {
      Trigger hourly = new Trigger.Timer(TimerKind.CYCLE, "R/PT1H");
      Workflow workflow = take(begun("hourly", hourly));
      assertThat(workflows.schedule("hourly")).hasSize(1);
      refused(Code.CONFLICT, () -> workflows.schedule("hourly", false, BOT), "only a person");
      refused(Code.CONFLICT, () -> workflows.schedule("hourly", true, ADA), "on already");
      assertThat(workflows.schedule("hourly", false, ADA)).isEmpty();
      refused(Code.CONFLICT, () -> workflows.schedule("hourly", false, ADA), "off already");
      clock.advance(Duration.ofHours(3));
      assertThat(executions.due()).isZero();
      take(begun("hourly", hourly));
      assertThat(workflows.schedule("hourly")).as("the same is no new version").isEmpty();
      assertThat(workflows.schedule("hourly", true, ADA))
          .extracting(WorkflowStart::workflow)
          .containsExactly(workflow.id());
      clock.advance(Duration.ofHours(1));
      assertThat(executions.due()).isEqualTo(1);
      var entries = store.reading(tx -> tx.journal().stream(Workflow.stream("hourly")));
      assertThat(entries)
          .extracting(entry -> entry.content().kind())
          .containsExactly("workflow.imported", "workflow.unscheduled", "workflow.scheduled");
      take(line("plain", work("work")));
      refused(Code.CONFLICT, () -> workflows.schedule("plain", false, ADA), "nothing starts plain");
    }

    @Test
    void a_message_that_begins_another_workflow_already_is_told_when_one_is_taken_in() {
      Trigger built = new Trigger.Message("built", null, null);
      assertThat(workflows.importJson(json(begun("first", built)), ADA).notes()).isEmpty();
      assertThat(workflows.importJson(json(begun("second", built)), ADA).notes())
          .extracting(Problem::toString)
          .singleElement()
          .asString()
          .contains("start: the message built begins first already");
    }

    @Test
    void work_for_a_profile_that_nobody_knows_is_told_when_it_is_taken_in_and_started() {
      Order order = Order.USUAL.by(new Hands("wizard", null, false));
      Definition drawn = line("magic", work("spell").with(Traits.of(order)));
      Workflows knowing =
          workflows.doneBy(
              (profile, provider) ->
                  profile.equals("wizard")
                      ? Optional.of("there is no profile wizard")
                      : Optional.empty());
      assertThat(workflows.importJson(json(drawn), ADA).notes()).isEmpty();
      List<Problem> notes = knowing.importJson(json(drawn), ADA).notes();
      assertThat(notes).hasSize(1);
      assertThat(notes.get(0).isFatal()).isFalse();
      assertThat(notes.get(0).toString()).contains("spell", "wizard", "there is no profile");
      assertThat(knowing.warnings("magic")).isEqualTo(notes);
    }

    @Test
    void a_step_in_which_very_much_goes_wrong_is_told_in_several_entries() {
      Loop loop = new Loop(false, "items", "item", null, null);
      Yield rules = new Yield(null, List.of(new Rule(null, "missing + size(items)")));
      Node rule =
          node("rule", NodeKind.BUSINESS_RULE_TASK).with(new Traits(null, null, loop, null, rules));
      take(line("wrong", rule));
      WorkflowExecution made = start("wrong", "items", Collections.nCopies(MANY, "x".repeat(20)));
      assertThat(made.status()).isEqualTo(RUNNING);
      assertThat(open(made)).as(String.valueOf(made.standing().error())).hasSize(MANY);
      assertThat(kinds(made.id()))
          .startsWith("workflow.started", "workflow.moved", "workflow.moved");
    }
  }
}
