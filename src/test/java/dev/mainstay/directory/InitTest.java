package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.StateDirectories.Made;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InitTest {
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
    void a_folder_made_in_a_repository_is_ignored_by_git() throws Exception {
      directories.init(folder, goal(GOAL), ADA);
      assertThat(names()).doesNotContain(".gitignore");
      Files.createDirectory(temp.resolve(".git"));
      folder = temp.resolve("workspace/other");
      directories.init(folder, goal("Brew tea"), ADA);
      assertThat(Files.readAllLines(folder.resolve(".gitignore"))).contains("*");
      settled();
    }

    @Test
    void all_five_files_are_made_and_have_every_heading_and_field_of_the_document()
        throws Exception {
      Made made = directories.init(folder, goal(GOAL), ADA);
      assertThat(made.resumed()).isFalse();
      assertThat(made.report().findings()).isEmpty();
      assertThat(contents().keySet())
          .containsExactly(
              "constraints.md", "context.md", "history.md", "plan.md", "variables.json");
      states.setPlan(task(), List.of("grind"), BOT);
      done(1, "powder");
      sync();
      assertThat(text(PageName.PLAN))
          .startsWith("# Execution Plan: " + GOAL + "\n")
          .contains("\n## Metadata\n", "\n## Steps\n", "\n### Step 1: grind\n")
          .contains("- **execution_id**: exec_20260102T030405Z_", "- **goal**: " + GOAL)
          .contains("- **status**: IN_PROGRESS", "- **current_step**: 1", "- **start_time**: 2026")
          .contains("- **last_updated**: 2026", "- **mode**: EXECUTION")
          .contains("- **component**:", "- **tool_mapping**:", "- **status**: COMPLETED")
          .contains("- **inputs**:", "- **expected_outputs**:", "- **estimated_cost**:")
          .contains("- **estimated_time**:", "- **side_effects**:");
      assertThat(text(PageName.CONTEXT))
          .startsWith("# Execution Context: " + GOAL + "\n")
          .contains("\n## Knowledge Accumulation\n", "\n### Web Content Summaries\n")
          .contains("\n### Document Analysis Results\n", "\n### Key Findings\n")
          .contains("\n## Current Understanding\n", "\n## Decision Rationale\n");
      assertThat(text(PageName.VARIABLES))
          .contains("\"execution_metadata\"", "\"execution_id\"", "\"goal\"", "\"mode\"")
          .contains("\"step_data\"", "\"current_step\"", "\"total_steps\"")
          .contains("\"file_paths\"", "\"output_file\"", "\"temp_dir\"", "\"extracted_data\"")
          .contains("\"urls_processed\"", "\"key_metrics\"", "\"flags\"")
          .contains("\"cost_tracking\"", "\"total_cost\"", "\"step_costs\"");
      assertThat(text(PageName.VARIABLES))
          .containsSubsequence("execution_metadata", "execution_id", "goal", "mode", "step_data")
          .containsSubsequence("file_paths", "extracted_data", "urls_processed", "cost_tracking");
      settled();
    }

    @Test
    void history_and_constraints_have_every_heading_and_field_of_the_document() throws Exception {
      begun();
      done(1, "powder");
      quiet();
      assertThat(text(PageName.HISTORY))
          .startsWith("# Execution History: " + GOAL + "\n")
          .contains("\n## Step Execution Log\n", "\n### Step 1 Execution - 2026")
          .contains("- **component_used**:", "- **tool_used**:", "- **real_inputs**:")
          .contains("- **real_outputs**: powder", "- **actual_cost**:", "- **actual_time**:")
          .contains("- **errors**:", "- **state_changes**:", "- **notes**:")
          .contains("\n## Training Data Collection\n", "- **conversation_trace**:")
          .contains("- **tool_calls**:", "- **state_transitions**:", "- **performance_metrics**:");
      assertThat(text(PageName.CONSTRAINTS))
          .startsWith("# Execution Constraints: " + GOAL + "\n")
          .contains("\n## Behavioral Modifiers\n", "- **user_sentiment**: \"neutral\"")
          .contains("- **priority**:", "- **max_cost_per_task**: 0.50")
          .contains("- **human_review_trigger_level**:", "- **active_persona**:")
          .contains("- **error_tolerance**:", "\n## Resource Constraints\n")
          .contains("- **max_execution_time**: 300 seconds", "- **max_file_operations**: 20")
          .contains("- **max_web_requests**: 5", "- **preferred_tools**: [\"WebFetch\"")
          .contains("\n## Active Directives\n", "\n## Adaptation Rules\n")
          .contains("- If 2+ consecutive steps fail", "- If user provides positive feedback")
          .contains("- If cost exceeds 80% of budget", "- If execution time > 200s")
          .contains("\n## Context-Aware Behaviors\n", "- **legal_tasks**:")
          .contains("- **creative_tasks**:", "- **research_tasks**:", "- **debugging_tasks**:");
      settled();
    }

    @Test
    void the_training_section_is_there_in_execution_mode_only() throws Exception {
      begun(ExecutionMode.SIMULATION);
      done(1, "powder");
      quiet();
      assertThat(text(PageName.HISTORY))
          .contains("### Step 1 Execution", "(simulated)")
          .doesNotContain("Training Data Collection");
    }

    @Test
    void a_preset_of_the_kind_of_work_holds_from_the_start() throws Exception {
      directories.init(
          folder, new Beginning(null, GOAL, ExecutionMode.EXECUTION, ExecutionType.LEGAL), ADA);
      assertThat(text(PageName.CONSTRAINTS)).contains("- **error_tolerance**: \"strict\"");
      settled();
    }

    @Test
    void a_folder_under_way_is_gone_on_with() throws Exception {
      TaskId task = begun();
      edit(PageName.PLAN, "### Step 2: boil", "### Step 2: heat");
      for (String goal : new String[] {GOAL, null}) {
        Made made =
            directories.init(folder, new Beginning(null, goal, ExecutionMode.EXECUTION, null), ADA);
        assertThat(made.resumed()).isTrue();
        assertThat(made.report().directory().task()).isEqualTo(task);
      }
      assertThat(labels()).containsExactly("grind", "heat", "pour");
    }

    @Test
    void a_folder_with_files_that_the_store_does_not_know_is_refused_untouched() throws Exception {
      Files.createDirectories(folder);
      save(PageName.CONTEXT, "mine");
      Map<String, String> before = contents();
      refused(
          Code.CONFLICT, () -> directories.init(folder, goal(GOAL), ADA), "context.md", "import");
      assertThat(contents()).isEqualTo(before);
      assertThat(store.<Long>reading(tx -> tx.journal().count())).isZero();
    }

    @Test
    void a_folder_of_another_store_is_refused_untouched() throws Exception {
      begun();
      Map<String, String> before = contents();
      try (Store other = open(database().fresh())) {
        refused(
            Code.CONFLICT,
            () -> new StateDirectories(other).init(folder, goal(GOAL), ADA),
            "does not know");
      }
      assertThat(contents()).isEqualTo(before);
    }

    @Test
    void a_folder_with_another_goal_is_refused_untouched() throws Exception {
      begun();
      edit(PageName.PLAN, "### Step 2: boil", "### Step 2: heat");
      Map<String, String> before = contents();
      refused(Code.CONFLICT, () -> directories.init(folder, goal("Make tea"), ADA), GOAL, "--dir");
      assertThat(contents()).isEqualTo(before);
      assertThat(labels()).contains("boil");
    }

    @Test
    void a_folder_of_an_execution_that_is_over_is_refused_untouched() throws Exception {
      begun();
      executions.finish(task(), false, "no beans", ADA);
      Map<String, String> before = contents();
      refused(Code.CONFLICT, () -> directories.init(folder, goal(GOAL), ADA), "which is over");
      assertThat(contents()).isEqualTo(before);
    }

    @Test
    void other_files_in_the_folder_are_left_alone() throws Exception {
      Files.createDirectories(folder.resolve("own-folder"));
      Files.writeString(folder.resolve("own.md"), "# Mine\n");
      Files.writeString(folder.resolve("own-folder/plan.md"), "mine, too\n");
      begun();
      done(1, "powder");
      quiet();
      assertThat(folder.resolve("own.md")).hasContent("# Mine\n");
      assertThat(folder.resolve("own-folder/plan.md")).hasContent("mine, too\n");
    }

    @Test
    void a_path_that_is_a_file_is_refused() throws Exception {
      Files.createDirectories(folder.getParent());
      Files.writeString(folder, "a file");
      refused(Code.READ_ONLY, () -> directories.init(folder, goal(GOAL), ADA), "cannot be made");
      assertThat(folder).hasContent("a file");
    }
  }
}
