package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.CATCH_EVENT;
import static dev.mainstay.bpmn.NodeKind.END_EVENT;
import static dev.mainstay.bpmn.NodeKind.EVENT_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.What;
import org.junit.jupiter.api.Test;

class TimeAndMessagesTest {
  private static final Trigger TEN_MINUTES = new Trigger.Timer(TimerKind.DURATION, "PT10M");
  private static final Trigger GO = new Trigger.Message("go", null, null);

  @Test
  void a_timer_is_due_after_its_time() {
    Sketch sketch =
        Sketch.started().event("pause", CATCH_EVENT, TEN_MINUTES).line("start", "pause", "end");
    Game game = Game.begun(sketch);
    assertThat(((Wish.Wake) game.wish("pause")).due()).isEqualTo(game.now().plusSeconds(600));
    game.due("pause").endsWell();
  }

  @Test
  void the_first_event_behind_an_event_gateway_wins() {
    Sketch sketch =
        Sketch.started()
            .node("race", EVENT_GATEWAY)
            .event("late", CATCH_EVENT, TEN_MINUTES)
            .event("word", CATCH_EVENT, GO)
            .node("a", SERVICE_TASK)
            .line("start", "race", "late", "end")
            .line("race", "word", "a", "end");
    Game game = Game.begun(sketch);
    assertThat(game.open()).containsExactly("late", "word");
    Happening late = new Happening.Due(game.wanted("late"));
    game.arrived("word");
    assertThat(game.play(late).isIdle()).isTrue();
    assertThat(game.open()).containsExactly("a");
    game.done("a").endsWell();
    assertThat(game.count(What.WITHDRAWN, "late")).isEqualTo(1);
  }

  private Sketch guarded(boolean interrupting, Trigger trigger) {
    return Sketch.started()
        .node("work", SERVICE_TASK)
        .boundary("bell", "work", interrupting, trigger)
        .node("other", SERVICE_TASK)
        .node("end-2", END_EVENT)
        .line("start", "work", "end")
        .line("bell", "other", "end-2");
  }

  @Test
  void an_interrupting_event_ends_its_activity() {
    Game game = Game.begun(guarded(true, TEN_MINUTES)).due("bell");
    assertThat(game.open()).containsExactly("other");
    assertThat(game.count(What.WITHDRAWN, "work")).isEqualTo(1);
    game.done("other").endsWell();
  }

  @Test
  void an_event_that_does_not_interrupt_sets_out_beside_and_a_message_may_come_again() {
    Game game = Game.begun(guarded(false, GO)).arrived("bell").arrived("bell");
    assertThat(game.all("other")).hasSize(2);
    game.done("work").done("other").done("other").endsWell();
  }

  @Test
  void a_cycle_comes_round_as_often_as_it_says() {
    Trigger thrice = new Trigger.Timer(TimerKind.CYCLE, "R3/PT10M");
    Game game = Game.begun(guarded(false, thrice));
    for (int i = 0; i < 3; i++) game.later(600).due("bell");
    assertThat(game.all("other")).hasSize(3);
    assertThat(game.open()).containsExactly("other", "work");
  }

  @Test
  void an_event_beside_an_activity_that_is_done_is_withdrawn() {
    Game game = Game.begun(guarded(true, TEN_MINUTES)).done("work").endsWell();
    assertThat(game.left("bell")).isZero();
  }

  @Test
  void a_timer_may_be_an_expression_and_a_bad_one_is_an_incident() {
    Trigger told = new Trigger.Timer(TimerKind.DURATION, "=pause");
    Sketch sketch = Sketch.started().event("wait", CATCH_EVENT, told).line("start", "wait", "end");
    Game game = Game.begun(sketch, "pause", "soon");
    assertThat(game.incident("wait").load().problem()).contains("\"soon\" is not a duration");
    game.retry("wait", "pause", "PT1S").due("wait").endsWell();
  }

  @Test
  void an_event_behind_an_event_gateway_that_is_skipped_has_won() {
    Trigger bad = new Trigger.Timer(TimerKind.DURATION, "=nowhere");
    Sketch sketch =
        Sketch.started()
            .node("race", EVENT_GATEWAY)
            .event("late", CATCH_EVENT, bad)
            .event("word", CATCH_EVENT, GO)
            .line("start", "race")
            .line("race", "late")
            .line("race", "word");
    Game.begun(sketch).skip("late").endsWell();
  }
}
