package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AdaptationRule;
import dev.mainstay.domain.ExecutionEvent.StepRecorded;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.store.Databases;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AdaptationsTest {
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

    private List<String> adapted() {
      return payloads("exec.adapted").stream()
          .map(payload -> payload.text("setting") + " " + payload.text("value"))
          .toList();
    }

    @Test
    void two_failures_in_a_row_ask_for_review_soon() {
      begun("a", "b", "c");
      run(failed("no"));
      run(failed("no"));
      assertThat(setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("low");
      assertThat(payloads("exec.adapted"))
          .containsExactly(
              JsonObject.of(
                  "setting",
                  "human_review_trigger_level",
                  "value",
                  "low",
                  "rule",
                  AdaptationRule.DOCUMENT_RULES.get(0),
                  "figures",
                  JsonObject.of("consecutive_failures", 2)));
    }

    @Test
    void failures_with_a_success_between_them_are_not_in_a_row() {
      begun("a", "b");
      run(failed("no"));
      run(Report.DONE);
      run(failed("no"));
      assertThat(now().figures().failures()).isEqualTo(2);
      assertThat(setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("medium");
    }

    @Test
    void beyond_four_fifths_of_the_budget_cost_comes_first() {
      begun("a", "b", "c");
      run(using("0.4", "0"));
      assertThat(setting(Setting.PRIORITY)).as("exactly 80 %").isEqualTo("quality");
      run(using("0.01", "0"));
      assertThat(setting(Setting.PRIORITY)).isEqualTo("cost_efficiency");
      JsonObject figures = payloads("exec.adapted").get(0).object("figures");
      assertThat(figures.text("cost")).isEqualTo("0.41");
      assertThat(figures.text("budget")).isEqualTo("0.5");
    }

    @Test
    void after_200_seconds_speed_comes_first() {
      begun("a", "b");
      run(using("0", "200"));
      assertThat(setting(Setting.PRIORITY)).isEqualTo("quality");
      run(using("0", "0.001"));
      assertThat(setting(Setting.PRIORITY)).isEqualTo("speed_and_clarity");
      assertThat(payloads("exec.adapted").get(0).object("figures").text("time"))
          .isEqualTo("200.001");
    }

    @Test
    void a_rule_acts_when_its_condition_begins_to_hold_and_again_after_it_had_stopped() {
      begun("a", "b", "c", "d", "e", "f");
      run(failed("no"));
      run(failed("no"));
      executions.set(ONE, Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "high", ADA);
      run(failed("no"));
      assertThat(setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL))
          .as("a person said otherwise, and the rule has acted")
          .isEqualTo("high");
      run(Report.DONE);
      run(failed("no"));
      run(failed("no"));
      assertThat(setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("low");
      assertThat(adapted()).hasSize(2);
    }

    @Test
    void a_rule_of_somebodys_own_is_asked_in_cel() {
      begun("a", "b", "c");
      rules(
          "If steps_completed * 2 >= steps_total && mode == \"EXECUTION\" -> set priority to quality",
          "If steps_completed >= 2 => set error_tolerance to \"strict\"");
      run(Report.DONE);
      assertThat(setting(Setting.ERROR_TOLERANCE)).isEqualTo("moderate");
      run(Report.DONE);
      assertThat(setting(Setting.ERROR_TOLERANCE)).isEqualTo("strict");
      assertThat(payloads("exec.adapted").get(0).object("figures"))
          .isEqualTo(JsonObject.of("steps_completed", 2));
    }

    @Test
    void a_rule_that_cannot_be_read_does_not_stop_the_others() {
      begun("a", "b");
      rules(
          "When the moon is full, sing",
          "If cost > \"much\" -> set priority to \"quality\"",
          "If failures > 0 -> set no_such_thing to \"x\"",
          "If failures > 0 -> set priority to \"nothing of the kind\"",
          "If failures > 0 -> set error_tolerance to \"strict\"");
      run(failed("no"));
      assertThat(adapted()).containsExactly("error_tolerance strict");
      for (int i = 0; i < 4; i++) {
        assertThat(Executions.problem(now().constraints().rules().get(i))).isNotBlank();
      }
      assertThat(Executions.problem(now().constraints().rules().get(4))).isNull();
    }

    @Test
    void a_rule_that_would_loosen_only_asks() {
      begun("a", "b");
      rules(
          "If failures >= 1 -> set max_cost_per_task to $5.00",
          "If failures >= 1 -> set human_review_trigger_level to \"high\"");
      Outcome outcome = run(failed("no"));
      assertThat(outcome.review()).isTrue();
      assertThat(adapted()).isEmpty();
      assertThat(now().review().open())
          .extracting(Proposal::what)
          .containsExactly("max_cost_per_task", "human_review_trigger_level");
      executions.set(ONE, Setting.MAX_COST_PER_TASK, "5", BOT);
      assertThat(now().review().open()).as("the same in another spelling").hasSize(2);
      executions.settle(ONE, 1, false, ADA);
      run(failed("no"));
      assertThat(now().review().open()).as("it stands, and was turned down").hasSize(1);
    }

    @Test
    void a_rule_may_set_off_another() {
      begun("a", "b");
      rules(
          "If priority is \"cost_efficiency\" -> set active_persona to \"detailed_analyst\"",
          "If active_persona is \"detailed_analyst\" -> set error_tolerance to \"flexible\"",
          "If failures >= 1 -> set priority to \"cost_efficiency\"");
      run(failed("no"));
      assertThat(adapted())
          .containsExactly(
              "priority cost_efficiency",
              "active_persona detailed_analyst",
              "error_tolerance flexible");
      run(Report.DONE);
      assertThat(adapted()).hasSize(3);
    }

    @Test
    void rules_that_chase_each_other_come_to_an_end() {
      begun("a", "b");
      rules(
          "If priority is \"quality\" -> set priority to \"comprehensiveness\"",
          "If priority is \"comprehensiveness\" -> set priority to \"quality\"");
      run(Report.DONE);
      run(Report.DONE);
      assertThat(adapted()).hasSizeLessThan(100);
      assertThat(now().isLive()).isTrue();
    }

    @Test
    void one_word_of_praise_sets_off_a_rule_once() {
      begun("a");
      rules(
          "If user provides positive feedback -> set user_sentiment to \"pleased\"",
          "If user_sentiment is \"pleased\" -> set user_sentiment to \"neutral\"");
      executions.feedback(ONE, "well done", null, ADA);
      assertThat(adapted()).containsExactly("user_sentiment pleased", "user_sentiment neutral");
    }

    @Test
    void a_rule_may_be_about_the_pause_that_a_limit_makes() {
      begun("a", "b");
      rules("If status is \"PAUSED\" -> set user_sentiment to \"impatient\"");
      run(using("0.6", "0"));
      assertThat(adapted()).containsExactly("user_sentiment impatient");
    }

    @Test
    void what_was_true_elsewhere_is_taken_over_without_acting_on_it_again() {
      begun("a", "b");
      var record =
          new StepRecord(1, clock.instant(), false, Spent.NOTHING, Map.of(Field.ERRORS, "no"));
      var twice = List.of(new StepRecorded(record), new StepRecorded(record));
      given(
          tx -> {
            tx.tasks().lock(ONE);
            var before = tx.dossiers().get(ONE);
            ExecutionWriting.recordAsItWas(tx, ONE, before, twice, ADA);
          });
      assertThat(now().review().standing()).containsExactly(AdaptationRule.DOCUMENT_RULES.get(0));
      run(failed("no"));
      assertThat(adapted()).isEmpty();
      assertThat(now().figures().consecutiveFailures()).isEqualTo(3);
    }

    @Test
    void nothing_follows_once_it_is_over() {
      begun("a", "b");
      run(failed("no"));
      executions.finish(ONE, false, null, ADA);
      rules("If failures >= 1 -> set error_tolerance to \"strict\"");
      assertThat(adapted()).isEmpty();
    }
  }
}
