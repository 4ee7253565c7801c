package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HistoryEditsTest {
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
    private static final String TRAINING = "## Training Data Collection";

    Contract(Databases database) {
      super(database);
    }

    private List<JournalEntry> edits() {
      return store.reading(
          tx -> tx.journal().ofKinds(task().stream(), Set.of("exec.history_edited"), 0, 100));
    }

    private List<String> outputs() {
      return view().history().stream().map(record -> record.text(Field.REAL_OUTPUTS)).toList();
    }

    private void twoSteps() {
      begun();
      done(1, "powder");
      done(2, "steam");
      quiet();
    }

    private void append(String entry) throws IOException {
      edit(PageName.HISTORY, TRAINING, entry + "\n" + TRAINING);
    }

    @Test
    void an_entry_behind_everything_else_is_taken_and_then_stands_in_the_log() throws Exception {
      twoSteps();
      String late = "### Step 3 Execution - 2026-01-02T04:00:00Z\n- **real_outputs**: coffee\n";
      save(PageName.HISTORY, text(PageName.HISTORY) + late);
      quiet();
      assertThat(outputs()).containsExactly("powder", "steam", "coffee");
      assertThat(text(PageName.HISTORY).indexOf("coffee"))
          .isPositive()
          .isLessThan(text(PageName.HISTORY).indexOf(TRAINING));
      assertThat(edits()).isEmpty();
      settled();
    }

    @Test
    void an_entry_at_the_end_is_taken_with_all_its_fields() throws Exception {
      twoSteps();
      append(
          """
          ### Step 3 Execution - 2026-01-02T04:00:00Z
          - **component_used**: hand
          - **tool_used**: cup
          - **real_inputs**: water
          - **real_outputs**: coffee
          - **actual_cost**: $0.02
          - **actual_time**: 7s
          - **errors**:
          - **state_changes**: one cup less
          - **notes**: smells good
          """);
      quiet();
      StepRecord taken = view().history().get(2);
      assertThat(taken.step()).isEqualTo(3);
      assertThat(taken.failed()).isFalse();
      assertThat(taken.texts())
          .containsEntry(Field.COMPONENT_USED, "hand")
          .containsEntry(Field.TOOL_USED, "cup")
          .containsEntry(Field.REAL_INPUTS, "water")
          .containsEntry(Field.REAL_OUTPUTS, "coffee")
          .containsEntry(Field.STATE_CHANGES, "one cup less")
          .containsEntry(Field.NOTES, "smells good");
      assertThat(taken.spent().cost()).isEqualByComparingTo("0.02");
      assertThat(execution().figures().total().time()).isEqualByComparingTo("7");
      assertThat(text(PageName.VARIABLES)).contains("\"total_cost\": 0.02");
      settled();
      assertThat(edits()).isEmpty();
    }

    @Test
    void entries_that_file_and_store_add_at_once_are_both_kept() throws Exception {
      twoSteps();
      append("### Step 3 Execution - 2026-01-02T04:00:00Z\n- **real_outputs**: by hand\n");
      done(3, "by the store");
      quiet();
      assertThat(outputs()).containsExactly("powder", "steam", "by the store", "by hand");
      assertThat(text(PageName.HISTORY).split("### Step \\d Execution", -1)).hasSize(5);
      settled();
    }

    @Test
    void an_edit_of_an_earlier_entry_is_put_aside_told_journaled_and_undone() throws Exception {
      twoSteps();
      String truth = text(PageName.HISTORY);
      edit(PageName.HISTORY, "**real_outputs**: powder", "**real_outputs**: dust");
      String edited = text(PageName.HISTORY);
      Report report = sync();
      Finding told = found(report, Kind.RESTORED);
      assertThat(told.sentence()).contains("entry 1", "history.edited-");
      String aside =
          names().stream().filter(name -> name.startsWith("history.edited-")).findFirst().get();
      assertThat(aside).matches("history\\.edited-[0-9a-f]{12}\\.md");
      assertThat(told.sentence()).contains(aside);
      assertThat(Files.readString(folder.resolve(aside))).isEqualTo(edited);
      assertThat(edits()).hasSize(1);
      assertThat(edits().get(0).content().payload()).contains(aside);
      assertThat(text(PageName.HISTORY)).isEqualTo(truth);
      assertThat(outputs()).containsExactly("powder", "steam");
      settled();
    }

    @Test
    void removed_and_exchanged_entries_come_back_and_what_was_appended_is_taken_nevertheless()
        throws Exception {
      twoSteps();
      String truth = text(PageName.HISTORY);
      int first = truth.indexOf("### Step 1");
      int second = truth.indexOf("### Step 2");
      int training = truth.indexOf(TRAINING);
      save(PageName.HISTORY, truth.substring(0, first) + truth.substring(second));
      found(sync(), Kind.RESTORED);
      assertThat(text(PageName.HISTORY)).isEqualTo(truth);
      save(
          PageName.HISTORY,
          truth.substring(0, first)
              + truth.substring(second, training)
              + truth.substring(first, second)
              + truth.substring(training));
      found(sync(), Kind.RESTORED);
      assertThat(text(PageName.HISTORY)).isEqualTo(truth);
      edit(PageName.HISTORY, "**real_outputs**: steam", "**real_outputs**: smoke");
      append("### Step 3 Execution - 2026-01-02T04:00:00Z\n- **real_outputs**: coffee\n");
      found(sync(), Kind.RESTORED);
      assertThat(outputs()).containsExactly("powder", "steam", "coffee");
      assertThat(edits()).hasSize(3);
      settled();
    }

    @Test
    void an_entry_that_is_none_is_refused_with_its_line_and_stays() throws Exception {
      twoSteps();
      append("### Step 3 Execution - yesterday\n- **real_outputs**: coffee\n");
      Finding refused = found(sync(), Kind.REFUSED);
      assertThat(refused.sentence()).contains("yesterday");
      assertThat(lineOf(refused)).isEqualTo("### Step 3 Execution - yesterday");
      assertThat(text(PageName.HISTORY)).contains("### Step 3 Execution - yesterday");
      assertThat(outputs()).hasSize(2);
      done(3, "coffee");
      sync();
      assertThat(text(PageName.HISTORY)).contains("yesterday", "### Step 3 Execution - 2026");
      edit(PageName.HISTORY, "- yesterday", "- 2026-01-01T12:00:00Z");
      quiet();
      assertThat(outputs()).hasSize(4);
      settled();
    }

    @Test
    void the_training_section_is_mainstay_s_own() throws Exception {
      twoSteps();
      String truth = text(PageName.HISTORY);
      edit(PageName.HISTORY, "**tool_calls**: none", "**tool_calls**: many");
      assertThat(found(sync(), Kind.RESTORED).sentence()).contains("training", "Mainstay");
      assertThat(text(PageName.HISTORY)).isEqualTo(truth);
      settled();
    }

    @Test
    void words_between_the_entries_are_nobody_s_and_stay() throws Exception {
      twoSteps();
      edit(PageName.HISTORY, "### Step 2", "A word of my own.\n\n### Step 2");
      String saved = text(PageName.HISTORY);
      quiet();
      assertThat(text(PageName.HISTORY)).isEqualTo(saved);
      done(3, "coffee");
      quiet();
      assertThat(text(PageName.HISTORY)).contains("A word of my own.\n\n### Step 2");
      assertThat(edits()).isEmpty();
    }
  }
}
