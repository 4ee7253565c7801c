package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PageEvent;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.state.StepWork;
import dev.mainstay.store.Databases;
import dev.mainstay.store.StateDirectoryTable.Known;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Both sides change something: different things, the same thing, or one of them dies meanwhile. */
class ConflictsTest {
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
    private static final String SENTIMENT = "**user_sentiment**: ";

    Contract(Databases database) {
      super(database);
    }

    private void say(String path, Object value) {
      JsonObject change = JsonObject.of(path, value);
      steps.start(task(), 1, ADA);
      steps.finish(
          task(), new StepWork.Report(Map.of(), StepWork.Usage.UNKNOWN, change, null), ADA);
    }

    private void note(String heading, String body) {
      given(
          tx ->
              ExecutionWriting.write(
                  tx,
                  task(),
                  BOT,
                  dossier -> {
                    List<Passage> next = new ArrayList<>();
                    for (Passage each : dossier.execution().pages().context()) {
                      boolean meant = each.heading().contains(heading);
                      next.add(meant ? new Passage(each.heading(), body) : each);
                    }
                    return List.of(new PageEvent.ContextSet(next));
                  }));
    }

    private void fellOut() throws IOException {
      begun();
      edit(PageName.CONSTRAINTS, SENTIMENT + "\"neutral\"", SENTIMENT + "\"pleased\"");
      executions.set(task(), Setting.USER_SENTIMENT, "impatient", ADA);
    }

    @Test
    void different_items_of_one_file_are_both_kept() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, SENTIMENT + "\"neutral\"", SENTIMENT + "\"pleased\"");
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      edit(PageName.PLAN, "### Step 3: pour", "### Step 3: serve");
      states.moveStep(task(), 0, StepStatus.DONE, null, BOT);
      edit(PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nBy the file.\n");
      note("Decision Rationale", "By the store.\n");
      edit(PageName.VARIABLES, "\"flags\": {}", "\"flags\": {\"file\": 1}");
      say("extracted_data.key_metrics.store", 2L);
      quiet();
      assertThat(text(PageName.CONSTRAINTS))
          .contains(SENTIMENT + "\"pleased\"", "**priority**: \"cost_efficiency\"");
      assertThat(labels()).containsExactly("grind", "boil", "serve");
      assertThat(plan().step(0).status()).isEqualTo(StepStatus.DONE);
      assertThat(text(PageName.CONTEXT)).contains("By the file.", "By the store.");
      assertThat(execution().pages().context())
          .anyMatch(p -> p.body().contains("By the file."))
          .anyMatch(p -> p.body().contains("By the store."));
      JsonObject data = execution().pages().variables().object("extracted_data");
      assertThat(data.object("flags").get("file")).isEqualTo(1L);
      assertThat(data.object("key_metrics").get("store")).isEqualTo(2L);
      settled();
    }

    @Test
    void the_same_item_stays_as_it_is_on_each_side_and_is_told_with_both_values() throws Exception {
      fellOut();
      for (int look = 0; look < 3; look++) {
        Report report = sync();
        Finding told = found(report, Kind.CONFLICT);
        assertThat(told.sentence()).contains("user_sentiment", "\"pleased\"", "\"impatient\"");
        assertThat(lineOf(told)).contains("user_sentiment");
        assertThat(report.hasProblems()).isTrue();
        assertThat(text(PageName.CONSTRAINTS)).contains(SENTIMENT + "\"pleased\"");
        assertThat(execution().setting(Setting.USER_SENTIMENT)).isEqualTo("impatient");
      }
      assertThat(directories.check(folder)).anyMatch(f -> f.kind() == Kind.CONFLICT);
    }

    @Test
    void while_a_conflict_is_open_everything_else_flows() throws Exception {
      fellOut();
      found(sync(), Kind.CONFLICT);
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      done(1, "powder");
      found(sync(), Kind.CONFLICT);
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(4L);
      assertThat(text(PageName.CONSTRAINTS)).contains("\"cost_efficiency\"", "\"pleased\"");
      assertThat(text(PageName.HISTORY)).contains("powder");
    }

    @Test
    void a_conflict_ends_when_the_file_takes_the_store_s_value() throws Exception {
      fellOut();
      sync();
      edit(PageName.CONSTRAINTS, SENTIMENT + "\"pleased\"", SENTIMENT + "\"impatient\"");
      quiet();
      settled();
      edit(PageName.CONSTRAINTS, SENTIMENT + "\"impatient\"", SENTIMENT + "\"frustrated\"");
      quiet();
      assertThat(execution().setting(Setting.USER_SENTIMENT)).isEqualTo("frustrated");
    }

    @Test
    void a_conflict_ends_when_the_store_takes_the_file_s_value() throws Exception {
      fellOut();
      sync();
      executions.set(task(), Setting.USER_SENTIMENT, "pleased", ADA);
      quiet();
      settled();
      executions.set(task(), Setting.USER_SENTIMENT, "neutral", ADA);
      quiet();
      assertThat(text(PageName.CONSTRAINTS)).contains(SENTIMENT + "\"neutral\"");
    }

    @Test
    void a_conflict_ends_when_either_side_goes_back_to_what_both_knew() throws Exception {
      fellOut();
      sync();
      executions.set(task(), Setting.USER_SENTIMENT, "neutral", ADA);
      quiet();
      assertThat(execution().setting(Setting.USER_SENTIMENT)).isEqualTo("pleased");
      settled();
    }

    @Test
    void passages_and_variables_fall_out_one_by_one() throws Exception {
      begun();
      edit(PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nBy the file.\n");
      note("Key Findings", "By the store.\n");
      edit(PageName.VARIABLES, "\"output_file\": \"\"", "\"output_file\": \"file.md\"");
      say("file_paths.output_file", "store.md");
      for (int look = 0; look < 2; look++) {
        Report report = sync();
        assertThat(report.findings()).hasSize(2).allMatch(f -> f.kind() == Kind.CONFLICT);
        assertThat(text(PageName.CONTEXT)).contains("By the file.").doesNotContain("the store");
        assertThat(text(PageName.VARIABLES)).contains("file.md").doesNotContain("store.md");
        assertThat(execution().pages().context()).anyMatch(p -> p.body().contains("the store"));
      }
      edit(PageName.VARIABLES, "file.md", "store.md");
      assertThat(sync().findings()).hasSize(1);
      note("Key Findings", "nothing");
      String body = text(PageName.CONTEXT);
      edit(
          PageName.CONTEXT,
          body.substring(body.indexOf("By the file."), body.indexOf("## Current")),
          "nothing\n\n");
      sync();
      assertThat(text(PageName.CONTEXT)).contains("nothing");
    }

    @Test
    void a_step_that_one_side_took_away_and_the_other_changed_stays_on_both() throws Exception {
      begun();
      edit(PageName.PLAN, "### Step 2: boil", "### Step 2: heat");
      states.moveStep(task(), 1, StepStatus.ACTIVE, null, BOT);
      assertThat(found(sync(), Kind.CONFLICT).sentence()).contains("boil");
      assertThat(labels()).contains("grind", "boil", "heat", "pour");
      assertThat(text(PageName.PLAN)).contains(": boil", ": heat");
      settled();
    }

    @Test
    void a_value_that_was_refused_and_then_changed_in_the_store_is_a_conflict() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**priority**: \"quality\"", "**priority**: \"haste\"");
      found(sync(), Kind.REFUSED);
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      assertThat(found(sync(), Kind.CONFLICT).sentence()).contains("haste", "cost_efficiency");
      assertThat(text(PageName.CONSTRAINTS)).contains("**priority**: \"haste\"");
      edit(PageName.CONSTRAINTS, "\"haste\"", "\"cost_efficiency\"");
      quiet();
      settled();
    }

    /** As after a transaction whose texts never reached the disk. */
    private void diedBeforeWriting(Map<String, String> disk, PageName page) throws IOException {
      String id = directories.get(folder).id();
      String intended = text(page);
      String old = disk.get(page.file());
      given(tx -> tx.stateDirectories().putFile(id, page.file(), new Known(old, intended)));
      Files.writeString(file(page), old);
    }

    @Test
    void a_sync_that_died_before_it_wrote_undoes_nothing() throws Exception {
      begun();
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      edit(PageName.PLAN, "### Step 3: pour", "### Step 3: serve");
      Map<String, String> disk = contents();
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      states.moveStep(task(), 0, StepStatus.DONE, null, BOT);
      quiet();
      Map<String, String> written = contents();
      for (PageName page : List.of(PageName.CONSTRAINTS, PageName.PLAN)) {
        diedBeforeWriting(disk, page);
      }
      quiet();
      assertThat(contents()).isEqualTo(written);
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(4L);
      assertThat(execution().setting(Setting.PRIORITY)).isEqualTo("cost_efficiency");
      assertThat(plan().step(0).status()).isEqualTo(StepStatus.DONE);
      assertThat(labels()).contains("serve");
      settled();
    }

    @Test
    void a_file_that_was_written_and_not_confirmed_is_recognised() throws Exception {
      begun();
      String old = text(PageName.CONSTRAINTS);
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      quiet();
      String id = directories.get(folder).id();
      String now = text(PageName.CONSTRAINTS);
      given(
          tx ->
              tx.stateDirectories().putFile(id, PageName.CONSTRAINTS.file(), new Known(old, now)));
      executions.set(task(), Setting.PRIORITY, "quality", ADA);
      quiet();
      assertThat(execution().setting(Setting.PRIORITY)).isEqualTo("quality");
      assertThat(text(PageName.CONSTRAINTS)).contains("**priority**: \"quality\"");
      settled();
    }

    @Test
    void an_edit_after_a_write_that_was_not_confirmed_is_taken_and_the_store_keeps_its_own()
        throws Exception {
      begun();
      String old = text(PageName.CONSTRAINTS);
      executions.set(task(), Setting.PRIORITY, "cost_efficiency", ADA);
      quiet();
      String id = directories.get(folder).id();
      String now = text(PageName.CONSTRAINTS);
      given(
          tx ->
              tx.stateDirectories().putFile(id, PageName.CONSTRAINTS.file(), new Known(old, now)));
      edit(PageName.CONSTRAINTS, "**max_web_requests**: 5", "**max_web_requests**: 4");
      executions.set(task(), Setting.PRIORITY, "speed_and_clarity", ADA);
      sync();
      assertThat(execution().setting(Setting.MAX_WEB_REQUESTS)).isEqualTo(4L);
      assertThat(execution().setting(Setting.PRIORITY)).isEqualTo("speed_and_clarity");
    }
  }
}
