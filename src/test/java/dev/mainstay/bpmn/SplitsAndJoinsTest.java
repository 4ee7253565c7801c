package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.END_EVENT;
import static dev.mainstay.bpmn.NodeKind.EXCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.INCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.PARALLEL_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import java.util.List;
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
    assertThat(two.count(What.ENTERED, "end")).isZero();
    two.done("b").endsWell();
    assertThat(two.count(What.ENTERED, "end")).isEqualTo(1);
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

  private static Sketch circle() {
    return Sketch.started()
        .node("a", SERVICE_TASK)
        .node("again", EXCLUSIVE_GATEWAY)
        .node("on", EXCLUSIVE_GATEWAY)
        .line("start", "a")
        .line("a", "again", "on")
        .when("on", "again", "turns > 0")
        .otherwise("on", "end");
  }

  @Test
  void a_circle_in_which_nothing_is_waited_for_is_an_incident_where_it_began() {
    Game game = Game.begun(circle(), "turns", 1).done("a");
    assertThat(game.incident("a").load().problem()).contains("10,000 nodes");
    game.retry("a", "turns", 0).done("a").endsWell();
  }

  @Test
  void a_split_that_multiplies_tokens_without_end_stops() {
    Sketch sketch = Sketch.started().node("m", EXCLUSIVE_GATEWAY).node("p", PARALLEL_GATEWAY);
    sketch.line("start", "m").line("m", "p");
    for (int i = 0; i < 500; i++) {
      sketch.node("b" + i, EXCLUSIVE_GATEWAY).line("p", "b" + i).line("b" + i, "m");
    }
    Game game = Game.begun(sketch);
    assertThat(game.ending()).isNotNull();
    assertThat(game.marking().tokens()).isEmpty();
  }

  @Test
  void what_would_be_too_large_to_keep_is_an_incident_and_the_rest_goes_on() {
    Game game = Game.begun(splitInThree());
    game.done("code-task-1", "text", "x".repeat(600_000));
    game.done("code-task-2", "text", "x".repeat(200_000));
    assertThat(game.incident("code-task-2").load().problem()).contains("of at most 700,000");
    game.done("code-task-3").skip("code-task-2", "text", "short").endsWell();
  }

  @Test
  void what_would_be_nested_too_deeply_to_be_read_again_is_an_incident() {
    Yield deeper = new Yield("x", List.of(new Rule(null, "{\"in\": x}")));
    Sketch sketch =
        Sketch.started()
            .node("a", SERVICE_TASK)
            .node("wrap", NodeKind.BUSINESS_RULE_TASK, Traits.NONE.giving(deeper))
            .node("more", EXCLUSIVE_GATEWAY)
            .line("start", "a")
            .line("a", "wrap", "more")
            .otherwise("more", "a");
    Game game = Game.begun(sketch, "x", 1);
    for (int i = 0; i < 100 && game.all("a").get(0).status() != Token.Status.INCIDENT; i++) {
      game.done("a");
    }
    assertThat(game.incident("a").load().problem()).contains("levels deep");
  }
}
