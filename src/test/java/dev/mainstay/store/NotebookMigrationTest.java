package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.DossierTable.Stored;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A store whose notebooks were written whole with each note, opened by this program. */
class NotebookMigrationTest {
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
    private static final TaskId ONE = TaskId.of(1);

    Contract(Databases database) {
      super(database);
    }

    private Stored note(String text) {
      var noted = new NotebookEvent.Merged(NotebookDelta.of(Section.DECISIONS, text));
      return store.inTransaction(
          Once.unkeyed(),
          tx -> tx.dossiers().record(ONE, tx.dossiers().get(ONE), List.of(noted), ADA));
    }

    private JsonObject blob() {
      return store.reading(tx -> tx.sql("SELECT blob FROM state").one(row -> row.json("blob")));
    }

    private void asItWasBefore() {
      for (String change :
          List.of(
              "DROP VIEW state",
              "DROP TABLE notebooks",
              "ALTER TABLE dossiers DROP COLUMN base_hash",
              "ALTER TABLE dossiers RENAME COLUMN notes_since TO notebook",
              "CREATE TABLE state (task_id TEXT, blob TEXT)")) {
        MigrationStep.change(store, change);
      }
      new MigrationStep(store, "011").take();
    }

    @Test
    void its_notebooks_are_as_they_were_and_go_on() {
      given(
          tx -> {
            var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
            var created = new TaskEvent.Created(brief, null, null, List.of());
            tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
          });
      note("a");
      Stored before = note("b");
      JsonObject shown = blob();
      asItWasBefore();
      assertThat(blob()).isEqualTo(shown);
      new MigrationStep(store, "012").take();
      assertThat(store.<Stored>reading(tx -> tx.dossiers().get(ONE))).isEqualTo(before);
      assertThat(blob()).isEqualTo(shown);
      note("c");
      assertThat(blob().texts("decisions")).containsExactly("a", "b", "c");
    }
  }
}
