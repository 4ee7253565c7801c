package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.BUSINESS_RULE_TASK;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static dev.mainstay.bpmn.NodeKind.SUB_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LoopsTest {
  private Traits each(boolean sequential, String until) {
    Order order = Order.USUAL.saying("Implement {{endpoint}}", "");
    return Traits.of(order).looped(new Loop(sequential, "endpoints", "endpoint", until, "answers"));
  }

  private Sketch looped(Traits traits) {
    return Sketch.started().node("work", SERVICE_TASK, traits).line("start", "work", "end");
  }

  @Test
  void there_is_one_task_for_each_item_and_results_are_in_the_order_of_the_items() {
    Game game = Game.begun(looped(each(false, null)), "endpoints", List.of("a", "b", "c"));
    List<Token> rounds = game.all("work").subList(1, 4);
    assertThat(rounds)
        .extracting(token -> token.load().locals().text("endpoint"))
        .containsExactly("a", "b", "c");
    for (int i = 2; i >= 0; i--) {
      game.play(new Happening.Done(rounds.get(i).id(), JsonObject.of("n", i)));
    }
    assertThat(game.ending()).isNotNull();
    assertThat(game.variables().objects("answers"))
        .extracting(each -> each.number("n"))
        .containsExactly(0L, 1L, 2L);
    assertThat(game.variables().has("work_result")).isFalse();
  }

  @Test
  void one_after_the_other_has_one_open_at_a_time() {
    Game game = Game.begun(looped(each(true, null)), "endpoints", List.of("a", "b", "c"));
    for (String item : List.of("a", "b", "c")) {
      assertThat(game.all("work")).as("the loop and one round of it").hasSize(2);
      Wish.Work work = (Wish.Work) game.wish("work");
      assertThat(work.order().wording().title()).isEqualTo("Implement " + item);
      game.done("work");
    }
    game.endsWell();
  }

  @Test
  void nothing_to_do_is_done_at_once_and_a_list_that_is_none_is_an_incident() {
    Game.begun(looped(each(false, null)), "endpoints", List.of()).endsWell();
    Game game = Game.begun(looped(each(true, null)), "endpoints", "many");
    assertThat(game.incident("work").load().problem()).contains("is no list but \"many\"");
    game.retry("work", "endpoints", List.of("a")).done("work").endsWell();
  }

  @Test
  void enough_is_enough() {
    Game game =
        Game.begun(looped(each(false, "loop_done >= 2")), "endpoints", List.of("a", "b", "c"));
    game.done("work").done("work").endsWell();
    assertThat(game.count(What.WITHDRAWN, "work")).isEqualTo(1);
  }

  @Tag("long")
  @Test
  void a_rule_for_each_item_is_done_at_once_however_many() {
    Yield rules = new Yield(null, List.of(new Rule(null, "endpoint * 2")));
    Traits traits =
        Traits.NONE.giving(rules).looped(new Loop(true, "endpoints", "endpoint", null, "doubled"));
    Sketch sketch =
        Sketch.started().node("double", BUSINESS_RULE_TASK, traits).line("start", "double", "end");
    List<Integer> items = IntStream.range(0, 1_000).boxed().toList();
    Game game = Game.begun(sketch, "endpoints", items).endsWell();
    assertThat(game.variables().texts("doubled")).hasSize(1_000).contains("1998");
  }

  @Test
  void what_a_round_of_a_sub_process_sets_is_its_own() {
    Traits traits = Traits.NONE.looped(new Loop(false, "endpoints", "endpoint", null, "answers"));
    Sketch sketch =
        Sketch.started()
            .node("sub", SUB_PROCESS, traits)
            .line("start", "sub", "end")
            .in("sub")
            .node("code", SERVICE_TASK)
            .node("test", SERVICE_TASK)
            .line("code", "test");
    Game game = Game.begun(sketch, "endpoints", List.of("a", "b"));
    game.done("code", "n", 1).done("code", "n", 2).done("test").done("test").endsWell();
    assertThat(game.variables().objects("answers"))
        .extracting(each -> each.object("code_result").number("n"))
        .containsExactly(1L, 2L);
  }

  @Test
  void an_error_of_one_round_that_is_caught_ends_the_loop() {
    Sketch sketch =
        looped(each(false, null))
            .boundary("any", "work", true, new Trigger.Fault(null))
            .node("mend", SERVICE_TASK)
            .line("any", "mend", "end");
    Game game = Game.begun(sketch, "endpoints", List.of("a", "b")).failed("work", "no");
    assertThat(game.open()).containsExactly("mend");
    game.done("mend").endsWell();
  }

  @Test
  void a_round_of_which_nobody_can_tell_whether_it_is_enough_is_skipped_without_asking() {
    Game game = Game.begun(looped(each(false, "nowhere")), "endpoints", List.of("a", "b"));
    game.done("work").skip("work").done("work").skip("work").endsWell();
  }
}
