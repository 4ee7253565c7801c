package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Databases;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What people and agents write into the files in their own words, and the variables. */
class TextEditsTest {
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
    private static final List<PageName> MARKDOWN =
        List.of(PageName.PLAN, PageName.CONTEXT, PageName.HISTORY, PageName.CONSTRAINTS);

    private static final String OWN =
        """

        ## Of my own <!-- keep -->
        Words *of mine*,  with  spaces\t
           and an indent.

        ### Below
        - a list
          1. in it
        ```
        ## no heading
        ```
        """;

    Contract(Databases database) {
      super(database);
    }

    private void storeChanges() {
      done(1, "powder");
      states.moveStep(task(), 1, StepStatus.DONE, null, BOT);
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      states.addDirective(task(), "Be quick", false, BOT);
    }

    @Test
    void unknown_headings_and_free_text_survive_byte_for_byte_whatever_the_store_does()
        throws Exception {
      begun();
      for (PageName page : MARKDOWN) save(page, text(page) + OWN);
      Map<String, String> saved = contents();
      quiet();
      assertThat(contents()).isEqualTo(saved);
      storeChanges();
      quiet();
      for (PageName page : MARKDOWN) assertThat(text(page)).as(page.file()).contains(OWN);
      settled();
    }

    @Test
    void a_folder_that_was_deleted_is_written_again_with_every_word_of_anybody() throws Exception {
      TaskId task = begun();
      for (PageName page : MARKDOWN) save(page, text(page) + OWN);
      edit(PageName.PLAN, "### Step 2: boil\n", "### Step 2: boil\nA word about boiling.\n\n");
      edit(PageName.CONTEXT, "## Current Understanding\n", "## Current Understanding\nHot.\n");
      storeChanges();
      quiet();
      Map<String, String> shown = contents();
      for (String name : names()) Files.delete(folder.resolve(name));
      Files.delete(folder);
      assertThat(directories.shownAt(folder)).isEqualTo(task);
      directories.show(task, folder, BOT);
      assertThat(contents()).isEqualTo(shown);
      folder = temp.resolve("elsewhere");
      directories.show(task, folder, BOT);
      for (PageName page : MARKDOWN) {
        assertThat(contents().get(page.file())).isEqualTo(shown.get(page.file()));
      }
      settled();
    }

    @Test
    void files_with_windows_line_ends_keep_them() throws Exception {
      begun();
      for (PageName page : MARKDOWN) save(page, text(page).replace("\n", "\r\n"));
      Map<String, String> saved = contents();
      quiet();
      assertThat(contents()).isEqualTo(saved);
      edit(PageName.PLAN, "### Step 3: pour", "### Step 3: serve");
      storeChanges();
      quiet();
      assertThat(labels()).containsExactly("grind", "boil", "serve");
      for (PageName page : MARKDOWN) {
        assertThat(text(page).replace("\r\n", "")).as(page.file()).doesNotContain("\n");
      }
      settled();
    }

    @Test
    void passages_come_back_with_their_headings() throws Exception {
      begun();
      edit(PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nIt is *hot*.\n\n- very\n");
      edit(PageName.CONTEXT, "## Decision Rationale\n", "## Decision Rationale\nBecause.\n");
      String saved = text(PageName.CONTEXT);
      quiet();
      List<Passage> context = execution().pages().context();
      assertThat(context)
          .anyMatch(
              p -> p.heading().contains("Key Findings") && p.body().contains("*hot*.\n\n- very"))
          .anyMatch(
              p -> p.heading().contains("Decision Rationale") && p.body().contains("Because."));
      assertThat(text(PageName.CONTEXT)).isEqualTo(saved);
      edit(PageName.CONTEXT, "Because.\n", "");
      quiet();
      assertThat(execution().pages().context()).noneMatch(p -> p.body().contains("Because."));
      settled();
    }

    @Test
    void variables_come_back_with_their_types_and_numbers_as_they_were_spelled() throws Exception {
      begun();
      edit(
          PageName.VARIABLES,
          "\"flags\": {}",
          "\"flags\": { \"hot\" : true,   \"cups\":[1, 2.50],\"none\":null, \"deep\": {\"a.b\": \"x/y\"} }");
      String saved = text(PageName.VARIABLES);
      quiet();
      JsonObject flags = execution().pages().variables().object("extracted_data").object("flags");
      assertThat(flags.get("hot")).isEqualTo(true);
      assertThat(flags.get("cups")).isEqualTo(List.of(1L, new BigDecimal("2.5")));
      assertThat(flags.asMap()).containsKey("none");
      assertThat(text(PageName.VARIABLES)).isEqualTo(saved);
      done(1, "powder");
      quiet();
      assertThat(text(PageName.VARIABLES)).contains("[1, 2.50]");
      edit(PageName.VARIABLES, "\"none\": null,", "");
      edit(PageName.VARIABLES, "\"output_file\": \"\"", "\"output_file\": \"out.md\"");
      quiet();
      JsonObject variables = execution().pages().variables();
      assertThat(variables.object("extracted_data").object("flags").asMap())
          .doesNotContainKey("none");
      assertThat(variables.object("file_paths").text("output_file")).isEqualTo("out.md");
      settled();
    }

    @Test
    void a_deleted_file_comes_back_and_that_is_told() throws Exception {
      begun();
      for (PageName page : MARKDOWN) save(page, text(page) + OWN);
      quiet();
      Map<String, String> shown = contents();
      for (PageName page : PageName.values()) {
        Files.delete(file(page));
        Finding told = found(sync(), Kind.NOTE);
        assertThat(told.file()).isEqualTo(page.file());
        assertThat(told.sentence()).contains("written again");
        assertThat(contents()).isEqualTo(shown);
      }
      settled();
    }

    @Test
    void a_byte_order_mark_is_no_change() throws Exception {
      begun();
      for (PageName page : PageName.values()) save(page, "\uFEFF" + text(page));
      Map<String, String> saved = contents();
      quiet();
      assertThat(contents()).isEqualTo(saved);
      storeChanges();
      quiet();
      for (PageName page : PageName.values()) assertThat(text(page)).startsWith("\uFEFF");
      settled();
    }
  }
}
