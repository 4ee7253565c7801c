package dev.mainstay.store;

import static dev.mainstay.domain.NotebookSamples.anyDelta;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Resolution;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.DossierTable.Stored;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Notebooks that are too long to be written whole with each note. */
class NotebookTableTest {
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
    private static final int TURNS = 30;

    Contract(Databases database) {
      super(database);
    }

    private TaskId task() {
      return store.inTransaction(
          Once.unkeyed(),
          tx -> {
            var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
            var created = new TaskEvent.Created(brief, null, null, List.of());
            return tx.tasks().create(tx.tasks().nextId(), created, 0, ADA).id();
          });
    }

    private Stored record(TaskId task, List<NotebookEvent> events, Call call) {
      return store.inTransaction(
          Once.unkeyed(), tx -> tx.dossiers().record(task, tx.dossiers().get(task), events, call));
    }

    private Stored note(TaskId task, Section section, String text) {
      return record(task, Notebook.EMPTY.merge(NotebookDelta.of(section, text)), ADA);
    }

    private Stored longOne(TaskId task) {
      Stored noted = Stored.NONE;
      for (int turn = 0; turn < TURNS; turn++) {
        noted = note(task, Section.DECISIONS, turn + "x".repeat(200));
      }
      return noted;
    }

    /** What is stored, with and without what this process knows already, and what others see. */
    private void holds(TaskId task, Stored wanted) {
      assertThat(store.<Stored>reading(tx -> tx.dossiers().get(task))).isEqualTo(wanted);
      assertThat(store.<Optional<Stored>>reading(tx -> tx.dossiers().examine(task)))
          .contains(wanted);
      assertThat(
              store.<JsonObject>reading(
                  tx ->
                      tx.sql("SELECT blob FROM state WHERE task_id = :task")
                          .bind("task", task)
                          .one(row -> row.json("blob"))))
          .isEqualTo(wanted.dossier().notebook().toBlob());
    }

    private List<String> hashes() {
      return Raw.texts(store, "SELECT hash FROM notebooks ORDER BY task_id", "hash");
    }

    @Test
    void a_long_notebook_is_written_whole_now_and_then_and_always_read_as_it_is() {
      TaskId task = task();
      Set<List<String>> written = new HashSet<>();
      for (int turn = 0; turn < TURNS; turn++) {
        note(task, Section.HISTORY, turn + "h".repeat(200));
        holds(task, note(task, Section.DECISIONS, turn + "x".repeat(200)));
        written.add(hashes());
      }
      assertThat(written).contains(List.of()).hasSizeBetween(3, TURNS / 2);
      String longest = "SELECT max(length(CAST(notes_since AS TEXT))) AS chars FROM dossiers";
      assertThat(Integer.parseInt(Raw.texts(store, longest, "chars").get(0)))
          .isLessThan(2 * DossierTable.NOTES_SINCE_CHARS_MAX);
    }

    @Test
    void whatever_happens_to_a_notebook_is_read_as_it_is() {
      Seeds.forAll(
          5,
          random -> {
            TaskId task = task();
            Notebook notebook = Notebook.EMPTY;
            for (int turn = 0; turn < TURNS; turn++) {
              List<NotebookEvent> events = anyEvents(random, notebook);
              if (events.isEmpty()) continue;
              Stored now = record(task, events, random.nextBoolean() ? ADA : BOT);
              holds(task, now);
              notebook = now.dossier().notebook();
            }
          });
    }

    private static List<NotebookEvent> anyEvents(Random random, Notebook notebook) {
      Resolution how = Resolution.values()[random.nextInt(3)];
      int items = notebook.texts(how.section()).size();
      return switch (random.nextInt(6)) {
        case 0 -> notebook.save(anyDelta(random));
        case 1 -> items == 0 ? List.of() : notebook.resolve("" + (1 + random.nextInt(items)), how);
        default -> notebook.merge(anyDelta(random));
      };
    }

    @Test
    void one_that_another_process_has_written_is_read_anew() {
      TaskId task = task();
      longOne(task);
      Tamper.with(store, "UPDATE notebooks SET hash = '" + "0".repeat(64) + "'");
      Tamper.with(store, "UPDATE dossiers SET base_hash = '" + "0".repeat(64) + "'");
      Stored read = store.reading(tx -> tx.dossiers().get(task));
      assertThat(read.dossier().notebook().texts(Section.DECISIONS)).hasSize(TURNS);
      holds(task, note(task, Section.DECISIONS, "one more"));
    }

    @Test
    void without_the_one_that_it_goes_on_from_a_dossier_is_damaged_and_that_is_said() {
      TaskId task = task();
      longOne(task);
      Tamper.with(store, "DELETE FROM notebooks");
      assertThatThrownBy(() -> store.reading(tx -> tx.dossiers().examine(task)))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("damaged");
    }

    @Test
    void nor_is_it_read_from_memory_then_or_shown_to_others_in_part() {
      TaskId task = task();
      longOne(task);
      Tamper.with(store, "DELETE FROM notebooks");
      assertThatThrownBy(() -> store.reading(tx -> tx.dossiers().get(task)))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("damaged");
      assertThat(Raw.texts(store, "SELECT blob FROM state", "blob")).isEmpty();
    }

    @Test
    void one_that_counts_more_notes_than_there_were_is_damaged() {
      TaskId task = task();
      note(task, Section.DECISIONS, "a");
      for (String kept : List.of("1", "-1", "9223372036854775807")) {
        String page =
            "{\"decisions\":{\"notes\":[],\"kept\":" + kept + ",\"dropped\":0,\"shortened\":0}}";
        Tamper.with(store, "UPDATE dossiers SET notes_since = '" + page + "'");
        assertThatThrownBy(() -> store.reading(tx -> tx.dossiers().get(task)))
            .isInstanceOf(Refusal.class)
            .hasMessageContaining("damaged");
      }
    }

    @Test
    void who_read_it_before_it_was_rewritten_does_not_write_what_goes_on_from_it() {
      TaskId task = task();
      longOne(task);
      String other = "0".repeat(64);
      var noted = Notebook.EMPTY.merge(NotebookDelta.of(Section.DECISIONS, "one more"));
      assertThatThrownBy(
              () ->
                  given(
                      tx -> {
                        Stored before = tx.dossiers().get(task);
                        tx.sql("UPDATE notebooks SET hash = '" + other + "'").update();
                        tx.sql("UPDATE dossiers SET base_hash = '" + other + "'").update();
                        tx.dossiers().record(task, before, noted, ADA);
                      }))
          .isInstanceOf(IllegalStateException.class);
      holds(task, note(task, Section.DECISIONS, "another"));
    }

    @Test
    void looking_through_all_of_them_keeps_none_in_memory() {
      TaskId task = task();
      Stored made = longOne(task);
      given(
          tx -> {
            assertThat(tx.dossiers().examine(task)).contains(made);
            tx.sql("DELETE FROM dossiers").update();
            tx.dossiers().restore(task, made);
            assertThat(tx.wholes()).isEmpty();
          });
      holds(task, made);
    }

    @Test
    void a_deleted_task_takes_it_along() {
      longOne(task());
      Stored other = longOne(task());
      given(tx -> tx.sql("DELETE FROM tasks WHERE id = 'T-001'").update());
      assertThat(hashes()).hasSize(1);
      holds(TaskId.of(2), other);
    }

    @Test
    void it_is_put_back_as_it_was() {
      Stored made = longOne(task());
      TaskId other = task();
      given(tx -> tx.dossiers().restore(other, made));
      holds(other, made);
    }

    /** As a store was whose notebooks were written whole with each note. */
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
    void what_was_noted_in_a_store_of_the_version_before_is_as_it_was_and_goes_on() {
      TaskId task = task();
      note(task, Section.DECISIONS, "a");
      Stored before = note(task, Section.DECISIONS, "b");
      asItWasBefore();
      new MigrationStep(store, "012").take();
      holds(task, before);
      holds(task, note(task, Section.DECISIONS, "c"));
    }
  }
}
