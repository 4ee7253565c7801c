package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowExecution.Status.CANCELLED;
import static dev.mainstay.domain.WorkflowExecution.Status.COMPLETED;
import static dev.mainstay.domain.WorkflowExecution.Status.PAUSED;
import static dev.mainstay.domain.WorkflowExecution.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.store.Databases;
import dev.mainstay.workflow.ExecutionView.Visit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkflowExecutionsTest {
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

    private static Node work(String id) {
      return node(id, NodeKind.SERVICE_TASK);
    }

    private static Node question(String id, String... answers) {
      Wording wording = new Wording("May it go out?", "", List.of(answers));
      return node(id, NodeKind.USER_TASK)
          .with(Traits.of(new Order(Order.TYPE, 0, wording, Hands.ANY, JsonObject.EMPTY)));
    }

    @Test
    void three_tokens_work_at_once_and_go_on_together() {
      take(threefold());
      WorkflowExecution made = start("threefold");
      assertThat(made.status()).isEqualTo(RUNNING);
      assertThat(made.standing().node()).isEqualTo("code-task-1");
      complete(task(made, "code-task-2"), "path", "/tmp/task-2/output.py");
      List<JsonObject> tokens = now(made).standing().data().objects("tokens");
      assertThat(tokens)
          .extracting(token -> token.text("position") + " " + token.text("status"))
          .containsExactly(
              "code-task-1 IN_PROGRESS", "code-task-2 COMPLETED", "code-task-3 IN_PROGRESS");
      assertThat(variable(made, "code_task_2_result"))
          .isEqualTo(JsonObject.of("path", "/tmp/task-2/output.py"));
      complete(task(made, "code-task-1"));
      complete(task(made, "code-task-3"));
      WorkflowExecution after = now(made);
      assertThat(after.status()).isEqualTo(COMPLETED);
      assertThat(after.standing().node()).isNull();
      assertThat(after.stamps().completedAt()).isNotNull();
      assertThat(all()).hasSize(3);
      assertThat(kinds(made.id()))
          .containsExactly(
              "workflow.started",
              "workflow.moved",
              "workflow.moved",
              "workflow.moved",
              "workflow.moved");
      assertThat(store.<String>reading(tx -> tx.workflows().ofSession("session").orElseThrow()))
          .isEqualTo(made.workflow());
    }

    @Test
    void the_task_says_what_is_to_be_done_for_whom() {
      Order order =
          new Order(
              "REVIEW",
              7,
              new Wording("Review {{what}}", "All of {{what}}", List.of()),
              new Hands("reviewer", null, true),
              JsonObject.of("area", "{{what}}"));
      take(line("review", work("look").with(Traits.of(order))));
      WorkflowExecution made = start("review", "what", "the parser");
      Task task = tasks.show(task(made, "look"));
      assertThat(task.title()).isEqualTo("Review the parser");
      assertThat(task.brief().description()).isEqualTo("All of the parser");
      assertThat(task.brief().type().name()).isEqualTo("REVIEW");
      assertThat(task.brief().priority()).isEqualTo(7);
      assertThat(task.brief().metadata().text("area")).isEqualTo("the parser");
      assertThat(task.links().workflow()).isEqualTo(made.workflow());
      Delegation wanted = store.reading(tx -> tx.delegations().get(task.id()));
      assertThat(wanted.caller()).isEqualTo("person:ada");
      assertThat(wanted.wish().profile()).isEqualTo("reviewer");
      assertThat(wanted.wish().worktree()).isTrue();
      assertThat(wanted.wish().site()).isEqualTo(new Delegation.Site("here", "session", "/work"));
    }

    @Test
    void a_task_that_cannot_be_made_is_an_incident_and_nothing_is_lost() {
      Order order = Order.USUAL.saying("{{title}}", "");
      take(line("long", work("first"), work("second").with(Traits.of(order))));
      WorkflowExecution made = start("long", "title", "x".repeat(300));
      complete(task(made, "first"));
      assertThat(open(made)).extracting(ExecutionView.Open::what).containsExactly("INCIDENT");
      assertThat(now(made).standing().error()).contains("title");
      executions.retry(made.id(), "second", JsonObject.of("title", "short"), ADA);
      assertThat(tasks.show(task(made, "second")).title()).isEqualTo("short");
      assertThat(now(made).standing().error()).isNull();
    }

    @Test
    void a_failed_task_is_an_incident_that_is_tried_again_with_a_new_one() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      TaskId first = task(made, "work");
      fail(first, "the disk is full");
      assertThat(now(made).standing().error()).contains("the disk is full");
      assertThat(now(made).standing().node()).isEqualTo("work");
      refused(
          Code.CONFLICT,
          () -> executions.retry(made.id(), "start", JsonObject.EMPTY, ADA),
          "but at work");
      executions.retry(made.id(), "work", JsonObject.EMPTY, BOT);
      TaskId second = task(made, "work");
      assertThat(second).isNotEqualTo(first);
      assertThat(status(first)).isEqualTo(TaskStatus.FAILED);
      complete(second);
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void a_failed_task_that_somebody_tries_again_himself_still_moves_its_token() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      TaskId task = task(made, "work");
      fail(task, "not yet");
      tasks.retry(task, "now it can be", ADA);
      refused(
          Code.CONFLICT,
          () -> executions.retry(made.id(), "work", JsonObject.EMPTY, ADA),
          "is being tried again already");
      complete(task);
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(all()).hasSize(1);
    }

    @Test
    void a_task_that_was_replaced_is_not_tried_again() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      TaskId first = task(made, "work");
      fail(first, "broken");
      executions.retry(made.id(), "work", JsonObject.EMPTY, ADA);
      refused(
          Code.CONFLICT,
          () -> tasks.retry(first, "somebody wants it, too", ADA),
          "goes on without it");
      assertThat(status(made)).isEqualTo(RUNNING);
      complete(task(made, "work"), "new", true);
      assertThat(variable(made, "work_result")).isEqualTo(JsonObject.of("new", true));
    }

    @Test
    void a_task_cancelled_by_hand_is_an_incident_that_a_person_may_skip() {
      take(line("plain", work("work"), work("next")));
      WorkflowExecution made = start("plain");
      tasks.cancel(task(made, "work"), "nobody needs it", ADA);
      assertThat(now(made).standing().error()).contains("nobody needs it");
      refused(
          Code.CONFLICT,
          () -> executions.skip(made.id(), "work", JsonObject.EMPTY, BOT),
          "only a person");
      executions.skip(made.id(), "work", JsonObject.of("guessed", true), ADA);
      assertThat(variable(made, "work_result")).isEqualTo(JsonObject.of("guessed", true));
      complete(task(made, "next"));
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void a_task_that_somebody_tries_again_is_wanted_no_more_when_it_is_skipped() {
      take(line("plain", work("work"), work("next")));
      WorkflowExecution made = start("plain");
      TaskId task = task(made, "work");
      fail(task, "broken");
      tasks.retry(task, "once more", ADA);
      executions.skip(made.id(), "work", JsonObject.EMPTY, ADA);
      assertThat(status(task)).isEqualTo(TaskStatus.CANCELLED);
      complete(task(made, "next"));
      assertThat(status(made)).isEqualTo(COMPLETED);
      assertThat(store.<Integer>reading(tx -> tx.workflowWaits().of(made.id()).size())).isZero();
    }

    @Test
    void a_step_with_very_much_to_tell_is_told_in_several_entries() {
      String in = "in_" + "x".repeat(94);
      String out = "out_" + "x".repeat(94);
      String round = "each_" + "x".repeat(150);
      Loop loop = new Loop(false, "items", "item", null, null);
      Traits each = new Traits(null, null, loop, null, Yield.USUAL);
      List<Node> nodes =
          List.of(
              node("start", NodeKind.START_EVENT),
              node(round, NodeKind.SUB_PROCESS).with(each),
              node(in, NodeKind.START_EVENT).with(Frame.in(round)),
              node(out, NodeKind.END_EVENT).with(Frame.in(round)),
              node("end", NodeKind.END_EVENT));
      List<Edge> edges = new ArrayList<>(path("start", round, "end"));
      edges.addAll(path(in, out));
      take(new Definition("many", "", nodes, edges));
      WorkflowExecution made = start("many", "items", Collections.nCopies(1_000, "x"));
      assertThat(made.status()).isEqualTo(COMPLETED);
      assertThat(kinds(made.id()))
          .startsWith("workflow.started", "workflow.moved", "workflow.moved");
      List<Visit> visits = executions.show(made.id()).visits();
      assertThat(visits).filteredOn(visit -> visit.node().equals(out)).hasSize(1_000);
      assertThat(visits).filteredOn(visit -> visit.node().equals("end")).hasSize(1);
      assertThat(visits).allSatisfy(visit -> assertThat(visit.left()).isNotNull());
    }

    @Test
    void results_that_come_while_it_is_paused_count_when_it_goes_on() {
      take(line("plain", work("work"), question("ask"), work("next")));
      WorkflowExecution made = start("plain");
      executions.pause(made.id(), "lunch", ADA);
      assertThat(status(made)).isEqualTo(PAUSED);
      complete(task(made, "work"), "n", 1);
      assertThat(variable(made, "work_result")).isNull();
      refused(Code.CONFLICT, () -> executions.pause(made.id(), "again", ADA), "already");
      executions.resume(made.id(), ADA);
      assertThat(variable(made, "work_result")).isEqualTo(JsonObject.of("n", 1));
      executions.pause(made.id(), "tea", ADA);
      executions.answer(made.id(), "ask", JsonObject.of("ok", true), ADA);
      assertThat(executions.questions(10)).isEmpty();
      refused(
          Code.CONFLICT,
          () -> executions.answer(made.id(), "ask", JsonObject.of("ok", false), ADA),
          "asks nothing");
      executions.resume(made.id(), ADA);
      assertThat(variable(made, "ok")).isEqualTo(true);
      refused(Code.CONFLICT, () -> executions.resume(made.id(), ADA), "only a paused one");
      complete(task(made, "next"));
      assertThat(status(made)).isEqualTo(COMPLETED);
      refused(Code.CONFLICT, () -> executions.pause(made.id(), "late", ADA), "COMPLETED");
    }

    @Test
    void a_person_answers_with_what_may_be_answered() {
      take(line("release", question("approve", "yes", "no")));
      WorkflowExecution made = start("release");
      assertThat(executions.questions(10))
          .singleElement()
          .satisfies(
              asked -> {
                assertThat(asked.text()).isEqualTo("May it go out?");
                assertThat(asked.answers()).containsExactly("yes", "no");
                assertThat(asked.node()).isEqualTo("approve");
              });
      JsonObject yes = JsonObject.of("answer", "yes");
      refused(
          Code.CONFLICT, () -> executions.answer(made.id(), "approve", yes, BOT), "only a person");
      refused(
          Code.INVALID,
          () -> executions.answer(made.id(), "approve", JsonObject.of("answer", "perhaps"), ADA),
          "yes, no");
      executions.answer(made.id(), "approve", yes, ADA);
      assertThat(variable(made, "answer")).isEqualTo("yes");
      assertThat(status(made)).isEqualTo(COMPLETED);
    }

    @Test
    void a_cancelled_execution_wants_none_of_its_tasks_any_more() {
      take(threefold());
      WorkflowExecution made = start("threefold");
      complete(task(made, "code-task-1"));
      refused(Code.CONFLICT, () -> executions.cancel(made.id(), "enough", BOT), "only a person");
      executions.cancel(made.id(), "enough", ADA);
      assertThat(status(made)).isEqualTo(CANCELLED);
      assertThat(now(made).standing().error()).isEqualTo("enough");
      assertThat(all())
          .extracting(Task::status)
          .containsExactly(TaskStatus.COMPLETED, TaskStatus.CANCELLED, TaskStatus.CANCELLED);
      assertThat(open(made)).isEmpty();
      assertThat(store.<Integer>reading(tx -> tx.workflowWaits().of(made.id()).size())).isZero();
    }

    @Test
    void the_trail_tells_who_was_where_and_for_how_long() {
      take(line("plain", work("work")));
      WorkflowExecution made = start("plain");
      fail(task(made, "work"), "broken");
      executions.retry(made.id(), "work", JsonObject.EMPTY, ADA);
      complete(task(made, "work"));
      List<Visit> visits =
          executions.show(made.id()).visits().stream()
              .filter(visit -> visit.node().equals("work"))
              .toList();
      assertThat(visits)
          .extracting(
              visit ->
                  visit.entered().what()
                      + " "
                      + visit.entered().by()
                      + " "
                      + visit.left().what()
                      + " "
                      + visit.left().by())
          .containsExactly(
              "ENTERED person:ada FAILED agent:bot", "RETRIED person:ada LEFT agent:bot");
    }

    @Test
    void the_same_request_starts_once() {
      take(threefold());
      NewExecution wanted =
          new NewExecution("threefold", "s", "here", Path.of("/work"), JsonObject.EMPTY);
      WorkflowExecution first = executions.start(wanted, ADA.withKey("k"));
      assertThat(executions.start(wanted, ADA.withKey("k"))).isEqualTo(first);
      assertThat(executions.list("threefold", RUNNING, null, 10)).hasSize(1);
      assertThat(all()).hasSize(3);
    }

    /** The session is named after the folder, and each server has one of its own. */
    @Test
    void a_request_that_is_repeated_at_another_server_starts_once() {
      take(threefold());
      var call = ADA.withKey("k");
      Path one = Path.of("/projects/one");
      Path two = Path.of("/projects/two");
      var first = new NewExecution("threefold", SessionName.of(one), "here", one, JsonObject.EMPTY);
      var again =
          new NewExecution("threefold", SessionName.of(two), "there", two, JsonObject.EMPTY);
      assertThat(executions.start(again, call)).isEqualTo(executions.start(first, call));
      var other = new NewExecution("threefold", "nightly", "here", one, JsonObject.EMPTY);
      assertThatThrownBy(() -> executions.start(other, call))
          .hasMessageContaining("another request");
    }

    @Test
    void the_newest_come_first_in_lists() {
      take(threefold());
      WorkflowExecution first = start("threefold");
      clock.advance(Duration.ofSeconds(1));
      WorkflowExecution second = start("threefold@1");
      clock.advance(Duration.ofSeconds(1));
      WorkflowExecution third = start(second.workflow());
      assertThat(executions.list("threefold", null, null, 2))
          .extracting(WorkflowExecution::id)
          .containsExactly(third.id(), second.id());
      assertThat(executions.list(null, RUNNING, second.id(), 2))
          .extracting(WorkflowExecution::id)
          .containsExactly(first.id());
      assertThat(executions.list("other", null, null, 2)).isEmpty();
      assertThat(workflows.list(null, 10))
          .singleElement()
          .satisfies(each -> assertThat(each.live()).isEqualTo(3));
    }

    @Test
    void what_is_not_there_is_refused() {
      refused(Code.NOT_FOUND, () -> start("nowhere"), "no workflow nowhere");
      refused(Code.NOT_FOUND, () -> executions.show("exec-1"), "no execution exec-1");
      refused(Code.NOT_FOUND, () -> executions.cancel("exec-1", "x", ADA), "no execution exec-1");
    }

    @Test
    void secrets_among_variables_are_not_kept() {
      take(line("plain", work("work")));
      String secret = "ghp" + "_" + "a1B2".repeat(9);
      WorkflowExecution made = start("plain", "note", "use " + secret);
      assertThat(String.valueOf(variable(made, "note"))).doesNotContain(secret);
    }
  }
}
