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
import dev.mainstay.store.Tamper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Damage in the part of a notebook that was written whole, and that this process knows. */
class DamagedNotebooksTest {
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
    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aLongNotebook() {
      new Tasks(store).create(NewTask.titled("t"), ADA);
      Notebooks notebooks = new Notebooks(store);
      for (int i = 0; i < 30; i++) {
        var noted = NotebookDelta.of(Section.DECISIONS, i + " as it was said " + "y".repeat(200));
        notebooks.merge(TaskId.of(1), noted, ADA);
      }
      assertThat(Verification.of(store).findings()).isEmpty();
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
          "");
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
  }
}
