package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.END_EVENT;
import static dev.mainstay.bpmn.NodeKind.PARALLEL_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static dev.mainstay.bpmn.NodeKind.START_EVENT;
import static dev.mainstay.bpmn.NodeKind.SUB_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private Sketch guarded() {
    return Sketch.started()
        .node("work", SERVICE_TASK)
        .boundary("red", "work", true, new Trigger.Fault("TESTS_RED"))
        .boundary("any", "work", true, new Trigger.Fault(null))
        .node("fix", SERVICE_TASK)
        .node("tell", SERVICE_TASK)
        .line("start", "work", "end")
        .line("red", "fix", "end")
        .line("any", "tell", "end");
  }

  @Test
  void an_error_is_caught_by_its_code_or_by_whoever_catches_all() {
    assertThat(Game.begun(guarded()).failed("work", "TESTS_RED: 3 of 20").open())
        .containsExactly("fix");
    assertThat(Game.begun(guarded()).failed("work", "no such file").open()).containsExactly("tell");
  }

  @Test
  void an_error_end_in_a_sub_process_is_caught_outside_and_ends_the_rest() {
    Sketch sketch =
        Sketch.started()
            .node("sub", SUB_PROCESS)
            .boundary("caught", "sub", true, new Trigger.Fault("BAD"))
            .node("mend", SERVICE_TASK)
            .line("start", "sub", "end")
            .line("caught", "mend", "end")
            .in("sub")
            .node("begin", START_EVENT)
            .node("split", PARALLEL_GATEWAY)
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .event("bad", END_EVENT, new Trigger.Fault("BAD"))
            .line("begin", "split", "a", "bad")
            .line("split", "b");
    Game game = Game.begun(sketch).done("a");
    assertThat(game.open()).containsExactly("mend");
    assertThat(game.count(What.WITHDRAWN, "b")).isEqualTo(1);
    game.done("mend").endsWell();
  }

  @Test
  void an_error_end_that_nobody_catches_fails_the_execution() {
    Sketch sketch =
        Sketch.started()
            .node("split", PARALLEL_GATEWAY)
            .node("a", SERVICE_TASK)
            .event("bad", END_EVENT, new Trigger.Fault("BAD"))
            .line("start", "split", "bad")
            .line("split", "a", "end");
    Game game = Game.begun(sketch);
    assertThat(game.ending()).isEqualTo(new Step.Ending("BAD", "bad ended with the error BAD"));
    assertThat(game.marking().tokens()).isEmpty();
    assertThat(game.open()).isEmpty();
  }

  @Test
  void a_terminate_end_ends_its_scope_at_once() {
    Sketch sketch =
        Sketch.started()
            .node("sub", SUB_PROCESS)
            .node("after", SERVICE_TASK)
            .line("start", "sub", "after", "end")
            .in("sub")
            .node("begin", START_EVENT)
            .node("split", PARALLEL_GATEWAY)
            .node("a", SERVICE_TASK)
            .node("b", SERVICE_TASK)
            .event("stop", END_EVENT, new Trigger.Terminate())
            .line("begin", "split", "a", "stop")
            .line("split", "b");
    Game game = Game.begun(sketch).done("a");
    assertThat(game.open()).containsExactly("after");
    game.done("after").endsWell();
  }

  @Test
  void work_that_somebody_did_after_all_goes_on() {
    Sketch sketch = Sketch.started().node("a", SERVICE_TASK).line("start", "a", "end");
    Game game = Game.begun(sketch);
    String token = game.wanted("a");
    game.failed("a", "broken");
    game.play(new Happening.Done(token, JsonObject.EMPTY));
    game.endsWell();
  }
}
