package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.state.StepWork.Started;
import dev.mainstay.state.StepWork.Usage;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StepWorkTest {
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

    private static Step step(String label, String tool, Param... inputs) {
      var details = new StepDetails("part", tool, List.of(inputs), List.of(), Outlook.NONE);
      return Step.todo(label).with(details);
    }

    private List<StepRecord> history() {
      return executions.view(ONE).history();
    }

    private static Spent spent(String cost, String time, long files, long web) {
      return new Spent(new BigDecimal(cost), new BigDecimal(time), files, web);
    }

    private void seen(Spent spent) {
      decide(new ExecutionEvent.ToolsSeen(spent, "Read"));
    }

    @Test
    void the_first_start_sets_out_and_makes_the_step_active() {
      begun("a", "b");
      Started started = work.start(ONE, null, BOT);
      assertThat(started.step()).isEqualTo(1);
      assertThat(started.waitsFor()).isNull();
      assertThat(status()).isEqualTo(ExecutionStatus.IN_PROGRESS);
      assertThat(stepStatus(1)).isEqualTo(StepStatus.ACTIVE);
      assertThat(work.start(ONE, 1, BOT).outcome().isChange()).as("under way already").isFalse();
      refused(Code.CONFLICT, () -> work.start(ONE, 2, BOT), "step 1 is under way");
      refused(Code.NOT_FOUND, () -> work.start(ONE, 3, BOT), "there is no step 3");
    }

    @Test
    void a_plan_without_steps_and_one_without_open_steps_say_what_to_do() {
      begun();
      refused(Code.CONFLICT, () -> work.start(ONE, null, BOT), "plan.md", "mainstay plan set");
      states.setPlan(ONE, List.of("a"), ADA);
      refused(Code.CONFLICT, () -> work.finish(ONE, Report.DONE, BOT), "no step was started");
      run(Report.DONE);
      refused(Code.CONFLICT, () -> work.start(ONE, null, BOT), "mainstay exec finish");
    }

    @Test
    void an_entry_has_all_nine_fields_as_they_were_said() {
      begun("a");
      work.start(ONE, null, BOT);
      Map<Field, String> texts = new EnumMap<>(Field.class);
      for (Field field : Field.values()) texts.put(field, "the " + field.key());
      Usage usage = new Usage(new BigDecimal("0.12"), new BigDecimal("7.5"), 2L, 3L);
      work.finish(ONE, new Report(texts, usage, JsonObject.EMPTY, 1), BOT);
      StepRecord record = history().get(0);
      assertThat(record.step()).isEqualTo(1);
      assertThat(record.simulated()).isFalse();
      assertThat(record.texts()).isEqualTo(texts);
      assertThat(record.spent()).isEqualTo(spent("0.12", "7.5", 2, 3));
      assertThat(now().figures().total()).isEqualTo(record.spent());
      assertThat(now().head().running()).isNull();
      assertThat(step(1).note()).isEqualTo("the errors");
    }

    @Test
    void what_nobody_said_is_taken_from_what_is_known() {
      begun();
      plan(step("a", "WebFetch", new Param("url", "https://x.test")));
      work.start(ONE, null, BOT);
      clock.advance(Duration.ofMillis(12_500));
      work.finish(ONE, Report.DONE, BOT);
      StepRecord record = history().get(0);
      assertThat(record.texts())
          .isEqualTo(
              Map.of(
                  Field.COMPONENT_USED,
                  "part",
                  Field.TOOL_USED,
                  "WebFetch",
                  Field.REAL_INPUTS,
                  "{\"url\":\"https://x.test\"}"));
      assertThat(record.spent()).isEqualTo(spent("0", "12.5", 0, 1));
    }

    @Test
    void a_tool_that_was_seen_is_not_counted_twice() {
      begun();
      plan(step("a", "Read"), step("b", "Read"));
      work.start(ONE, null, BOT);
      seen(spent("0", "0", 3, 1));
      Usage usage = new Usage(null, BigDecimal.ONE, 5L, 0L);
      work.finish(ONE, new Report(Map.of(), usage, JsonObject.EMPTY, null), BOT);
      assertThat(now().figures().total()).isEqualTo(spent("0", "1", 5, 1));
      work.start(ONE, null, BOT);
      seen(spent("0", "0", 1, 0));
      work.finish(ONE, using("0", "0"), BOT);
      assertThat(now().figures().total()).isEqualTo(spent("0", "1", 6, 1));
    }

    @Test
    void references_in_inputs_become_values_with_their_types() {
      begun();
      plan(step("first", ""));
      run(
          setting(
              JsonObject.of("extracted_data.key_metrics.count", 3, "urls", List.of("u1", "u2"))));
      plan(
          step(
              "second",
              "",
              new Param("n", "{{extracted_data.key_metrics.count}}"),
              new Param("all", "{{urls}}"),
              new Param("text", "{{urls.1}} of {{extracted_data.key_metrics.count}}"),
              new Param("spent", "{{cost_tracking.step_costs}}")));
      Started started = work.start(ONE, null, BOT);
      assertThat(started.inputs().get("n")).isEqualTo(3L);
      assertThat(started.inputs().get("all")).isEqualTo(List.of("u1", "u2"));
      assertThat(started.inputs().get("text")).isEqualTo("u2 of 3");
      assertThat((List<?>) started.inputs().get("spent")).hasSize(1);
      assertThat(now().head().running().inputs().get("n")).isEqualTo(3L);
    }

    @Test
    void a_missing_name_is_refused_with_near_ones_and_nothing_changes() {
      begun();
      plan(step("a", "", new Param("x", "{{file_pathes}}")));
      int before = kinds().size();
      refused(
          Code.INVALID,
          () -> work.start(ONE, null, BOT),
          "file_pathes",
          "file_paths",
          "the inputs of \"a\"");
      assertThat(kinds()).hasSize(before);
      assertThat(status()).isEqualTo(ExecutionStatus.PLANNING);
    }

    @Test
    void a_step_with_very_long_inputs_can_be_finished_too() {
      begun();
      plan(Step.todo("first"), step("second", "", new Param("x", "{{long}}")));
      run(setting(JsonObject.of("long", "word ".repeat(10_000))));
      work.start(ONE, null, BOT);
      work.finish(ONE, Report.DONE, BOT);
      assertThat(history().get(1).text(Field.REAL_INPUTS))
          .hasSizeLessThanOrEqualTo(StepRecord.FIELD_CHARS_MAX)
          .startsWith("{\"x\":\"word ");
    }

    @Test
    void variables_are_set_by_paths_and_what_mainstay_fills_is_refused() {
      begun("a");
      work.start(ONE, null, BOT);
      for (String own : List.of("cost_tracking.total_cost", "step_data", "execution_metadata.x")) {
        refused(
            Code.CONFLICT,
            () -> work.finish(ONE, setting(JsonObject.of(own, 1)), BOT),
            "Mainstay itself");
      }
      for (String odd : List.of("", ".", "a..b", "a. .b")) {
        refused(
            Code.INVALID,
            () -> work.finish(ONE, setting(JsonObject.of(odd, 1)), BOT),
            "is no path");
      }
      assertThat(history()).isEmpty();
      work.finish(ONE, setting(JsonObject.of("a.b.c", 1, "a.d", "x", "flag", true)), BOT);
      work.start(ONE, 1, BOT);
      for (String inside : List.of("flag.x", "a.d.x", "extracted_data.urls_processed.0")) {
        refused(
            Code.CONFLICT,
            () -> work.finish(ONE, setting(JsonObject.of(inside, 1)), BOT),
            "is no object");
      }
      JsonObject variables = now().pages().variables();
      assertThat(variables.object("a"))
          .isEqualTo(JsonObject.of("b", JsonObject.of("c", 1), "d", "x"));
      assertThat(variables.get("flag")).isEqualTo(true);
      assertThat(variables.object("extracted_data").has("flags")).isTrue();
    }

    @Test
    void variables_nested_too_deep_are_refused_and_the_task_stays_readable() {
      begun("a");
      work.start(ONE, null, BOT);
      for (int depth : List.of(56, 60, 64, 70, 200)) {
        String path = String.join(".", Collections.nCopies(depth, "a"));
        try {
          work.finish(ONE, setting(JsonObject.of(path, depth)), BOT);
          work.start(ONE, 1, BOT);
        } catch (Refusal refused) {
          assertThat(refused.code()).isEqualTo(Code.TOO_LARGE);
          assertThat(refused.sentence()).contains("deep");
        }
        assertThat(now().isLive()).isTrue();
      }
    }

    @Test
    void errors_of_any_shape_fail_the_step_and_its_note_is_one_line() {
      begun("a");
      for (String errors :
          List.of("a\r\nb", "\u0007", "x\u0085y", "tab\tbed " + "long ".repeat(200))) {
        work.start(ONE, 1, ADA);
        work.finish(ONE, failed(errors), ADA);
        assertThat(stepStatus(1)).isEqualTo(StepStatus.FAILED);
      }
      assertThat(history()).hasSize(4).allMatch(StepRecord::failed);
      assertThat(now().figures().failures()).isEqualTo(4);
    }

    @Test
    void what_the_plan_says_is_done_is_done_here_and_the_other_way_round() {
      begun("a", "b", "c");
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      assertThat(work.start(ONE, null, BOT).step()).isEqualTo(2);
      work.finish(ONE, Report.DONE, BOT);
      assertThat(states.load(ONE).openSteps()).containsExactly("c");
      work.start(ONE, null, BOT);
      states.moveStep(ONE, 2, StepStatus.DONE, null, BOT);
      work.finish(ONE, Report.DONE, BOT);
      executions.finish(ONE, true, null, ADA);
      assertThat(history()).extracting(StepRecord::step).containsExactly(2, 3);
    }

    @Test
    void each_limit_that_is_passed_pauses_for_review() {
      begun("a", "b");
      Map<String, Usage> beyond =
          Map.of(
              "max_cost_per_task", new Usage(new BigDecimal("0.51"), BigDecimal.ZERO, 0L, 0L),
              "max_execution_time", new Usage(null, new BigDecimal("301"), 0L, 0L),
              "max_file_operations", new Usage(null, BigDecimal.ZERO, 21L, 0L),
              "max_web_requests", new Usage(null, BigDecimal.ZERO, 0L, 6L));
      beyond.forEach(
          (limit, usage) -> {
            work.start(ONE, 1, ADA);
            var report = new Report(Map.of(), usage, JsonObject.EMPTY, null);
            Outcome outcome = work.finish(ONE, report, ADA);
            assertThat(outcome.review()).isTrue();
            assertThat(status()).isEqualTo(ExecutionStatus.PAUSED);
            assertThat(now().head().reviewFor()).contains(limit);
            refused(Code.CONFLICT, () -> work.start(ONE, 2, ADA), "person's review", limit);
            executions.finish(ONE, false, null, ADA);
            begin(ExecutionMode.EXECUTION, null, ADA);
          });
    }

    @Test
    void exactly_at_the_limits_it_goes_on() {
      begun("a");
      work.start(ONE, 1, ADA);
      Usage usage = new Usage(new BigDecimal("0.50"), new BigDecimal("300"), 20L, 5L);
      Outcome outcome = work.finish(ONE, new Report(Map.of(), usage, JsonObject.EMPTY, null), ADA);
      assertThat(outcome.review()).isFalse();
      assertThat(status()).isEqualTo(ExecutionStatus.IN_PROGRESS);
    }

    @Test
    void at_a_low_level_an_agents_start_asks_and_an_acceptance_lets_one_through() {
      begun("a", "b");
      executions.set(ONE, Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low", BOT);
      Started asked = work.start(ONE, null, BOT);
      assertThat(asked.waitsFor()).contains("\"low\"");
      assertThat(asked.outcome().review()).isTrue();
      assertThat(status()).isEqualTo(ExecutionStatus.PLANNING);
      assertThat(stepStatus(1)).isEqualTo(StepStatus.TODO);
      assertThat(work.start(ONE, null, BOT).outcome().isChange()).as("asked already").isFalse();
      assertThat(now().review().open())
          .extracting(Proposal::kind, Proposal::what)
          .containsExactly(tuple(Proposal.Kind.STEP, "a"));
      executions.settle(ONE, 1, true, ADA);
      assertThat(work.start(ONE, null, BOT).waitsFor()).isNull();
      assertThat(stepStatus(1)).isEqualTo(StepStatus.ACTIVE);
      work.finish(ONE, failed("no"), BOT);
      assertThat(work.start(ONE, 1, BOT).waitsFor()).as("one start, not two").isNotNull();
      assertThat(work.start(ONE, 1, ADA).waitsFor()).as("a person need not ask").isNull();
    }

    @Test
    void a_step_under_way_is_not_asked_about_again() {
      begun("a", "b");
      executions.set(ONE, Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low", ADA);
      work.start(ONE, null, ADA);
      Started again = work.start(ONE, null, BOT);
      assertThat(again.waitsFor()).isNull();
      assertThat(again.outcome().isChange()).isFalse();
      refused(Code.CONFLICT, () -> work.start(ONE, 2, BOT), "step 1 is under way");
      assertThat(now().review().open()).isEmpty();
    }

    @Test
    void a_rejected_start_stays_refused_until_it_is_asked_again() {
      begun("a");
      executions.set(ONE, Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low", ADA);
      work.start(ONE, null, BOT);
      executions.settle(ONE, 1, false, ADA);
      assertThat(work.start(ONE, null, BOT).waitsFor()).isNotNull();
      assertThat(now().review().open()).extracting(Proposal::number).containsExactly(2);
    }

    @Test
    void of_two_agents_who_start_at_once_one_starts() throws Exception {
      begun("a", "b");
      List<Boolean> changes = Both.atOnce(4, () -> work.start(ONE, 1, BOT).outcome().isChange());
      assertThat(changes).containsOnlyOnce(true);
      assertThat(payloads("exec.step_started")).hasSize(1);
    }

    @Test
    void one_key_records_once_however_often_it_is_sent_at_once() throws Exception {
      begun("a");
      work.start(ONE, 1, BOT);
      List<Outcome> outcomes =
          Both.atOnce(4, () -> work.finish(ONE, using("0.1", "1"), BOT.withKey("k")));
      assertThat(outcomes).containsOnly(outcomes.get(0));
      assertThat(history()).hasSize(1);
      assertThat(now().figures().total().cost()).isEqualTo(new BigDecimal("0.1"));
    }
  }
}
