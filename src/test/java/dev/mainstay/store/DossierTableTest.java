package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.CriterionEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.ObservedEvent;
import dev.mainstay.domain.RunEvent;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.DossierTable.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DossierTableTest {
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
    private static final TaskId TWO = TaskId.of(2);

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void twoTasks() {
      for (int i = 0; i < 2; i++) {
        given(
            tx -> {
              var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
              var created = new TaskEvent.Created(brief, null, null, List.of());
              tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
            });
      }
    }

    private static NotebookEvent noted(Section section, String... texts) {
      return new NotebookEvent.Merged(NotebookDelta.of(section, texts));
    }

    private Stored record(TaskId task, Event... events) {
      return store.inTransaction(
          Once.unkeyed(),
          tx -> tx.dossiers().record(task, tx.dossiers().get(task), List.of(events), ADA));
    }

    private Stored get(TaskId task) {
      return store.reading(tx -> tx.dossiers().get(task));
    }

    private Optional<Stored> find(TaskId task) {
      return store.reading(tx -> tx.dossiers().find(task));
    }

    private Optional<JsonObject> blob(TaskId task) {
      return store.reading(
          tx ->
              tx.sql("SELECT blob FROM state WHERE task_id = :task")
                  .bind("task", task)
                  .first(row -> row.json("blob")));
    }

    private List<JournalEntry> journal(TaskId task) {
      return store.reading(tx -> tx.journal().stream(task.stream()));
    }

    @Test
    void a_task_about_which_nothing_is_known_has_an_empty_dossier_at_0() {
      assertThat(get(ONE)).isEqualTo(new Stored(0, Dossier.EMPTY));
      assertThat(find(ONE)).isEmpty();
      assertThat(blob(ONE)).isEmpty();
    }

    @Test
    void a_dossier_comes_back_as_its_events_made_it_with_authors_and_times() {
      Stored made =
          record(
              ONE,
              noted(Section.GOALS, "größe ✓ 😀", "line one\nline two"),
              noted(Section.HISTORY, "a", "b", "c", "d"),
              new RunEvent.Started("ship it", List.of("tests are green")),
              new TaskStateEvent.DirectiveRecorded("keep it small", true),
              new TaskStateEvent.Compressed("cut", "less", 9_007_199_254_740_993L, 7),
              new CriterionEvent.Added("größe ✓", "make 😀"),
              new CriterionEvent.MetByWord(0, "seen"),
              new ObservedEvent.EvidenceSeen("make 😀", -1, new Tree("w-1", "t"), How.RAN),
              new ObservedEvent.ConflictSeen("größe.txt", TWO, null, "h"));
      assertThat(get(ONE)).isEqualTo(made);
      var goal = made.dossier().notebook().page(Section.GOALS).notes().get(0);
      assertThat(goal.origin())
          .isEqualTo(new JournalEntry.Origin(ADA.actor(), ADA.source(), clock.instant()));
      assertThat(made.dossier().notebook().page(Section.HISTORY).dropped()).isEqualTo(1);
    }

    @Test
    void the_rows_and_the_journal_change_at_once() {
      Stored first = record(ONE, noted(Section.GOALS, "a"), noted(Section.GOALS, "b"));
      assertThat(first.number()).isEqualTo(3);
      Stored second = record(ONE, new TaskStateEvent.ActionsNoted("ran the tests"));
      assertThat(second.number()).isEqualTo(4);
      assertThat(get(ONE)).isEqualTo(second);
      assertThat(journal(ONE))
          .extracting(entry -> entry.content().kind())
          .containsExactly(
              "task.created", "notebook.merged", "notebook.merged", "state.actions_noted");
      assertThat(find(TWO)).isEmpty();
    }

    @Test
    void what_was_seen_changes_alone_and_with_a_first_event() {
      Stored first = record(ONE, new ObservedEvent.ConflictSeen("a.txt", TWO, "1", "2"));
      assertThat(get(ONE)).isEqualTo(first);
      Stored second = record(ONE, new ObservedEvent.Settled("a.txt"));
      assertThat(get(ONE)).isEqualTo(second);
      assertThat(second.dossier()).isEqualTo(Dossier.EMPTY);
    }

    @Test
    void no_events_change_nothing() {
      Stored before = record(ONE, noted(Section.GOALS, "a"));
      assertThat(record(ONE)).isEqualTo(before);
      assertThat(record(TWO)).isEqualTo(Stored.NONE);
      assertThat(journal(ONE)).hasSize(2);
      assertThat(find(TWO)).isEmpty();
    }

    @Test
    void the_notebook_can_be_read_plainly_and_follows_every_change_of_it() {
      record(ONE, noted(Section.GOALS, "a"));
      assertThat(blob(ONE)).contains(get(ONE).dossier().notebook().toBlob());
      record(ONE, noted(Section.NEXT_FOCUS, "tests"));
      JsonObject noted = blob(ONE).orElseThrow();
      assertThat(noted.texts("goals")).containsExactly("a");
      assertThat(noted.text("next_focus")).isEqualTo("tests");
      assertThat(noted.texts("open_issues")).isEmpty();
      record(ONE, new TaskStateEvent.ActionsNoted("ran the tests"));
      assertThat(blob(ONE)).contains(noted);
    }

    @Test
    void a_checkpoint_is_kept_at_its_own_entry_and_not_at_the_last_one() {
      record(
          ONE,
          noted(Section.GOALS, "a"),
          new DossierEvent.CheckpointSaved("draft"),
          noted(Section.GOALS, "b"));
      List<Checkpoint> kept = store.reading(tx -> tx.checkpoints().list(ONE));
      assertThat(kept).containsExactly(new Checkpoint(ONE, "draft", 3, clock.instant()));
      assertThat(journal(ONE).get(2).content().kind()).isEqualTo("checkpoint.saved");
    }

    @Test
    void a_dossier_that_is_begun_twice_is_refused_and_leaves_no_entry() {
      Stored kept = record(ONE, noted(Section.GOALS, "a"));
      var late = List.of(noted(Section.GOALS, "b"));
      assertThatThrownBy(() -> given(tx -> tx.dossiers().record(ONE, Stored.NONE, late, ADA)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThat(get(ONE)).isEqualTo(kept);
      assertThat(journal(ONE)).hasSize(2);
    }

    @Test
    void a_task_that_is_not_there_gets_no_dossier_and_no_entry() {
      assertThatThrownBy(() -> record(TaskId.of(9), noted(Section.GOALS, "a")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("constraint");
      assertThat(journal(TaskId.of(9))).isEmpty();
    }

    @Test
    void other_programs_see_the_notebook_as_it_is() {
      List<Event> events = new ArrayList<>();
      for (Section section : Section.values()) {
        for (String text : List.of("b", "a", "say \"no\" to it\n\\", "λ 🌊 é", "null", "7")) {
          events.add(noted(section, section.key() + " " + text));
        }
      }
      for (Event event : events) record(ONE, event);
      record(TWO, noted(Section.GOALS, "alone"));
      for (TaskId each : List.of(ONE, TWO)) {
        assertThat(blob(each)).contains(get(each).dossier().notebook().toBlob());
      }
    }

    @Test
    void a_write_to_the_view_is_refused_with_what_to_do_instead() {
      record(ONE, noted(Section.GOALS, "a"));
      Optional<JsonObject> before = blob(ONE);
      for (String change :
          List.of(
              "INSERT INTO state (task_id, blob) VALUES ('T-002', '{}')",
              "UPDATE state SET blob = '{}' WHERE task_id = 'T-001'",
              "DELETE FROM state WHERE task_id = 'T-001'")) {
        assertThatThrownBy(() -> given(tx -> tx.sql(change).update()))
            .as(change)
            .hasStackTraceContaining("state is a read-only view; use mainstay state merge");
        assertThat(blob(ONE)).isEqualTo(before);
        assertThat(blob(TWO)).isEmpty();
      }
    }

    @Test
    void a_dossier_that_was_read_without_its_lock_is_not_written() {
      Stored old = record(ONE, noted(Section.GOALS, "a"));
      record(ONE, noted(Section.GOALS, "b"));
      assertThatThrownBy(
              () ->
                  given(
                      tx ->
                          tx.dossiers().record(ONE, old, List.of(noted(Section.GOALS, "c")), ADA)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageNotContaining("\"a\"");
      assertThat(get(ONE).dossier().notebook().texts(Section.GOALS)).containsExactly("a", "b");
      assertThat(journal(ONE)).hasSize(3);
    }

    @Test
    void a_dossier_is_put_back_without_an_entry() {
      Stored made = record(ONE, noted(Section.GOALS, "a"), new RunEvent.Started("g", List.of()));
      given(tx -> tx.dossiers().restore(TWO, made));
      assertThat(get(TWO)).isEqualTo(made);
      assertThat(blob(TWO)).isEqualTo(blob(ONE));
      assertThat(journal(TWO)).hasSize(1);
    }

    @Test
    void the_tables_themselves_refuse_what_no_dossier_is() {
      record(ONE, noted(Section.GOALS, "a"));
      for (String change :
          List.of(
              "UPDATE dossiers SET number = 0",
              "UPDATE dossiers SET notes_since = NULL",
              "UPDATE dossiers SET task_state = NULL",
              "UPDATE dossiers SET observed = NULL",
              "UPDATE dossiers SET task_id = 'T-009'")) {
        assertThatThrownBy(() -> given(tx -> tx.sql(change).update()))
            .as(change)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
    }

    @Test
    void a_deleted_task_takes_its_dossier_with_it_and_its_journal_stays() {
      record(ONE, noted(Section.GOALS, "a"));
      Stored other = record(TWO, noted(Section.GOALS, "b"));
      given(tx -> tx.sql("DELETE FROM tasks WHERE id = 'T-001'").update());
      assertThat(find(ONE)).isEmpty();
      assertThat(blob(ONE)).isEmpty();
      assertThat(journal(ONE)).hasSize(2);
      assertThat(get(TWO)).isEqualTo(other);
    }
  }
}
