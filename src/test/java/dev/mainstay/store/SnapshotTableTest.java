package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.RunEvent;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskType;
import dev.mainstay.store.DossierTable.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SnapshotTableTest {
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
    private static final String STREAM = ONE.stream();
    private static final String OTHER = TaskId.of(2).stream();

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

    private Stored record(List<? extends Event> events) {
      clock.advance(Duration.ofSeconds(1));
      return store.inTransaction(
          Once.unkeyed(), tx -> tx.dossiers().record(ONE, tx.dossiers().get(ONE), events, BOT));
    }

    private static Stored stored(long number) {
      return new Stored(number, Dossier.EMPTY);
    }

    private List<Long> numbers(String stream) {
      return store.reading(tx -> tx.snapshots().numbers(stream));
    }

    private Optional<Stored> upTo(String stream, long number) {
      return store.reading(tx -> tx.snapshots().upTo(stream, number));
    }

    private Dossier at(long number) {
      return store.reading(tx -> tx.snapshots().at(STREAM, number));
    }

    @Test
    void a_snapshot_comes_back_as_it_was_kept() {
      Stored made =
          record(
              List.of(
                  noted(Section.GOALS, "größe ✓ 😀"), new RunEvent.Started("g", List.of("done"))));
      given(tx -> tx.snapshots().keep(STREAM, made));
      assertThat(upTo(STREAM, made.number())).contains(made);
    }

    @Test
    void the_newest_at_or_before_an_entry_is_found() {
      for (long number : List.of(9L, 100L, 20L)) {
        given(tx -> tx.snapshots().keep(STREAM, stored(number)));
      }
      given(tx -> tx.snapshots().keep(OTHER, stored(21)));
      assertThat(numbers(STREAM)).containsExactly(9L, 20L, 100L);
      assertThat(upTo(STREAM, 8)).isEmpty();
      assertThat(upTo(STREAM, 9)).contains(stored(9));
      assertThat(upTo(STREAM, 99)).contains(stored(20));
      assertThat(upTo(STREAM, 5_000)).contains(stored(100));
    }

    @Test
    void one_is_due_when_a_round_number_was_reached_or_passed() {
      given(tx -> tx.snapshots().keepIfDue(STREAM, 0, stored(999)));
      given(tx -> tx.snapshots().keepIfDue(STREAM, 999, stored(1_000)));
      given(tx -> tx.snapshots().keepIfDue(STREAM, 1_000, stored(1_999)));
      given(tx -> tx.snapshots().keepIfDue(STREAM, 1_999, stored(4_007)));
      given(tx -> tx.snapshots().keepIfDue(STREAM, 4_007, stored(4_008)));
      assertThat(numbers(STREAM)).containsExactly(1_000L, 4_007L);
    }

    @Test
    void a_long_stream_leaves_one_on_its_way() {
      List<Event> many = new ArrayList<>();
      for (int i = 0; i < SnapshotTable.SNAPSHOT_ENTRIES - 2; i++) {
        many.add(new TaskStateEvent.ActionsNoted("turn " + i));
      }
      assertThat(record(many).number()).isEqualTo(999);
      assertThat(numbers(STREAM)).isEmpty();
      Stored round = record(List.of(noted(Section.GOALS, "a")));
      Stored next = record(List.of(noted(Section.GOALS, "b")));
      assertThat(upTo(STREAM, next.number())).contains(round);
      assertThat(at(next.number())).isEqualTo(next.dossier());
      assertThat(at(998).state().trail()).isNotEqualTo(at(999).state().trail());
    }

    @Test
    void every_earlier_moment_is_found_with_snapshots_and_without_them() {
      List<Stored> steps = new ArrayList<>();
      steps.add(record(List.of(noted(Section.GOALS, "a"))));
      steps.add(record(List.of(new RunEvent.Started("g", List.of()))));
      given(tx -> tx.snapshots().keep(STREAM, steps.get(1)));
      given(
          tx -> {
            var task = tx.tasks().lock(ONE);
            var held = new TaskEvent.Held("bot", 1, tx.now().plusSeconds(9));
            tx.tasks().record(task, List.of(held), ADA);
          });
      steps.add(record(List.of(noted(Section.HISTORY, "b"))));
      steps.add(record(List.of(new TaskStateEvent.ActionsNoted("c"))));
      for (Stored step : steps) assertThat(at(step.number())).isEqualTo(step.dossier());
      assertThat(at(1)).isEqualTo(Dossier.EMPTY);
      assertThat(at(4)).isEqualTo(steps.get(1).dossier());
      given(tx -> tx.sql("DELETE FROM snapshots").update());
      for (Stored step : steps) assertThat(at(step.number())).isEqualTo(step.dossier());
    }

    @Test
    void only_what_comes_after_a_snapshot_is_replayed() {
      record(List.of(noted(Section.GOALS, "a")));
      Stored last = record(List.of(noted(Section.GOALS, "b")));
      given(tx -> tx.snapshots().keep(STREAM, stored(2)));
      assertThat(at(last.number()).notebook().texts(Section.GOALS)).containsExactly("b");
    }

    @Test
    void the_table_itself_keeps_a_place_once_and_refuses_what_is_no_place() {
      given(tx -> tx.snapshots().keep(STREAM, stored(7)));
      for (long bad : List.of(7L, 0L, -1L)) {
        assertThatThrownBy(() -> given(tx -> tx.snapshots().keep(STREAM, stored(bad))))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
      given(tx -> tx.snapshots().keep(OTHER, stored(7)));
      assertThat(numbers(STREAM)).containsExactly(7L);
      assertThat(numbers(OTHER)).containsExactly(7L);
    }
  }
}
