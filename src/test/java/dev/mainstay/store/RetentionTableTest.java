package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.ArchivedStreamTable.Archived;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetentionTableTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }

    @Test
    void every_table_whose_rows_vanish_with_a_task_is_archived_or_keeps_the_task() {
      Set<String> known = new TreeSet<>(HangingRows.OF_TASK.keySet());
      known.removeAll(Set.of("tasks", "artifact_contents", "snapshots"));
      known.addAll(Set.of("file_writes", "state_directories", "budget_reservations")); // holds
      Set<String> vanishing = new TreeSet<>();
      for (String table : TableCopy.TABLES.keySet()) {
        vanishing.addAll(
            Raw.texts(
                store,
                "SELECT '"
                    + table
                    + "' AS name FROM pragma_foreign_key_list('"
                    + table
                    + "') WHERE \"table\" = 'tasks' AND on_delete = 'CASCADE'",
                "name"));
      }
      assertThat(vanishing).isEqualTo(known);
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

    private void task(long number) {
      var brief = new Brief("t" + number, "", TaskType.CODE, 0, JsonObject.EMPTY);
      var created = new TaskEvent.Created(brief, null, null, List.of());
      given(tx -> tx.tasks().create(TaskId.of(number), created, 0, ADA));
    }

    private static Archived archived(String stream, long number) {
      return new Archived(stream, number, "h", "file", THEN);
    }

    @Test
    void entries_of_a_stream_that_was_not_archived_cannot_leave_even_when_the_journal_is_open() {
      task(1);
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.dialect().openJournal(tx);
                        tx.journal().remove("task/T-001", 9);
                      }))
          .hasStackTraceContaining("append-only");
      assertThat(store.<Long>reading(tx -> tx.journal().count())).isEqualTo(1);
    }

    @Test
    void entries_of_an_archived_stream_cannot_leave_while_the_journal_is_closed() {
      task(1);
      given(tx -> tx.archivedStreams().insert(archived("task/T-001", 1)));
      assertThatThrownBy(() -> given(tx -> tx.journal().remove("task/T-001", 1)))
          .hasStackTraceContaining("append-only");
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.dialect().openJournal(tx);
                        tx.dialect().closeJournal(tx);
                        tx.journal().remove("task/T-001", 1);
                      }))
          .hasStackTraceContaining("append-only");
    }

    @Test
    void entries_are_never_changed_not_even_when_the_journal_is_open() {
      task(1);
      given(tx -> tx.archivedStreams().insert(archived("task/T-001", 1)));
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        tx.dialect().openJournal(tx);
                        tx.sql("UPDATE journal SET kind = 'x'").update();
                      }))
          .hasStackTraceContaining("append-only");
    }

    @Test
    void a_removed_stream_is_gone_with_its_rows_and_what_was_opened_is_closed_again() {
      task(1);
      task(2);
      given(tx -> tx.retention().remove(ClosedStream.of(TaskId.of(1)), archived("task/T-001", 1)));
      assertThat(store.<Long>reading(tx -> tx.journal().count())).isEqualTo(1);
      Optional<Task> row = store.reading(tx -> tx.tasks().find(TaskId.of(1)));
      assertThat(row).isEmpty();
      Optional<Archived> kept = store.reading(tx -> tx.archivedStreams().find("task/T-001"));
      assertThat(kept).contains(archived("task/T-001", 1));
      assertThatThrownBy(() -> Raw.run(store, "DELETE FROM journal"))
          .hasStackTraceContaining("append-only");
    }

    @Test
    void contents_leave_with_the_last_artifact_that_shows_them() {
      task(1);
      task(2);
      for (String text : List.of("shared", "own")) {
        Raw.run(
            store,
            "INSERT INTO artifact_contents (content_hash, content, size_bytes) VALUES ('"
                + text
                + "', 'x', 1)");
      }
      for (String of :
          List.of(
              "'T-001', 'TEXT', 'shared'", "'T-002', 'TEXT', 'shared'", "'T-001', 'TEXT', 'own'")) {
        Raw.run(
            store,
            "INSERT INTO task_artifacts (task_id, artifact_type, content_hash) VALUES ("
                + of
                + ")");
      }
      given(tx -> tx.retention().lockContents(List.of("T-001")));
      given(tx -> tx.retention().remove(ClosedStream.of(TaskId.of(1)), archived("task/T-001", 1)));
      assertThat(Raw.texts(store, "SELECT content_hash FROM artifact_contents", "content_hash"))
          .containsExactly("shared");
      given(tx -> tx.retention().remove(ClosedStream.of(TaskId.of(2)), archived("task/T-002", 1)));
      assertThat(Raw.texts(store, "SELECT content_hash FROM artifact_contents", "content_hash"))
          .isEmpty();
    }

    @Test
    void a_turn_is_taken_by_one_and_again_when_it_is_due() {
      assertThat(turn()).isTrue();
      assertThat(turn()).isFalse();
      clock.advance(Duration.ofHours(1));
      assertThat(turn()).isTrue();
      assertThat(turn()).isFalse();
    }

    private boolean turn() {
      return store.inTransaction(
          Once.unkeyed(), tx -> tx.retention().takeTurn(tx.now().minus(Duration.ofHours(1))));
    }

    @Test
    void one_of_many_who_come_at_once_gets_the_turn() throws Exception {
      assertThat(Both.atOnce(8, this::turn)).containsOnlyOnce(true);
    }
  }
}
