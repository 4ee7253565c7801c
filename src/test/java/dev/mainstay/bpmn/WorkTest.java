package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.BUSINESS_RULE_TASK;
import static dev.mainstay.bpmn.NodeKind.CALL_ACTIVITY;
import static dev.mainstay.bpmn.NodeKind.RECEIVE_TASK;
import static dev.mainstay.bpmn.NodeKind.SEND_TASK;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static dev.mainstay.bpmn.NodeKind.USER_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTest {
  @Test
  void texts_are_filled_and_what_a_variable_holds_is_taken_as_it_stands() {
    Order order = Order.USUAL.saying("Build {{name}}", "See {{files.main}}: {{note}}");
    Sketch sketch =
        Sketch.started().node("a", SERVICE_TASK, Traits.of(order)).line("start", "a", "end");
    Game game =
        Game.begun(
            sketch, "name", "it", "files", JsonObject.of("main", "A.java"), "note", "{{name}}");
    Order wanted = ((Wish.Work) game.wish("a")).order();
    assertThat(wanted.wording().title()).isEqualTo("Build it");
    assertThat(wanted.wording().description()).isEqualTo("See A.java: {{name}}");
  }

  @Test
  void a_text_that_asks_for_a_missing_variable_is_an_incident() {
    Order order = Order.USUAL.saying("Build {{name}}", "");
    Sketch sketch =
        Sketch.started().node("a", SERVICE_TASK, Traits.of(order)).line("start", "a", "end");
    Game game = Game.begun(sketch);
    assertThat(game.incident("a").load().problem()).contains("name");
    game.retry("a", "name", "it").done("a").endsWell();
  }

  @Test
  void answers_become_variables_and_rules_decide() {
    Yield rules =
        new Yield("speed", List.of(new Rule("urgent", "\"fast\""), new Rule(null, "\"slow\"")));
    Sketch sketch =
        Sketch.started()
            .node("ask", USER_TASK)
            .node("decide", BUSINESS_RULE_TASK, Traits.NONE.giving(rules))
            .line("start", "ask", "decide", "end");
    assertThat(Game.begun(sketch).done("ask", "urgent", true).endsWell().variables().get("speed"))
        .isEqualTo("fast");
    assertThat(Game.begun(sketch).done("ask", "urgent", false).variables().get("speed"))
        .isEqualTo("slow");
  }

  @Test
  void a_called_workflow_gets_the_variables_and_leaves_its_own() {
    Sketch sketch =
        Sketch.started()
            .node("call", CALL_ACTIVITY, Traits.of(new Inner.Call("other")))
            .line("start", "call", "end");
    Game game = Game.begun(sketch, "x", 1);
    assertThat(game.wish("call"))
        .isEqualTo(new Wish.Call("token-1", "other", JsonObject.of("x", 1)));
    game.done("call", "y", 2).endsWell();
    assertThat(game.variables().object("call_result").number("y")).isEqualTo(2);
  }

  @Test
  void a_message_is_sent_with_its_content_and_another_is_waited_for() {
    Trigger told = new Trigger.Message("told", "id", "{\"version\": version}");
    Trigger answer = new Trigger.Message("answer", "id", null);
    Sketch sketch =
        Sketch.started()
            .node("tell", SEND_TASK, Traits.of(told))
            .node("hear", RECEIVE_TASK, Traits.of(answer))
            .line("start", "tell", "hear", "end");
    Game game = Game.begun(sketch, "id", 7, "version", "1.2");
    assertThat(game.sent())
        .extracting(wish -> ((Wish.Send) wish).posting())
        .containsExactly(new Wish.Posting("told", "7", JsonObject.of("version", "1.2")));
    assertThat(((Wish.Listen) game.wish("hear")).correlation()).isEqualTo("7");
    game.arrived("hear", "ok", true).endsWell();
    assertThat(game.variables().object("hear_result").get("ok")).isEqualTo(true);
  }
}
