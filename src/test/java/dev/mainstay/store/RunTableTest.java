package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RunEvent;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.RunRecord.Span;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RunTableTest {
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

    private Dossier after(TaskId task, Event... events) {
      clock.advance(Duration.ofSeconds(1));
      return store.inTransaction(
          Once.unkeyed(),
          tx ->
              tx.dossiers().record(task, tx.dossiers().get(task), List.of(events), BOT).dossier());
    }

    private static RunEvent started(String goal) {
      return new RunEvent.Started(goal, List.of());
    }

    private static RunEvent ended(RunPhase how) {
      return new RunEvent.Ended(how, "because");
    }

    private List<RunRecord> list(TaskId task) {
      return store.reading(tx -> tx.runs().list(task));
    }

    private Optional<RunRecord> last(TaskId task) {
      return store.reading(tx -> tx.runs().last(task));
    }

    private Optional<String> session(TaskId task, int number) {
      return store.reading(tx -> tx.runs().session(task, number));
    }

    private RunRecord run(int number, RunPhase phase) {
      Instant end = phase.isEnded() ? clock.instant().plusSeconds(5) : null;
      return new RunRecord(ONE, number, "größe ✓ 😀", phase, new Span(clock.instant(), end));
    }

    @Test
    void a_run_of_every_phase_comes_back_as_it_was_kept_oldest_first() {
      var phases =
          List.of(
              RunPhase.FINISHED,
              RunPhase.NO_PROGRESS,
              RunPhase.ABANDONED,
              RunPhase.SUSPENDED,
              RunPhase.RUNNING);
      for (int i = phases.size(); i > 0; i--) {
        RunRecord run = run(i * 5, phases.get(i - 1));
        given(tx -> tx.runs().insert(run, null));
      }
      assertThat(list(ONE)).extracting(RunRecord::number).containsExactly(5, 10, 15, 20, 25);
      assertThat(list(ONE)).extracting(RunRecord::phase).isEqualTo(phases);
      assertThat(list(ONE)).first().isEqualTo(run(5, RunPhase.FINISHED));
      assertThat(last(ONE)).contains(run(25, RunPhase.RUNNING));
      assertThat(last(TWO)).isEmpty();
      assertThat(list(TWO)).isEmpty();
    }

    @Test
    void a_run_follows_its_events_from_start_to_end() {
      after(ONE, started("g"));
      Instant start = clock.instant();
      after(ONE, new RunEvent.Suspended(new Waiting(Waiting.On.QUESTION, "which one?")));
      assertThat(last(ONE))
          .contains(new RunRecord(ONE, 1, "g", RunPhase.SUSPENDED, new Span(start, null)));
      after(ONE, new RunEvent.Resumed("this one", null));
      after(ONE, new RunEvent.Renewed("full"));
      assertThat(last(ONE))
          .contains(new RunRecord(ONE, 1, "g", RunPhase.RUNNING, new Span(start, null)));
      after(ONE, ended(RunPhase.NO_PROGRESS));
      assertThat(list(ONE))
          .containsExactly(
              new RunRecord(ONE, 1, "g", RunPhase.NO_PROGRESS, new Span(start, clock.instant())));
    }

    @Test
    void each_start_is_another_run_even_within_one_write() {
      after(ONE, started("g"), ended(RunPhase.ABANDONED), started("h"));
      after(TWO, started("i"));
      Span ended = new Span(list(ONE).get(0).span().startedAt(), list(ONE).get(0).span().endedAt());
      assertThat(list(ONE))
          .containsExactly(
              new RunRecord(ONE, 1, "g", RunPhase.ABANDONED, ended),
              new RunRecord(ONE, 2, "h", RunPhase.RUNNING, new Span(ended.startedAt(), null)));
      assertThat(ended.endedAt()).isEqualTo(ended.startedAt());
      assertThat(list(TWO)).extracting(RunRecord::number).containsExactly(1);
    }

    @Test
    void a_fork_goes_on_with_the_run_it_was_taken_from() {
      Dossier from = after(ONE, started("g"));
      after(TWO, new DossierEvent.Forked(ONE, 2, from));
      assertThat(list(TWO))
          .containsExactly(
              new RunRecord(TWO, 1, "g", RunPhase.RUNNING, new Span(clock.instant(), null)));
    }

    @Test
    void a_fork_of_what_had_no_run_has_none() {
      after(TWO, new DossierEvent.Forked(ONE, 1, Dossier.EMPTY));
      assertThat(list(TWO)).isEmpty();
    }

    @Test
    void the_last_run_alone_is_bound_to_a_session_and_keeps_it_while_it_moves() {
      after(ONE, started("g"), ended(RunPhase.FINISHED));
      after(ONE, started("g"));
      after(TWO, started("g"));
      given(tx -> tx.runs().bind(ONE, "S-1"));
      assertThat(session(ONE, 1)).isEmpty();
      assertThat(session(ONE, 2)).contains("S-1");
      assertThat(session(TWO, 1)).isEmpty();
      after(ONE, ended(RunPhase.FINISHED));
      assertThat(session(ONE, 2)).contains("S-1");
      assertThat(session(ONE, 3)).isEmpty();
    }

    @Test
    void a_run_is_put_back_with_its_session() {
      given(tx -> tx.runs().insert(run(1, RunPhase.RUNNING), "S-1"));
      assertThat(session(ONE, 1)).contains("S-1");
    }

    @Test
    void binding_a_task_without_runs_changes_nothing() {
      given(tx -> tx.runs().bind(ONE, "S-1"));
      assertThat(list(ONE)).isEmpty();
    }

    @Test
    void the_table_itself_refuses_what_is_no_run() {
      given(tx -> tx.runs().insert(run(1, RunPhase.RUNNING), null));
      given(tx -> tx.runs().insert(run(2, RunPhase.FINISHED), null));
      for (String change :
          List.of(
              "number = 2 WHERE number = 1",
              "number = 0 WHERE number = 1",
              "task_id = 'T-009'",
              "goal = NULL",
              "phase = 'NOT_STARTED' WHERE number = 1",
              "phase = 'FINISHED' WHERE number = 1",
              "phase = 'RUNNING' WHERE number = 2",
              "ended_at = started_at WHERE number = 1",
              "ended_at = NULL WHERE number = 2")) {
        assertThatThrownBy(() -> given(tx -> tx.sql("UPDATE runs SET " + change).update()))
            .as(change)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
    }

    @Test
    void a_deleted_task_takes_its_runs_with_it() {
      after(ONE, started("g"));
      after(TWO, started("g"));
      given(tx -> tx.sql("DELETE FROM tasks WHERE id = 'T-001'").update());
      assertThat(list(ONE)).isEmpty();
      assertThat(list(TWO)).hasSize(1);
    }
  }
}
