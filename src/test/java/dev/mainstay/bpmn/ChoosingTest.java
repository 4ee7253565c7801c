package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.AD_HOC_SUB_PROCESS;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Traits;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoosingTest {
  private Sketch adHoc(boolean sequential, String until) {
    Traits traits = Traits.of(new Inner.AdHoc(sequential, until, true));
    return Sketch.started()
        .node("free", AD_HOC_SUB_PROCESS, traits)
        .line("start", "free", "end")
        .in("free")
        .node("look", SERVICE_TASK)
        .node("mend", SERVICE_TASK)
        .node("test", SERVICE_TASK)
        .line("mend", "test");
  }

  @Test
  void the_agent_chooses_until_it_is_done() {
    Game game = Game.begun(adHoc(false, null));
    assertThat(((Wish.Work) game.wish("free")).order().wording().description())
        .contains("- look: look")
        .contains("- mend: mend")
        .doesNotContain("- test");
    game.done("free", "next", List.of("look", "mend"));
    assertThat(game.open()).containsExactly("look", "mend");
    game.done("mend").done("test").done("look");
    assertThat(game.open()).containsExactly("free");
    game.done("free", "done", true).endsWell();
  }

  @Test
  void a_choice_that_is_none_is_an_incident_and_is_asked_again() {
    Game game = Game.begun(adHoc(true, null)).done("free", "next", "test");
    assertThat(game.incident("free").load().problem()).contains("one of look, mend");
    game.retry("free").done("free", "next", List.of("look", "look"));
    assertThat(game.incident("free")).isNotNull();
    game.retry("free").done("free", "next", "look").done("look");
    game.done("free", "done", true).endsWell();
  }

  @Test
  void its_condition_ends_it() {
    Game game = Game.begun(adHoc(false, "look_result.enough"));
    game.done("free", "next", "look").done("look", "enough", false);
    game.done("free", "next", "look").done("look", "enough", true).endsWell();
  }
}
