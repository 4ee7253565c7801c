package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.END_EVENT;
import static dev.mainstay.bpmn.NodeKind.EXCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.INCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.PARALLEL_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import org.junit.jupiter.api.Test;

class SplitsAndJoinsTest {
  private static Sketch splitInThree() {
    return Sketch.started()
        .node("split-tasks", PARALLEL_GATEWAY)
        .node("code-task-1", SERVICE_TASK)
        .node("code-task-2", SERVICE_TASK)
        .node("code-task-3", SERVICE_TASK)
        .node("join-tasks", PARALLEL_GATEWAY)
        .line("start", "split-tasks", "code-task-1")
        .line("code-task-1", "join-tasks")
        .line("split-tasks", "code-task-2", "join-tasks")
        .line("split-tasks", "code-task-3", "join-tasks")
        .line("join-tasks", "end");
  }

  @Test
  void the_tokens_are_those_of_the_document() {
    Game game = Game.begun(splitInThree()).done("code-task-2", "path", "/tmp/task-2/output.py");

    assertThat(game.marking().tokens())
        .extracting(token -> token.id() + " " + token.position() + " " + token.status())
        .containsExactly(
            "token-1 code-task-1 IN_PROGRESS",
            "token-2 code-task-2 COMPLETED",
            "token-3 code-task-3 IN_PROGRESS");
    assertThat(game.variables().object("code_task_2_result").text("path"))
        .isEqualTo("/tmp/task-2/output.py");
  }

  @Test
  void a_join_waits_for_all_and_goes_on_once() {
    Game game = Game.begun(splitInThree()).done("code-task-1").done("code-task-3");
    assertThat(game.left("join-tasks")).isZero();
    game.done("code-task-2").endsWell();
    assertThat(game.left("join-tasks")).isEqualTo(1);
  }

  @Test
  void what_is_said_twice_happens_once() {
    Game game = Game.begun(splitInThree());
    Happening done = new Happening.Done(game.wanted("code-task-1"), JsonObject.EMPTY);
    game.play(done);
    assertThat(game.play(done).isIdle()).isTrue();
    assertThat(game.play(new Happening.Done("token-99", JsonObject.EMPTY)).isIdle()).isTrue();
    assertThat(game.play(new Happening.Done("nonsense", JsonObject.EMPTY)).isIdle()).isTrue();
    assertThat(game.play(new Happening.Begin(null, JsonObject.EMPTY)).isIdle()).isTrue();
  }

  @Test
  void a_token_that_goes_on_to_more_work_has_another_id() {
    Game game =
        Game.begun(
            Sketch.started()
                .node("a", SERVICE_TASK)
                .node("b", SERVICE_TASK)
                .line("start", "a", "b", "end"));
    String first = game.wanted("a");
    Happening late = new Happening.Done(first, JsonObject.EMPTY);
    game.done("a");
    assertThat(game.wanted("b")).isNotEqualTo(first);
    assertThat(game.play(late).isIdle()).isTrue();
    game.done("b").endsWell();
  }

  @Test
  void a_failed_branch_is_an_incident_and_the_join_fires_when_it_is_mended_or_skipped() {
    Game retried = Game.begun(splitInThree()).done("code-task-1").done("code-task-2");
    retried.failed("code-task-3", "out of memory");
    assertThat(retried.incident("code-task-3").load().problem()).isEqualTo("out of memory");
    assertThat(retried.ending()).isNull();
    retried.retry("code-task-3").done("code-task-3").endsWell();

    Game skipped = Game.begun(splitInThree()).done("code-task-1").done("code-task-2");
    skipped.failed("code-task-3", "out of memory").skip("code-task-3", "path", "none").endsWell();
    assertThat(skipped.variables().object("code_task_3_result").text("path")).isEqualTo("none");
  }

  @Test
  void a_join_that_nothing_can_complete_is_an_incident_that_can_be_skipped() {
    Sketch sketch =
        Sketch.started()
            .node("choice", EXCLUSIVE_GATEWAY)
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .node("join", PARALLEL_GATEWAY)
            .line("start", "choice")
            .when("choice", "a", "x == 1")
            .otherwise("choice", "b")
            .line("a", "join")
            .line("b", "join", "end");
    Game game = Game.begun(sketch, "x", 1).done("a");
    assertThat(game.incident("join").load().problem())
        .isEqualTo("join waits for b-join, and nothing can come there any more");
    game.retry("join");
    assertThat(game.incident("join")).isNotNull();
    game.skip("join").endsWell();
  }

  @Test
  void an_inclusive_join_waits_for_those_that_were_sent_and_no_others() {
    Sketch sketch =
        Sketch.started()
            .node("some", INCLUSIVE_GATEWAY)
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .node("c", SERVICE_TASK)
            .node("join", INCLUSIVE_GATEWAY)
            .line("start", "some")
            .when("some", "a", "x > 0")
            .when("some", "b", "x > 1")
            .when("some", "c", "x > 2")
            .line("a", "join")
            .line("b", "join")
            .line("c", "join", "end");
    Game two = Game.begun(sketch, "x", 2);
    assertThat(two.open()).containsExactly("a", "b");
    two.done("a");
    assertThat(two.ending()).isNull();
    two.done("b").endsWell();
    Game.begun(sketch, "x", 1).done("a").endsWell();
  }

  @Test
  void two_inclusive_joins_that_wait_for_each_other_go_on() {
    Sketch sketch =
        Sketch.started()
            .node("split", PARALLEL_GATEWAY)
            .node("left", INCLUSIVE_GATEWAY)
            .node("right", INCLUSIVE_GATEWAY)
            .node("l", EXCLUSIVE_GATEWAY)
            .node("r", EXCLUSIVE_GATEWAY)
            .node("end-2", END_EVENT)
            .line("start", "split", "left", "l")
            .line("split", "right", "r")
            .when("l", "right", "false")
            .otherwise("l", "end")
            .when("r", "left", "false")
            .otherwise("r", "end-2");
    Game.begun(sketch).endsWell();
  }

  @Test
  void a_circle_in_which_nothing_is_waited_for_is_an_incident() {
    Sketch sketch =
        Sketch.started()
            .node("again", EXCLUSIVE_GATEWAY)
            .node("on", EXCLUSIVE_GATEWAY)
            .line("start", "again", "on")
            .when("on", "again", "turns > 0")
            .otherwise("on", "end");
    Game game = Game.begun(sketch, "turns", 1);
    Token token = game.marking().tokens().get(0);
    assertThat(token.load().problem()).contains("10,000 nodes");
    game.play(new Happening.Retry(token.id(), JsonObject.of("turns", 0)));
    game.endsWell();
  }
}
