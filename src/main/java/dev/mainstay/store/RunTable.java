package dev.mainstay.store;

import dev.mainstay.domain.Event;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.RunRecord.Span;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs of all tasks, made of the same events as the dossiers. The session is local. */
public final class RunTable {
  private final Tx tx;

  RunTable(Tx tx) {
    this.tx = tx;
  }

  /** Brings the list after an event that began or moved a run. */
  void follow(TaskId task, Event event, Run run, Instant at) {
    RunRecord last = last(task).orElse(null);
    RunRecord now = RunRecord.after(task, last, event, run, at);
    if (now == null || now.equals(last)) return;
    if (last == null || now.number() > last.number()) insert(now, null);
    else update(now);
  }

  /** Also puts a row back when a store is made anew. */
  public void insert(RunRecord run, @Nullable String session) {
    values(
            tx.sql(
                """
                INSERT INTO runs (task_id, number, session_id, goal, phase, started_at, ended_at)
                VALUES (:task, :number, :session, :goal, :phase, :started_at, :ended_at)"""),
            run)
        .bind("session", session)
        .bind("started_at", run.span().startedAt())
        .bind("goal", run.goal())
        .update();
  }

  private void update(RunRecord run) {
    values(
            tx.sql(
                """
                UPDATE runs SET phase = :phase, ended_at = :ended_at
                WHERE task_id = :task AND number = :number"""),
            run)
        .update();
  }

  private static Sql values(Sql sql, RunRecord run) {
    return sql.bind("task", run.task())
        .bind("number", run.number())
        .bind("phase", run.phase())
        .bind("ended_at", run.span().endedAt());
  }

  public Optional<RunRecord> last(TaskId task) {
    return tx.sql("SELECT * FROM runs WHERE task_id = :task ORDER BY number DESC LIMIT 1")
        .bind("task", task)
        .first(RunTable::run);
  }

  /** Oldest first. */
  public List<RunRecord> list(TaskId task) {
    return tx.sql("SELECT * FROM runs WHERE task_id = :task ORDER BY number")
        .bind("task", task)
        .list(RunTable::run);
  }

  /** The session in which a run was begun, if that is known. */
  public Optional<String> session(TaskId task, int number) {
    return tx.sql(
            """
            SELECT session_id FROM runs
            WHERE task_id = :task AND number = :number AND session_id IS NOT NULL""")
        .bind("task", task)
        .bind("number", number)
        .first(row -> row.text("session_id"));
  }

  /** Notes in which session the last run was begun. */
  public void bind(TaskId task, String session) {
    tx.sql(
            """
            UPDATE runs SET session_id = :session
            WHERE task_id = :task
              AND number = (SELECT max(number) FROM runs WHERE task_id = :task)""")
        .bind("task", task)
        .bind("session", session)
        .update();
  }

  private static RunRecord run(Row row) {
    return new RunRecord(
        new TaskId(row.text("task_id")),
        row.integer("number"),
        row.text("goal"),
        RunPhase.valueOf(row.text("phase")),
        new Span(row.instant("started_at"), row.instantOrNull("ended_at")));
  }
}
