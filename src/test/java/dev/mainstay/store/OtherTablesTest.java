package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A program that still runs after a newer one has changed the tables. */
class OtherTablesTest {
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

    @Test
    void it_is_told_to_start_the_newer_version_whether_it_reads_or_writes() {
      TaskId one = TaskId.of(1);
      for (String change :
          List.of(
              "ALTER TABLE dossiers RENAME COLUMN notes_since TO something_new",
              "ALTER TABLE dossiers RENAME TO something_else")) {
        MigrationStep.change(store, change);
        refused(() -> store.reading(tx -> tx.dossiers().find(one)));
        refused(() -> given(tx -> tx.dossiers().find(one)));
        refused(() -> given(tx -> tx.sql("UPDATE dossiers SET notes_since = '{}'").update()));
      }
    }

    private static void refused(ThrowingCallable work) {
      assertThatThrownBy(work)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("start the newer version");
    }
  }
}
