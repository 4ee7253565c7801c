package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Notebooks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Tamper;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Long notebooks: what is damaged in the part that was written whole, and what is to be forgotten
 * of it, although this process knows it.
 */
class LongNotebooksTest {
  private static final String SECRET = "the plum tree of my aunt";
  private static final TaskId TASK = TaskId.of(1);

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

  abstract static class Contract extends OnDatabase {
    private Notebooks notebooks;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aLongNotebook() {
      new Tasks(store).create(NewTask.titled("t"), ADA);
      notebooks = new Notebooks(store);
      note(Section.DECISIONS, SECRET);
      for (int i = 0; i < 40; i++) note(Section.OPEN_ISSUES, i + " as it was " + "y".repeat(200));
      assertThat(Raw.texts(store, "SELECT notebook FROM notebooks", "notebook").get(0))
          .contains(SECRET);
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private void note(Section section, String text) {
      notebooks.merge(TASK, NotebookDelta.of(section, text), ADA);
    }

    private void isFound(String change, String where, String problem) {
      Tamper.with(store, change);
      assertThat(Verification.of(store).findings())
          .anySatisfy(
              finding -> {
                assertThat(finding.where()).startsWith(where);
                assertThat(finding.problem()).contains(problem);
              });
    }

    @Test
    void another_text_is_found() {
      String other = "replace(CAST(notebook AS TEXT), 'as it was', 'as it was not')";
      boolean sqlite = database() == Databases.SQLITE;
      isFound(
          "UPDATE notebooks SET notebook = " + (sqlite ? other : "CAST(" + other + " AS jsonb)"),
          "dossiers.T-001",
          "as it was not");
    }

    @Test
    void one_that_is_missing_is_found_and_said() {
      isFound("DELETE FROM notebooks", "dossiers.T-001", "goes on from is missing");
    }

    @Test
    void one_that_nothing_goes_on_from_is_found() {
      isFound(
          "UPDATE dossiers SET notes_since = '{}', base_hash = ''",
          "notebooks.T-001",
          "no dossier goes on from this row");
    }

    private void forgetAndGoOn() {
      var files = new OwnFiles(Set::of, store.ownFiles());
      new Forgetting(store, files, new ForgettingTest.NoPages(), Forgetting.Copies.NONE)
          .apply(SECRET, ADA);
      note(Section.DECISIONS, "go on");
      assertThat(Raw.dump(store)).noneMatch(row -> row.contains("plum"));
      assertThat(notebooks.load(TASK).texts(Section.DECISIONS)).hasSize(2).contains("go on");
    }

    @Test
    void it_is_gone_and_who_knew_it_does_not_bring_it_back() {
      forgetAndGoOn();
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void nor_where_a_journal_is_damaged_and_the_rows_are_rewritten_as_they_stand() {
      Tamper.with(
          store, "UPDATE journal SET payload = '{}' WHERE stream = 'task/T-001' AND number = 1");
      forgetAndGoOn();
    }
  }
}
