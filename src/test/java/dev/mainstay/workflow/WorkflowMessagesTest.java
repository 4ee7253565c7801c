package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Executions that have to do with one another by messages. */
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
      Traits traits = Traits.of(new Trigger.Message(name, which, null));
      return node(id, kind).with(traits.giving(new Yield(Yield.FIELDS, List.of())));
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
    void a_message_of_another_execution_is_kept_for_one_that_is_paused() {
      take(asked());
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "please")));
      take(line("sayer", message("say", NodeKind.THROW_EVENT, "please")));
      WorkflowExecution paused = start("wait");
      executions.pause(paused.id(), "later", ADA);
      start("sayer");
      assertThat(executions.list("asked", null, null, 10)).isEmpty();
      executions.resume(paused.id(), ADA);
      assertThat(status(paused)).isEqualTo(COMPLETED);
    }

    @Test
    void a_message_for_one_that_just_got_another_goes_to_the_next() throws Exception {
      take(line("wait", message("hear", NodeKind.CATCH_EVENT, "built")));
      for (int i = 0; i < 3; i++) start("wait");
      Both.atOnce(3, () -> executions.message(sent("built", null, false), BOT));
      executions.due(); // one that found all of them taken at that moment is kept
      assertThat(executions.list("wait", COMPLETED, null, 10)).hasSize(3);
    }
  }
}
