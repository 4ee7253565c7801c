package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.EXCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import org.junit.jupiter.api.Test;

class WaysTest {
  private Sketch choice() {
    return Sketch.started()
        .node("choice", EXCLUSIVE_GATEWAY)
        .node("a", SERVICE_TASK)
        .node("b", SERVICE_TASK)
        .line("start", "choice")
        .when("choice", "a", "review.approved")
        .when("choice", "b", "!review.approved")
        .line("a", "end")
        .line("b", "end");
  }

  @Test
  void the_first_condition_that_holds_decides() {
    JsonObject yes = JsonObject.of("approved", true);
    assertThat(Game.begun(choice(), "review", yes).open()).containsExactly("a");
    JsonObject no = JsonObject.of("approved", false);
    assertThat(Game.begun(choice(), "review", no).open()).containsExactly("b");
  }

  @Test
  void where_no_condition_holds_the_default_is_taken_and_only_then() {
    Sketch sketch =
        Sketch.started()
            .node("choice", EXCLUSIVE_GATEWAY)
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .line("start", "choice")
            .otherwise("choice", "b")
            .when("choice", "a", "x > 1")
            .line("a", "end")
            .line("b", "end");
    assertThat(Game.begun(sketch, "x", 2).open()).containsExactly("a");
    assertThat(Game.begun(sketch, "x", 1).open()).containsExactly("b");
  }

  @Test
  void a_condition_that_cannot_be_told_is_an_incident_with_expression_and_variables() {
    Game game = Game.begun(choice(), "colour", "blue");
    assertThat(game.incident("choice").load().problem())
        .contains("choice-a")
        .contains("\"review.approved\"")
        .contains("\"colour\":\"blue\"");
    game.retry("choice", "review", JsonObject.of("approved", true));
    assertThat(game.open()).containsExactly("a");
  }

  @Test
  void whoever_skips_a_choice_says_which_way() {
    Game game = Game.begun(choice());
    Token stuck = game.incident("choice");
    assertThat(game.play(new Happening.Skip(stuck.id(), JsonObject.EMPTY)).isIdle()).isTrue();
    game.skip("choice", "take", "choice-b");
    assertThat(game.open()).containsExactly("b");
  }

  @Test
  void a_task_with_several_ways_takes_all_that_are_open() {
    Sketch sketch =
        Sketch.started()
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .node("c", SERVICE_TASK)
            .node("d", SERVICE_TASK)
            .line("start", "a", "b")
            .when("a", "c", "a_result.more")
            .otherwise("a", "d");
    assertThat(Game.begun(sketch).done("a", "more", true).open()).containsExactly("b", "c");
    assertThat(Game.begun(sketch).done("a", "more", false).open()).containsExactly("b", "d");
  }

  @Test
  void a_loop_goes_round_until_its_condition_says_so() {
    Sketch sketch =
        Sketch.started()
            .node("review", SERVICE_TASK)
            .node("good", EXCLUSIVE_GATEWAY)
            .node("fix", SERVICE_TASK)
            .line("start", "review", "good")
            .when("good", "end", "review_result.approved")
            .otherwise("good", "fix")
            .line("fix", "review");
    Game game = Game.begun(sketch);
    for (int i = 0; i < 5; i++) game.done("review", "approved", false).done("fix");
    game.done("review", "approved", true).endsWell();
    assertThat(game.left("review")).isEqualTo(6);
  }
}
