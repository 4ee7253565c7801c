package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.ConstraintEvent.Proposed;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Review;
import dev.mainstay.domain.ExecutionEvent.StepRecorded;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.state.StepWork.Usage;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who may do what in an execution, and how much of it. */
class ExecutionLimitsTest {
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

  abstract static class Contract extends OnExecution {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void a_limit_lowered_below_what_is_used_up_pauses_at_once() {
      begun("a", "b");
      run(using("0.3", "0"));
      Outcome outcome = executions.set(ONE, Setting.MAX_COST_PER_TASK, "0.1", BOT);
      assertThat(outcome.review()).isTrue();
      assertThat(status()).isEqualTo(ExecutionStatus.PAUSED);
    }

    @Test
    void who_does_not_hold_the_task_starts_and_finishes_nothing() {
      begun("a");
      var holder = BOT.withFence(hold(ONE).fence());
      var late = BOT.withFence(holder.fence() - 1);
      refused(Code.LEASE_LOST, () -> work.start(ONE, null, late));
      work.start(ONE, null, holder);
      refused(Code.LEASE_LOST, () -> work.finish(ONE, Report.DONE, late));
      refused(Code.LEASE_LOST, () -> executions.set(ONE, Setting.PRIORITY, "quality", late));
      work.finish(ONE, Report.DONE, holder);
      executions.pause(ONE, null, ADA);
    }

    @Test
    void beginning_anew_is_no_way_around_a_limit() {
      begun("a", "b");
      run(using("0.6", "0"));
      refused(Code.CONFLICT, () -> executions.finish(ONE, false, null, BOT), "only a person ends");
      executions.finish(ONE, false, null, ADA);
      refused(
          Code.CONFLICT,
          () -> begin(ExecutionMode.EXECUTION, null, BOT),
          "max_cost_per_task",
          "only a person");
      begin(ExecutionMode.EXECUTION, null, ADA);
      assertThat(now().figures().total().isNothing()).isTrue();
    }

    @Test
    void another_step_than_the_one_under_way_is_not_finished() {
      begun("a", "b");
      work.start(ONE, null, BOT);
      var other = new Report(Map.of(), Usage.UNKNOWN, JsonObject.EMPTY, 2);
      refused(Code.CONFLICT, () -> work.finish(ONE, other, BOT), "step 2 was not started");
    }

    @Test
    void secrets_in_a_report_do_not_reach_the_journal() {
      String secret = "gh" + "p_" + "a1B2c3D4" + "e5F6g7H8" + "i9J0k1L2" + "m3N4o5P6" + "q7R8";
      begun("a");
      work.start(ONE, null, BOT);
      var report =
          new Report(
              Map.of(Field.REAL_OUTPUTS, "it said " + secret, Field.ERRORS, secret),
              Usage.UNKNOWN,
              JsonObject.of("token", secret),
              null);
      work.finish(ONE, report, BOT);
      executions.feedback(ONE, "well done with " + secret, true, ADA);
      executions.pause(ONE, "because of " + secret, ADA);
      String journal = store.reading(tx -> tx.journal().stream(ONE.stream())).toString();
      assertThat(journal).contains("[redacted:").doesNotContain(secret);
    }

    @Test
    void an_accepted_lift_ends_a_binding_order_and_a_rejected_one_does_not() {
      begun("a");
      states.addDirective(ONE, "ask first", true, ADA);
      decide(new Proposed(1, Proposal.Kind.LIFT, "ask first", ""));
      executions.settle(ONE, 1, false, ADA);
      assertThat(states.load(ONE).directives().binding()).hasSize(1);
      decide(new Proposed(2, Proposal.Kind.LIFT, "ask first", ""));
      executions.settle(ONE, 2, true, ADA);
      assertThat(states.load(ONE).directives().items()).isEmpty();
      decide(new Proposed(3, Proposal.Kind.LIFT, "ask first", ""));
      executions.settle(ONE, 3, true, ADA);
      assertThat(now().review().open()).as("it was gone already").isEmpty();
    }

    @Test
    void so_many_proposals_wait_and_no_more_and_rules_go_on() {
      begun("a", "b");
      List<Event> asked = new ArrayList<>();
      for (int i = 1; i <= Review.OPEN_MAX; i++) {
        asked.add(new Proposed(i, Proposal.Kind.STEP, "step " + i, ""));
      }
      decide(asked.toArray(new Event[0]));
      refused(
          Code.CONFLICT,
          () -> executions.set(ONE, Setting.MAX_WEB_REQUESTS, "9", BOT),
          "mainstay exec accept");
      rules(
          "If failures >= 1 -> set max_web_requests to 9",
          "If failures >= 1 -> set error_tolerance to \"strict\"");
      run(failed("no"));
      assertThat(setting(Setting.ERROR_TOLERANCE)).isEqualTo("strict");
      assertThat(now().review().open()).hasSize(Review.OPEN_MAX);
    }

    @Test
    void the_history_has_an_end() {
      begun("a");
      var at = clock.instant();
      Event one = new StepRecorded(new StepRecord(1, at, false, Spent.NOTHING, Map.of()));
      decide(Collections.nCopies(Execution.RECORDS_MAX, one).toArray(new Event[0]));
      work.start(ONE, null, ADA);
      refused(Code.TOO_LARGE, () -> work.finish(ONE, Report.DONE, ADA), "begin another");
    }

    @Test
    void going_back_gives_nothing_back_that_was_used_up_and_a_fork_has_no_execution() {
      begun("a", "b");
      run(setting(JsonObject.of("x", 1)));
      var checkpoints = new Checkpoints(store);
      checkpoints.save(ONE, "before", ADA);
      work.start(ONE, null, ADA);
      var usage = new Usage(new BigDecimal("0.2"), BigDecimal.ONE, 1L, 1L);
      work.finish(ONE, new Report(Map.of(), usage, JsonObject.of("x", 2), null), ADA);
      var figures = now().figures();
      checkpoints.restore(ONE, new Moment("before"), ADA);
      assertThat(now().pages().variables().number("x")).isEqualTo(1);
      assertThat(now().figures()).isEqualTo(figures);
      assertThat(stepStatus(2)).isEqualTo(StepStatus.TODO);
      assertThat(executions.view(ONE).history()).hasSize(2);
      var fork = checkpoints.fork(ONE, Moment.NOW, null, ADA).id();
      refused(Code.NOT_FOUND, () -> executions.view(fork), "no execution");
    }

    @Test
    void what_was_estimated_is_compared_with_what_all_tries_took() {
      begun();
      var outlook = new Outlook(new BigDecimal("0.10"), new BigDecimal("5"), "");
      var details = new StepDetails("", "", List.of(), List.of(), outlook);
      plan(Step.todo("a").with(details), Step.todo("b").with(details), Step.todo("c"));
      run(using("0.04", "3"));
      work.start(ONE, 1, ADA);
      work.finish(ONE, using("0.05", "4"), ADA);
      StepComparison compared = StepComparison.of(executions.view(ONE));
      assertThat(compared.cost()).isEqualByComparingTo("0.09");
      assertThat(compared.time()).isEqualByComparingTo("7");
      assertThat(compared.estimatedCost()).isEqualByComparingTo("0.2");
      assertThat(compared.estimatedTime()).isEqualByComparingTo("10");
      assertThat(compared.rows()).extracting(StepComparison.Row::records).containsExactly(2, 0, 0);
      assertThat(compared.rows().get(1).cost()).as("nothing is known").isNull();
    }
  }
}
