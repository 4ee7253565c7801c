package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AdaptationRule;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Variables;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExecutionsTest {
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
    private static final TaskId TWO = TaskId.of(2);

    Contract(Databases database) {
      super(database);
    }

    private int tasks() {
      return tasks.list(TaskFilter.ALL, null, 100).tasks().size();
    }

    private static Beginning goal(String goal) {
      return new Beginning(null, goal, ExecutionMode.EXECUTION, null);
    }

    @Test
    void a_goal_makes_task_run_and_execution_together() {
      List<String> also = new ArrayList<>();
      Outcome outcome =
          executions.begin(goal("Sum up\nthe papers"), BOT, (tx, begun) -> also.add("" + begun));
      assertThat(outcome.task()).isEqualTo(TWO);
      assertThat(tasks.show(TWO).title()).isEqualTo("Sum up");
      assertThat(states.load(TWO).run().goal()).isEqualTo("Sum up\nthe papers");
      var execution = executions.view(TWO).execution();
      assertThat(execution.id()).matches("exec_20260102T030405Z_[0-9a-f-]{36}");
      assertThat(also).singleElement().asString().contains("T-002", execution.id());
      assertThat(execution.status()).isEqualTo(ExecutionStatus.PLANNING);
      assertThat(execution.constraints().settings()).isEqualTo(Settings.INITIAL);
      assertThat(execution.constraints().rules()).isEqualTo(AdaptationRule.DOCUMENT_RULES);
      assertThat(execution.constraints().behaviours()).isEqualTo(Behaviour.INITIAL);
      assertThat(execution.pages().variables()).isEqualTo(Variables.INITIAL);
      assertThat(execution.pages().context()).isEqualTo(Passage.INITIAL);
    }

    @Test
    void when_what_happens_with_it_fails_there_is_no_task_either() {
      refused(
          Code.CONFLICT,
          () ->
              executions.begin(
                  goal("g"),
                  ADA,
                  (tx, begun) -> {
                    throw Refusal.conflict("no folder");
                  }),
          "no folder");
      assertThat(tasks()).isEqualTo(1);
    }

    @Test
    void a_repeated_key_gives_the_same_answer_and_makes_no_second_task() {
      var call = ADA.withKey("k");
      Outcome first = executions.begin(goal("g"), call);
      assertThat(executions.begin(goal("g"), call)).isEqualTo(first);
      assertThat(tasks()).isEqualTo(2);
      refused(Code.CONFLICT, () -> executions.begin(goal("other"), call));
    }

    @Test
    void without_a_goal_or_a_task_with_one_nothing_begins() {
      refused(Code.INVALID, () -> executions.begin(goal(" "), ADA), "--goal", "--task");
      var untold = new Beginning(ONE, null, ExecutionMode.EXECUTION, null);
      refused(Code.INVALID, () -> executions.begin(untold, ADA), "goal");
      assertThat(tasks()).isEqualTo(1);
      states.start(ONE, "told", List.of(), ADA);
      executions.begin(untold, ADA);
      assertThat(now().isLive()).isTrue();
    }

    @Test
    void a_live_execution_is_not_replaced_and_a_goal_not_changed() {
      begin(ExecutionMode.EXECUTION, null, ADA);
      String id = now().id();
      refused(Code.CONFLICT, () -> begin(ExecutionMode.EXECUTION, null, ADA), id, "PLANNING");
      executions.finish(ONE, false, "enough", ADA);
      states.start(ONE, "the goal", List.of(), ADA);
      var other = new Beginning(ONE, "another goal", ExecutionMode.EXECUTION, null);
      refused(Code.CONFLICT, () -> executions.begin(other, ADA), "\"the goal\"");
      begin(ExecutionMode.EXECUTION, null, BOT);
      assertThat(now().id()).isNotEqualTo(id);
    }

    @Test
    void a_task_without_an_execution_says_how_to_begin_one() {
      refused(Code.NOT_FOUND, () -> executions.view(ONE), "mainstay exec init --task");
      refused(Code.NOT_FOUND, () -> executions.pause(ONE, null, ADA), "exec init");
      refused(Code.NOT_FOUND, () -> work.start(ONE, null, ADA), "exec init");
    }

    @Test
    void a_type_begins_with_its_preset() {
      begin(ExecutionMode.EXECUTION, ExecutionType.LEGAL, ADA);
      assertThat(setting(Setting.ERROR_TOLERANCE)).isEqualTo("strict");
      assertThat(setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("low");
      assertThat(setting(Setting.PRIORITY)).isEqualTo("quality");
    }

    @Test
    void an_agent_tightens_at_once_and_loosens_only_by_a_proposal() {
      begun("a");
      assertThat(executions.set(ONE, Setting.MAX_COST_PER_TASK, "$0.25", BOT).review()).isFalse();
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo(new BigDecimal("0.25"));
      Outcome asked = executions.set(ONE, Setting.MAX_COST_PER_TASK, "0.75", BOT);
      assertThat(asked.review()).isTrue();
      assertThat(asked.notices())
          .singleElement()
          .asString()
          .contains("proposal 1", "$0.25 to $0.75", "mainstay exec accept 1");
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo(new BigDecimal("0.25"));
      assertThat(executions.set(ONE, Setting.MAX_COST_PER_TASK, "$0.750", BOT).isChange())
          .as("asked already")
          .isFalse();
      executions.set(ONE, Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "high", BOT);
      assertThat(now().review().open()).extracting(Proposal::number).containsExactly(1, 2);
      executions.set(ONE, Setting.PRIORITY, "cost_efficiency", BOT);
      assertThat(setting(Setting.PRIORITY)).isEqualTo("cost_efficiency");
      executions.set(ONE, Setting.MAX_COST_PER_TASK, "9", ADA);
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo(new BigDecimal("9"));
      refused(Code.INVALID, () -> executions.set(ONE, Setting.PRIORITY, "x", ADA), "one of");
    }

    @Test
    void the_smallest_limits_are_kept_and_read_again() {
      begun("a");
      executions.set(ONE, Setting.MAX_COST_PER_TASK, "0.00000001", ADA);
      executions.set(ONE, Setting.MAX_COST_PER_TASK, "0.00000002", BOT);
      executions.settle(ONE, 1, true, ADA);
      assertThat(setting(Setting.MAX_COST_PER_TASK)).isEqualTo(new BigDecimal("0.00000002"));
    }

    @Test
    void pages_that_are_too_large_together_are_refused_and_the_task_stays_readable() {
      begun("a");
      for (String page : List.of("a.md", "b.md", "c.md", "d.md", "e.md")) {
        var layout = new PageEvent.LayoutSet(page, "x".repeat(900_000));
        try {
          decide(layout);
        } catch (Refusal refused) {
          assertThat(refused.code()).isEqualTo(Code.TOO_LARGE);
        }
        assertThat(now().isLive()).isTrue();
      }
      assertThat(now().pages().layouts()).isNotEmpty().hasSizeLessThan(5);
    }

    @Test
    void only_a_person_settles_a_proposal_and_once() {
      begun("a");
      executions.set(ONE, Setting.MAX_WEB_REQUESTS, "9", BOT);
      executions.set(ONE, Setting.MAX_FILE_OPERATIONS, "99", BOT);
      refused(Code.CONFLICT, () -> executions.settle(ONE, 1, true, BOT), "only a person");
      executions.settle(ONE, 1, true, ADA);
      assertThat(setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(9L);
      executions.settle(ONE, 2, false, ADA);
      assertThat(setting(Setting.MAX_FILE_OPERATIONS)).isEqualTo(20L);
      assertThat(now().review().open()).isEmpty();
      refused(Code.NOT_FOUND, () -> executions.settle(ONE, 1, true, ADA), "no proposal is open");
      executions.set(ONE, Setting.MAX_FILE_OPERATIONS, "99", BOT);
      refused(Code.NOT_FOUND, () -> executions.settle(ONE, 1, true, ADA), "open are [3]");
    }

    @Test
    void praise_by_a_person_pleases_by_the_documents_rule_which_names_its_figures() {
      begun("a");
      refused(Code.CONFLICT, () -> executions.feedback(ONE, "great work", null, BOT), "person");
      refused(
          Code.INVALID,
          () -> executions.feedback(ONE, "go on with b", null, ADA),
          "--positive",
          "--negative");
      Outcome outcome = executions.feedback(ONE, "Great work!", null, ADA);
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("pleased");
      assertThat(outcome.notices())
          .singleElement()
          .asString()
          .startsWith("user_sentiment is now \"pleased\", because: If user provides positive");
      assertThat(payloads("exec.adapted"))
          .containsExactly(
              JsonObject.of(
                  "setting",
                  "user_sentiment",
                  "value",
                  "pleased",
                  "rule",
                  AdaptationRule.DOCUMENT_RULES.get(1),
                  "figures",
                  JsonObject.of("feedback", "positive")));
    }

    @Test
    void a_complaint_sets_off_no_rule_of_the_document_and_praise_works_again_later() {
      begun("a");
      executions.feedback(ONE, "hm", false, ADA);
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("neutral");
      executions.feedback(ONE, "hm", true, ADA);
      executions.set(ONE, Setting.USER_SENTIMENT, "impatient", ADA);
      executions.feedback(ONE, "hm", true, ADA);
      assertThat(setting(Setting.USER_SENTIMENT)).isEqualTo("pleased");
      assertThat(payloads("exec.feedback_given")).hasSize(3);
      assertThat(payloads("exec.adapted")).hasSize(2);
    }

    @Test
    void a_pause_and_a_resume_go_through_the_table() {
      begun("a", "b");
      refused(Code.CONFLICT, () -> executions.pause(ONE, null, BOT), "IN_PROGRESS", "PLANNING");
      work.start(ONE, null, BOT);
      executions.pause(ONE, "lunch", BOT);
      assertThat(executions.pause(ONE, "lunch", BOT).isChange()).isFalse();
      work.finish(ONE, StepWork.Report.DONE, BOT);
      refused(Code.CONFLICT, () -> work.start(ONE, null, BOT), "paused", "mainstay exec resume");
      executions.resume(ONE, BOT);
      work.start(ONE, null, BOT);
      List<String> went = store.reading(tx -> ExecutionHistory.transitions(tx, ONE));
      assertThat(went).containsExactly("PLANNING", "IN_PROGRESS", "PAUSED", "IN_PROGRESS");
    }

    @Test
    void after_a_limit_only_a_person_resumes_and_only_within_the_limits() {
      begun("a", "b");
      Outcome paused = run(using("0.6", "1"));
      assertThat(paused.review()).isTrue();
      assertThat(paused.notices()).anyMatch(n -> n.contains("cost $0.60 of $0.50"));
      assertThat(status()).isEqualTo(ExecutionStatus.PAUSED);
      refused(Code.CONFLICT, () -> executions.resume(ONE, BOT), "only a person");
      refused(Code.CONFLICT, () -> executions.resume(ONE, ADA), "raise the limit first");
      executions.set(ONE, Setting.MAX_COST_PER_TASK, "1", BOT);
      executions.settle(ONE, 1, true, ADA);
      refused(Code.CONFLICT, () -> executions.resume(ONE, BOT), "only a person");
      executions.resume(ONE, ADA);
      assertThat(status()).isEqualTo(ExecutionStatus.IN_PROGRESS);
      assertThat(now().head().reviewFor()).isNull();
    }

    @Test
    void success_waits_for_every_step_and_finishes_the_run() {
      begun("a", "b");
      run(StepWork.Report.DONE);
      refused(Code.CONFLICT, () -> executions.finish(ONE, true, null, ADA), "step 2");
      run(StepWork.Report.DONE);
      executions.finish(ONE, true, "all there", ADA);
      assertThat(status()).isEqualTo(ExecutionStatus.COMPLETED_SUCCESS);
      assertThat(states.load(ONE).run().phase()).isEqualTo(RunPhase.FINISHED);
      assertThat(executions.finish(ONE, true, null, ADA).isChange()).isFalse();
      refused(Code.CONFLICT, () -> executions.finish(ONE, false, null, ADA), "it is over");
      refused(Code.CONFLICT, () -> work.start(ONE, 1, ADA), "is over", "exec init --task");
    }

    @Test
    void a_simulation_that_succeeds_leaves_the_run_alone() {
      begin(ExecutionMode.SIMULATION, null, ADA);
      states.setPlan(ONE, List.of("a", "b"), ADA);
      run(StepWork.Report.DONE);
      refused(Code.CONFLICT, () -> executions.finish(ONE, true, null, ADA), "step 2", "played");
      run(StepWork.Report.DONE);
      executions.finish(ONE, true, null, ADA);
      assertThat(status()).isEqualTo(ExecutionStatus.COMPLETED_SUCCESS);
      assertThat(states.load(ONE).run().phase()).isEqualTo(RunPhase.RUNNING);
    }

    @Test
    void a_failure_under_way_is_paused_first_and_abandons_the_run() {
      begun("a");
      work.start(ONE, null, BOT);
      executions.finish(ONE, false, "no way", BOT);
      assertThat(status()).isEqualTo(ExecutionStatus.COMPLETED_FAILURE);
      assertThat(states.load(ONE).run().phase()).isEqualTo(RunPhase.ABANDONED);
      assertThat(now().head().running()).isNull();
      assertThat(payloads("exec.status_changed"))
          .extracting(payload -> payload.text("to"))
          .containsExactly("IN_PROGRESS", "PAUSED", "COMPLETED_FAILURE");
    }

    @Test
    void before_the_first_step_a_failure_needs_no_pause_and_success_is_refused() {
      begun("a");
      states.moveStep(ONE, 0, StepStatus.DONE, null, ADA);
      refused(Code.CONFLICT, () -> executions.finish(ONE, true, null, ADA), "PLANNING");
      executions.finish(ONE, false, null, ADA);
      assertThat(payloads("exec.status_changed")).hasSize(1);
    }

    @Test
    void another_execution_begins_with_what_was_known_and_its_steps_open() {
      begun("a", "b");
      run(setting(JsonObject.of("extracted_data.total", 42)));
      run(Report.DONE);
      executions.finish(ONE, true, null, BOT);

      begin(ExecutionMode.EXECUTION, null, BOT);

      assertThat(stepStatus(1)).isEqualTo(StepStatus.TODO);
      assertThat(now().pages().variables().object("extracted_data").get("total")).isEqualTo(42L);
      assertThat(now().figures().total().isNothing()).isTrue();
    }

    @Test
    void of_two_who_begin_at_once_one_begins() throws Exception {
      Map<String, AtomicInteger> results = new TreeMap<>();
      for (String result :
          Both.atOnce(
              4,
              () -> {
                try {
                  return "begun " + begin(ExecutionMode.EXECUTION, null, ADA).isChange();
                } catch (Refusal refused) {
                  return refused.code().name();
                }
              })) {
        results.computeIfAbsent(result, r -> new AtomicInteger()).incrementAndGet();
      }
      assertThat(results.toString()).isEqualTo("{CONFLICT=3, begun true=1}");
      assertThat(payloads("exec.begun")).hasSize(1);
    }
  }
}
