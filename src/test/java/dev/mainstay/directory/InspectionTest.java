package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Setting;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looking at a folder, watching it, and keeping secrets out of it. */
@Timeout(120)
class InspectionTest {
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

    private List<Finding> checked(Kind kind) throws Exception {
      Map<String, String> before = contents();
      long number = view().number();
      List<Finding> found = directories.check(folder);
      assertThat(contents()).as("a check changes nothing").isEqualTo(before);
      assertThat(view().number()).isEqualTo(number);
      return found.stream().filter(finding -> finding.kind() == kind).toList();
    }

    @Test
    void a_folder_in_order_has_nothing_to_tell() {
      begun();
      assertThat(directories.check(folder)).isEmpty();
    }

    @Test
    void a_missing_reference_names_its_line_and_the_nearest_name() throws Exception {
      begun();
      edit(
          PageName.PLAN,
          "### Step 2: boil\n- **component**:\n",
          "### Step 2: boil\n- **component**: {{file_paths.temp_dri}}\n");
      edit(
          PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nSee {{step_data.current}}.\n");
      List<Finding> missing = checked(Kind.REFERENCE);
      assertThat(missing).hasSize(2);
      assertThat(missing.get(0).file()).isEqualTo("plan.md");
      assertThat(lineOf(missing.get(0))).contains("temp_dri");
      assertThat(missing.get(0).sentence()).contains("file_paths.temp_dir");
      assertThat(missing.get(1).file()).isEqualTo("context.md");
      assertThat(missing.get(1).sentence()).contains("step_data.current_step");
      assertThat(checked(Kind.NOTE)).hasSize(2).allMatch(f -> f.sentence().contains("edited"));
    }

    @Test
    void a_missing_reference_in_a_directive_or_a_step_title_is_told() throws Exception {
      begun();
      edit(PageName.PLAN, "### Step 2: boil\n", "### Step 2: boil {{no.title}}\n");
      edit(
          PageName.CONSTRAINTS,
          "[Dynamic behavioral rules that evolve during execution]\n",
          "[Dynamic behavioral rules that evolve during execution]\n- Use {{no.such/thing}}\n");
      List<Finding> missing = checked(Kind.REFERENCE);
      assertThat(missing).extracting(Finding::file).containsExactly("plan.md", "constraints.md");
      assertThat(missing.get(0).sentence()).contains("no.title");
      assertThat(lineOf(missing.get(1))).contains("no.such/thing");
    }

    @Test
    void rules_values_steps_and_ids_that_cannot_be_are_told_with_their_lines() throws Exception {
      begun();
      edit(
          PageName.CONSTRAINTS,
          "## Adaptation Rules\n",
          "## Adaptation Rules\n- If the moon is full -> set priority to \"quality\"\n");
      edit(PageName.CONSTRAINTS, "**priority**: \"quality\"", "**priority**: \"haste\"");
      save(
          PageName.PLAN,
          text(PageName.PLAN).replaceFirst("status\\*\\*: PENDING", "status**: ASLEEP"));
      edit(PageName.VARIABLES, "\"execution_id\": \"exec_2026", "\"execution_id\": \"exec_2025");
      assertThat(lineOf(checked(Kind.RULE).get(0))).contains("moon is full");
      List<Finding> refused = checked(Kind.REFUSED);
      assertThat(refused)
          .anyMatch(f -> f.sentence().contains("haste"))
          .anyMatch(f -> f.sentence().contains("ASLEEP"))
          .anyMatch(f -> f.sentence().contains("but plan.md to exec_2026"));
      for (Finding each : refused) assertThat(each.line()).as(each.toString()).isNotNull();
    }

    @Test
    void missing_files_and_a_folder_that_the_store_does_not_know_are_told() throws Exception {
      begun();
      Files.delete(file(PageName.HISTORY));
      assertThat(checked(Kind.FAULT).get(0).toString())
          .isEqualTo("history.md: the file is missing");
      try (Store other = open(database().fresh())) {
        assertThat(new StateDirectories(other).check(folder))
            .anyMatch(f -> f.sentence().contains("does not know the folder"));
      }
    }

    @Test
    void what_was_refused_is_told_by_a_check_too() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**priority**: \"quality\"", "**priority**: \"haste\"");
      sync();
      assertThat(lineOf(checked(Kind.REFUSED).get(0))).contains("haste");
    }

    @Test
    void a_watch_follows_edits_and_the_store() throws Exception {
      begun();
      try (DirectoryWatch watch = directories.watch(folder, BOT)) {
        edit(PageName.PLAN, "### Step 3: pour", "### Step 3: serve");
        while (!labels().contains("serve")) watch.await(Duration.ofSeconds(1));
        executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
        while (!text(PageName.CONSTRAINTS).contains("**priority**: \"cost_efficiency\"")) {
          watch.await(Duration.ofSeconds(1));
        }
        Files.delete(file(PageName.CONTEXT));
        while (!Files.exists(file(PageName.CONTEXT))) watch.await(Duration.ofSeconds(1));
        // Its own writes make notices, but they end.
        while (watch.await(Duration.ofMillis(600)).isPresent()) assertThat(labels()).hasSize(3);
      }
      settled();
    }

    @Test
    void secrets_in_the_files_go_no_further_and_from_there_too() throws Exception {
      begun();
      String sample = String.join("", "AKIA", "Z7QX4MN2", "KD8WLP3R");
      edit(
          PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nThe key is " + sample + ".\n");
      edit(
          PageName.CONSTRAINTS,
          "## Active Directives\n",
          "## Active Directives\n- Use " + sample + "\n");
      edit(PageName.PLAN, "### Step 2: boil\n", "### Step 2: boil\nWords with " + sample + "\n\n");
      edit(PageName.VARIABLES, "\"flags\": {}", "\"flags\": {\"key\": \"" + sample + "\"}");
      edit(PageName.HISTORY, "## Step Execution Log\n", "## Step Execution Log\n" + sample + "\n");
      Map<String, String> before = contents();
      quiet();
      String id = directories.get(folder).id();
      store.<Integer>reading(
          tx -> {
            for (var known : tx.stateDirectories().files(id).entrySet()) {
              assertThat(known.getValue().base()).as(known.getKey()).doesNotContain(sample);
              assertThat(known.getValue().pending()).as(known.getKey()).isNull();
            }
            for (JournalEntry entry : tx.journal().between(task().stream(), 0, 1_000)) {
              assertThat(entry.content().payload()).doesNotContain(sample);
            }
            return 0;
          });
      assertThat(view().dossier().toString()).doesNotContain(sample);
      for (var each : contents().entrySet()) {
        assertThat(each.getValue()).as(each.getKey()).doesNotContain(sample).contains("[redacted:");
        String same = each.getValue().replaceAll("\\[redacted:[a-z0-9:-]+\\]", sample);
        if (!each.getKey().endsWith(".json"))
          assertThat(plain(same)).isEqualTo(plain(before.get(each.getKey())));
      }
      settled();
    }

    /** Without the times, which change with every edit that is taken. */
    private static String plain(String text) {
      return text.replaceAll("\\*\\*last_updated\\*\\*:.*", "");
    }
  }
}
