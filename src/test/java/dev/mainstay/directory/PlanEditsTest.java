package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.StepWork;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PlanEditsTest {
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

  abstract static class Contract extends OnDirectory {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void a_legal_status_in_the_file_is_the_execution_s() throws Exception {
      begun();
      edit(PageName.PLAN, "**status**: PLANNING", "**status**: IN_PROGRESS");
      assertThat(quiet().taken()).isPositive();
      assertThat(execution().status()).isEqualTo(ExecutionStatus.IN_PROGRESS);
      edit(PageName.PLAN, "**status**: IN_PROGRESS", "**status**: paused");
      sync();
      assertThat(execution().status()).isEqualTo(ExecutionStatus.PAUSED);
      settled();
    }

    @Test
    void a_refused_status_is_put_right_in_the_file_and_told_with_the_legal_ones() throws Exception {
      begun();
      long number = view().number();
      String before = text(PageName.PLAN);
      edit(PageName.PLAN, "**status**: PLANNING", "**status**: PAUSED");
      Finding refused = found(sync(), Kind.RESTORED);
      assertThat(refused.sentence()).contains("PLANNING", "IN_PROGRESS or COMPLETED_FAILURE");
      assertThat(lineOf(refused)).isEqualTo("- **status**: PLANNING");
      assertThat(text(PageName.PLAN)).isEqualTo(before);
      assertThat(execution().status()).isEqualTo(ExecutionStatus.PLANNING);
      assertThat(view().number()).isEqualTo(number);
      settled();
    }

    @Test
    void a_status_that_is_none_is_put_right_and_the_rest_of_the_file_is_taken() throws Exception {
      begun();
      edit(PageName.PLAN, "**status**: PLANNING", "**status**: NEARLY");
      edit(PageName.PLAN, "### Step 2: boil", "### Step 2: heat");
      assertThat(found(sync(), Kind.RESTORED).sentence()).contains("NEARLY", "PAUSED");
      assertThat(labels()).containsExactly("grind", "heat", "pour");
      assertThat(text(PageName.PLAN)).contains("**status**: PLANNING");
      quiet();
      settled();
    }

    @Test
    void the_end_in_the_file_is_refused_while_steps_are_open_and_then_ends_the_run()
        throws Exception {
      begun();
      edit(PageName.PLAN, "**status**: PLANNING", "**status**: IN_PROGRESS");
      quiet();
      edit(PageName.PLAN, "**status**: IN_PROGRESS", "**status**: COMPLETED_SUCCESS");
      assertThat(lineOf(found(sync(), Kind.RESTORED))).contains("IN_PROGRESS");
      assertThat(execution().isLive()).isTrue();
      edit(PageName.PLAN, "**status**: IN_PROGRESS", "**status**: COMPLETED_SUCCESS");
      save(
          PageName.PLAN,
          text(PageName.PLAN).replace("**status**: PENDING", "**status**: COMPLETED"));
      quiet();
      assertThat(execution().status()).isEqualTo(ExecutionStatus.COMPLETED_SUCCESS);
      assertThat(states.load(task()).run().phase()).isEqualTo(RunPhase.FINISHED);
      Tasks tasks = new Tasks(store);
      assertThat(tasks.show(task()).status()).isEqualTo(TaskStatus.COMPLETED);
      assertThat(tasks.ready(null, 10)).as("it is not offered as work again").isEmpty();
      settled();
    }

    @Test
    void steps_are_added_removed_renamed_and_reordered_in_the_file() throws Exception {
      begun();
      edit(
          PageName.PLAN,
          "### Step 2: boil",
          "### Step 2: rinse\n- **component**: rinser\n\n### Step 3: boil");
      edit(PageName.PLAN, "### Step 3: pour", "### Step 4: pour");
      quiet();
      assertThat(labels()).containsExactly("grind", "rinse", "boil", "pour");
      assertThat(plan().step(1).details().component()).isEqualTo("rinser");
      edit(PageName.PLAN, "### Step 3: boil", "### Step 3: heat");
      quiet();
      assertThat(labels()).containsExactly("grind", "rinse", "heat", "pour");
      String text = text(PageName.PLAN);
      int first = text.indexOf("### Step 1");
      int second = text.indexOf("### Step 2");
      int third = text.indexOf("### Step 3");
      save(
          PageName.PLAN,
          text.substring(0, first)
              + text.substring(second, third)
              + text.substring(first, second)
              + text.substring(third));
      quiet();
      assertThat(labels()).containsExactly("rinse", "grind", "heat", "pour");
      text = text(PageName.PLAN);
      save(
          PageName.PLAN,
          text.substring(0, text.indexOf("### Step 2: rinse"))
              + text.substring(text.indexOf("### Step 1: grind")));
      quiet();
      assertThat(labels()).containsExactly("grind", "heat", "pour");
      edit(PageName.PLAN, ": heat", ": boil");
      quiet();
      assertThat(labels()).containsExactly("grind", "boil", "pour");
      settled();
    }

    @Test
    void the_last_step_is_removed_when_something_is_left_behind_it() throws Exception {
      begun();
      String text = text(PageName.PLAN);
      save(PageName.PLAN, text.substring(0, text.indexOf("### Step 3")) + "\n\n");
      quiet();
      assertThat(labels()).containsExactly("grind", "boil");
    }

    @Test
    void every_field_of_a_step_comes_back_from_the_file() throws Exception {
      begun();
      String text = text(PageName.PLAN);
      int at = text.indexOf("### Step 2");
      int end = text.indexOf("### Step 3");
      save(
          PageName.PLAN,
          text.substring(0, at)
              + """
              ### Step 2: boil
              - **component**: kettle
              - **tool_mapping**: Bash
              - **status**: PENDING
              - **inputs**:
                - litres: 1.5
                - pot: {{file_paths.temp_dir}}
              - **expected_outputs**:
                - water: at 96 degrees
              - **estimated_cost**: $0.05
              - **estimated_time**: 90s
              - **side_effects**: steam

              """
              + text.substring(end));
      quiet();
      Step step = plan().step(1);
      StepDetails details = step.details();
      assertThat(details.component()).isEqualTo("kettle");
      assertThat(details.tool()).isEqualTo("Bash");
      assertThat(details.inputs())
          .extracting(StepDetails.Param::name, StepDetails.Param::value)
          .containsExactly(
              Tuple.tuple("litres", new BigDecimal("1.5")),
              Tuple.tuple("pot", "{{file_paths.temp_dir}}"));
      assertThat(details.expectedOutputs())
          .extracting(StepDetails.Param::value)
          .containsExactly("at 96 degrees");
      assertThat(details.outlook().cost()).isEqualByComparingTo("0.05");
      assertThat(details.outlook().time()).isEqualByComparingTo("90");
      assertThat(details.outlook().sideEffects()).isEqualTo("steam");
      edit(PageName.PLAN, "  - pot: {{file_paths.temp_dir}}\n", "");
      edit(PageName.PLAN, "- **estimated_time**: 90s", "- **estimated_time**: 91s");
      quiet();
      assertThat(plan().step(1).details().inputs()).hasSize(1);
      assertThat(plan().step(1).details().outlook().time()).isEqualByComparingTo("91");
      settled();
    }

    @Test
    void a_step_finished_in_the_file_is_finished_in_the_task_and_the_other_way_round()
        throws Exception {
      begun();
      String text = text(PageName.PLAN);
      int second = text.indexOf("### Step 2");
      save(
          PageName.PLAN,
          text.substring(0, second).replace("**status**: PENDING", "**status**: COMPLETED")
              + text.substring(second));
      quiet();
      assertThat(states.load(task()).plan().step(0).status()).isEqualTo(StepStatus.DONE);
      states.moveStep(task(), 1, StepStatus.DONE, null, BOT);
      states.moveStep(task(), 2, StepStatus.SKIPPED, "no cup", BOT);
      quiet();
      assertThat(text(PageName.PLAN).split("- \\*\\*status\\*\\*: COMPLETED", -1)).hasSize(4);
      assertThat(text(PageName.PLAN)).contains("- **note**: skipped: no cup");
      settled();
      assertThat(plan().step(2).status()).isEqualTo(StepStatus.SKIPPED);
    }

    @Test
    void a_step_that_cannot_become_what_the_file_says_is_refused_and_stays() throws Exception {
      begun();
      edit(PageName.PLAN, "### Step 3: pour", "### Step 3: pour\n- **note**: by hand");
      String text = text(PageName.PLAN);
      save(PageName.PLAN, text.replace("**status**: PENDING", "**status**: RUNNING"));
      Finding refused = found(sync(), Kind.REFUSED);
      assertThat(refused.sentence()).contains("one step at a time");
      assertThat(plan().steps()).allMatch(step -> step.status() == StepStatus.TODO);
      assertThat(text(PageName.PLAN)).contains("**status**: RUNNING", "**note**: by hand");
    }

    @Test
    void a_step_that_needs_approval_is_not_started_by_the_file() throws Exception {
      begun();
      executions.set(task(), Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low", ADA);
      quiet();
      String text = text(PageName.PLAN);
      save(PageName.PLAN, text.replaceFirst("\\*\\*status\\*\\*: PENDING", "**status**: RUNNING"));
      Report report = sync();
      assertThat(found(report, Kind.REFUSED).sentence()).contains("grind", "a person must agree");
      assertThat(plan().step(0).status()).isEqualTo(StepStatus.TODO);
      assertThat(execution().review().open()).hasSize(1);
      assertThat(report.review()).isTrue();
      executions.settle(task(), 1, true, ADA);
      sync();
      assertThat(plan().step(0).status()).isEqualTo(StepStatus.ACTIVE);
      settled();
    }

    @Test
    void what_mainstay_alone_says_is_put_right_and_told() throws Exception {
      begun();
      String plan = text(PageName.PLAN);
      String variables = text(PageName.VARIABLES);
      edit(PageName.PLAN, "- **goal**: " + GOAL, "- **goal**: Make tea");
      edit(PageName.PLAN, "- **mode**: EXECUTION", "- **mode**: SIMULATION");
      edit(PageName.PLAN, "- **start_time**: 2026", "- **start_time**: 2025");
      edit(PageName.PLAN, "- **execution_id**: exec_2026", "- **execution_id**: exec_2025");
      edit(PageName.PLAN, "- **current_step**: 1", "- **current_step**: 3");
      edit(PageName.VARIABLES, "\"total_cost\": 0", "\"total_cost\": 9");
      edit(PageName.VARIABLES, "\"total_steps\": 3", "\"total_steps\": 4");
      Report report = sync();
      assertThat(report.findings())
          .allMatch(finding -> finding.kind() == Kind.RESTORED)
          .extracting(Finding::sentence)
          .anyMatch(sentence -> sentence.contains("goal is what Mainstay"))
          .anyMatch(sentence -> sentence.contains("mode is what Mainstay"))
          .anyMatch(sentence -> sentence.contains("start_time is what Mainstay"))
          .anyMatch(sentence -> sentence.contains("execution_id is what Mainstay"))
          .anyMatch(sentence -> sentence.contains("cost_tracking is what Mainstay"))
          .anyMatch(sentence -> sentence.contains("step_data is what Mainstay"));
      assertThat(report.findings()).allMatch(finding -> finding.line() != null);
      assertThat(report.hasProblems()).isFalse();
      assertThat(report.taken()).isZero();
      assertThat(text(PageName.PLAN)).isEqualTo(plan);
      assertThat(text(PageName.VARIABLES)).isEqualTo(variables);
      settled();
    }

    @Test
    void two_steps_of_one_name_keep_their_own_fields() throws Exception {
      begun();
      states.setPlan(task(), List.of("stir", "stir"), BOT);
      quiet();
      String text = text(PageName.PLAN);
      int second = text.indexOf("### Step 2");
      save(
          PageName.PLAN,
          text.substring(0, second)
              + text.substring(second)
                  .replaceFirst("\\*\\*component\\*\\*:.*", "**component**: spoon"));
      quiet();
      assertThat(plan().steps())
          .extracting(step -> step.details().component())
          .containsExactly("", "spoon");
      settled();
    }

    @Test
    void a_step_under_way_is_finished_by_its_record_and_the_file_follows() throws Exception {
      begun();
      steps.start(task(), 1, ADA);
      quiet();
      assertThat(text(PageName.PLAN)).contains("- **status**: RUNNING", "IN_PROGRESS");
      edit(PageName.PLAN, "### Step 3: pour", "### Step 3: serve");
      var worked =
          directories.working(
              folder,
              BOT,
              task ->
                  steps.finish(
                      task,
                      new StepWork.Report(
                          Map.of(),
                          StepWork.Usage.UNKNOWN,
                          JsonObject.of("extracted_data.flags.ground", true),
                          1),
                      BOT));
      assertThat(worked.findings())
          .singleElement()
          .hasToString("plan.md: the step \"pour\" was taken away");
      assertThat(labels()).containsExactly("grind", "boil", "serve");
      assertThat(text(PageName.PLAN)).contains("### Step 3: serve", "**current_step**: 2");
      assertThat(text(PageName.VARIABLES)).contains("\"ground\": true");
      assertThat(text(PageName.HISTORY)).contains("### Step 1 Execution");
      settled();
    }
  }
}
