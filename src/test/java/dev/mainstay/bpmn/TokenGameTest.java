package dev.mainstay.bpmn;

import static dev.mainstay.bpmn.NodeKind.AD_HOC_SUB_PROCESS;
import static dev.mainstay.bpmn.NodeKind.BUSINESS_RULE_TASK;
import static dev.mainstay.bpmn.NodeKind.CALL_ACTIVITY;
import static dev.mainstay.bpmn.NodeKind.CATCH_EVENT;
import static dev.mainstay.bpmn.NodeKind.END_EVENT;
import static dev.mainstay.bpmn.NodeKind.EVENT_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.EXCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.INCLUSIVE_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.PARALLEL_GATEWAY;
import static dev.mainstay.bpmn.NodeKind.RECEIVE_TASK;
import static dev.mainstay.bpmn.NodeKind.SEND_TASK;
import static dev.mainstay.bpmn.NodeKind.SERVICE_TASK;
import static dev.mainstay.bpmn.NodeKind.START_EVENT;
import static dev.mainstay.bpmn.NodeKind.SUB_PROCESS;
import static dev.mainstay.bpmn.NodeKind.USER_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TokenGameTest {
  private static final Trigger TEN_MINUTES = new Trigger.Timer(TimerKind.DURATION, "PT10M");
  private static final Trigger GO = new Trigger.Message("go", null, null);

  private static Sketch started() {
    return new Sketch().node("start", START_EVENT).node("end", END_EVENT);
  }

  private static Sketch splitInThree() {
    return started()
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

  @Nested
  class Splits_and_joins {
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
              started()
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
          started()
              .node("choice", EXCLUSIVE_GATEWAY)
              .node("a", SERVICE_TASK)
              .node("b", SERVICE_TASK)
              .node("join", PARALLEL_GATEWAY)
              .line("start", "choice")
              .line("choice", "a", "x == 1")
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
          started()
              .node("some", INCLUSIVE_GATEWAY)
              .node("a", SERVICE_TASK)
              .node("b", SERVICE_TASK)
              .node("c", SERVICE_TASK)
              .node("join", INCLUSIVE_GATEWAY)
              .line("start", "some")
              .line("some", "a", "x > 0")
              .line("some", "b", "x > 1")
              .line("some", "c", "x > 2")
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
          started()
              .node("split", PARALLEL_GATEWAY)
              .node("left", INCLUSIVE_GATEWAY)
              .node("right", INCLUSIVE_GATEWAY)
              .node("l", EXCLUSIVE_GATEWAY)
              .node("r", EXCLUSIVE_GATEWAY)
              .node("end-2", END_EVENT)
              .line("start", "split", "left", "l")
              .line("split", "right", "r")
              .line("l", "right", "false")
              .otherwise("l", "end")
              .line("r", "left", "false")
              .otherwise("r", "end-2");
      Game.begun(sketch).endsWell();
    }

    @Test
    void a_circle_in_which_nothing_is_waited_for_is_an_incident() {
      Sketch sketch =
          started()
              .node("again", EXCLUSIVE_GATEWAY)
              .node("on", EXCLUSIVE_GATEWAY)
              .line("start", "again", "on")
              .line("on", "again", "turns > 0")
              .otherwise("on", "end");
      Game game = Game.begun(sketch, "turns", 1);
      Token token = game.marking().tokens().get(0);
      assertThat(token.load().problem()).contains("10,000 nodes");
      game.play(new Happening.Retry(token.id(), JsonObject.of("turns", 0)));
      game.endsWell();
    }
  }

  @Nested
  class Ways {
    private Sketch choice() {
      return started()
          .node("choice", EXCLUSIVE_GATEWAY)
          .node("a", SERVICE_TASK)
          .node("b", SERVICE_TASK)
          .line("start", "choice")
          .line("choice", "a", "review.approved")
          .line("choice", "b", "!review.approved")
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
          started()
              .node("a", SERVICE_TASK)
              .node("b", SERVICE_TASK)
              .node("c", SERVICE_TASK)
              .node("d", SERVICE_TASK)
              .line("start", "a", "b")
              .line("a", "c", "a_result.more")
              .otherwise("a", "d");
      assertThat(Game.begun(sketch).done("a", "more", true).open()).containsExactly("b", "c");
      assertThat(Game.begun(sketch).done("a", "more", false).open()).containsExactly("b", "d");
    }

    @Test
    void a_loop_goes_round_until_its_condition_says_so() {
      Sketch sketch =
          started()
              .node("review", SERVICE_TASK)
              .node("good", EXCLUSIVE_GATEWAY)
              .node("fix", SERVICE_TASK)
              .line("start", "review", "good")
              .line("good", "end", "review_result.approved")
              .otherwise("good", "fix")
              .line("fix", "review");
      Game game = Game.begun(sketch);
      for (int i = 0; i < 5; i++) game.done("review", "approved", false).done("fix");
      game.done("review", "approved", true).endsWell();
      assertThat(game.left("review")).isEqualTo(6);
    }
  }

  @Nested
  class Work {
    @Test
    void texts_are_filled_and_what_a_variable_holds_is_taken_as_it_stands() {
      Order order = Order.USUAL.saying("Build {{name}}", "See {{files.main}}: {{note}}");
      Sketch sketch = started().node("a", SERVICE_TASK, Traits.of(order)).line("start", "a", "end");
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
      Sketch sketch = started().node("a", SERVICE_TASK, Traits.of(order)).line("start", "a", "end");
      Game game = Game.begun(sketch);
      assertThat(game.incident("a").load().problem()).contains("name");
      game.retry("a", "name", "it").done("a").endsWell();
    }

    @Test
    void answers_become_variables_and_rules_decide() {
      Yield rules =
          new Yield("speed", List.of(new Rule("urgent", "\"fast\""), new Rule(null, "\"slow\"")));
      Sketch sketch =
          started()
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
          started()
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
          started()
              .node("tell", SEND_TASK, Traits.of(told))
              .node("hear", RECEIVE_TASK, Traits.of(answer))
              .line("start", "tell", "hear", "end");
      Game game = Game.begun(sketch, "id", 7, "version", "1.2");
      assertThat(game.sent())
          .extracting(wish -> ((Wish.Send) wish).posting())
          .containsExactly(new Wish.Posting("told", "7", JsonObject.of("version", "1.2")));
      assertThat(((Wish.Listen) game.wish("hear")).correlation()).isEqualTo("7");
      game.arrived("hear", "ok", true).endsWell();
      assertThat(game.variables().get("ok")).isEqualTo(true);
    }
  }

  @Nested
  class Time_and_messages {
    @Test
    void a_timer_is_due_after_its_time() {
      Sketch sketch =
          started().event("pause", CATCH_EVENT, TEN_MINUTES).line("start", "pause", "end");
      Game game = Game.begun(sketch);
      assertThat(((Wish.Wake) game.wish("pause")).due()).isEqualTo(game.now().plusSeconds(600));
      game.due("pause").endsWell();
    }

    @Test
    void the_first_event_behind_an_event_gateway_wins() {
      Sketch sketch =
          started()
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
      return started()
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
      Sketch sketch = started().event("wait", CATCH_EVENT, told).line("start", "wait", "end");
      Game game = Game.begun(sketch, "pause", "soon");
      assertThat(game.incident("wait").load().problem()).contains("\"soon\" is not a duration");
      game.retry("wait", "pause", "PT1S").due("wait").endsWell();
    }
  }

  @Nested
  class Faults {
    private Sketch guarded() {
      return started()
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
      assertThat(Game.begun(guarded()).failed("work", "no such file").open())
          .containsExactly("tell");
    }

    @Test
    void an_error_end_in_a_sub_process_is_caught_outside_and_ends_the_rest() {
      Sketch sketch =
          started()
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
          started()
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
          started()
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
      Sketch sketch = started().node("a", SERVICE_TASK).line("start", "a", "end");
      Game game = Game.begun(sketch);
      String token = game.wanted("a");
      game.failed("a", "broken");
      game.play(new Happening.Done(token, JsonObject.EMPTY));
      game.endsWell();
    }
  }

  @Nested
  class Loops_over_lists {
    private Traits each(boolean sequential, String until) {
      Order order = Order.USUAL.saying("Implement {{endpoint}}", "");
      return Traits.of(order)
          .looped(new Loop(sequential, "endpoints", "endpoint", until, "answers"));
    }

    private Sketch looped(Traits traits) {
      return started().node("work", SERVICE_TASK, traits).line("start", "work", "end");
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

    @Test
    void a_rule_for_each_item_is_done_at_once_however_many() {
      Yield rules = new Yield(null, List.of(new Rule(null, "endpoint * 2")));
      Traits traits =
          Traits.NONE
              .giving(rules)
              .looped(new Loop(true, "endpoints", "endpoint", null, "doubled"));
      Sketch sketch =
          started().node("double", BUSINESS_RULE_TASK, traits).line("start", "double", "end");
      List<Integer> items = IntStream.range(0, 1_000).boxed().toList();
      Game game = Game.begun(sketch, "endpoints", items).endsWell();
      assertThat(game.variables().list("doubled")).hasSize(1_000).contains(1_998L);
    }

    @Test
    void what_a_round_of_a_sub_process_sets_is_its_own() {
      Traits traits = Traits.NONE.looped(new Loop(false, "endpoints", "endpoint", null, "answers"));
      Sketch sketch =
          started()
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
  }

  @Nested
  class Choosing {
    private Sketch adHoc(boolean sequential, String until) {
      Traits traits = Traits.of(new Inner.AdHoc(sequential, until, true));
      return started()
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
}
