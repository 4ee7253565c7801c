package dev.mainstay.store;

import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Assignment.Moments;
import dev.mainstay.domain.Assignment.Outcome;
import dev.mainstay.domain.Assignment.Standing;
import dev.mainstay.domain.Assignment.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which terminal was given which task, and what became of it. */
public final class AssignmentTable {
  private final Tx tx;

  AssignmentTable(Tx tx) {
    this.tx = tx;
  }

  /** A task was given to its holder; a second time to the same goes on in the same row. */
  public void given(Task held) {
    tx.sql(
            """
            INSERT INTO task_assignments (task_id, terminal_id, attempt, fence, assigned_at, status)
            VALUES (:task, :terminal, :attempt, :fence, :now, 'ASSIGNED')
            ON CONFLICT (task_id, terminal_id) DO UPDATE SET
              attempt = excluded.attempt, fence = excluded.fence, assigned_at = excluded.assigned_at,
              status = 'ASSIGNED', accepted_at = NULL, started_at = NULL, completed_at = NULL,
              result = NULL, error_message = NULL""")
        .bind("task", held.id())
        .bind("terminal", held.lease().orElseThrow().holder())
        .bind("attempt", held.progress().attempt())
        .bind("fence", held.fence())
        .bind("now", tx.now())
        .about(TaskTable.name(held.id()))
        .after(TerminalTable.name(held.lease().orElseThrow().holder()))
        .later();
  }

  /** The holder accepted or began. */
  public void moved(Task held, Status to) {
    tx.sql(
            """
            UPDATE task_assignments SET status = :status, <moment> = :now
            WHERE task_id = :task AND terminal_id = :terminal AND fence = :fence
              AND status IN (<before>)""")
        .define("moment", to == Status.ACCEPTED ? "accepted_at" : "started_at")
        .define("before", to == Status.ACCEPTED ? "'ASSIGNED'" : "'ASSIGNED', 'ACCEPTED'")
        .bind("status", to)
        .bind("now", tx.now())
        .bind("task", held.id())
        .bind("terminal", held.lease().orElseThrow().holder())
        .bind("fence", held.fence())
        .about(TaskTable.name(held.id()))
        .after(TerminalTable.name(held.lease().orElseThrow().holder()))
        .later();
  }

  /** The attempt of the task's holder is over. */
  public void ended(Task held, @Nullable JsonObject result, @Nullable String error) {
    tx.sql(
            """
            UPDATE task_assignments SET
              status = :status, completed_at = :now, result = :result, error_message = :error
            WHERE task_id = :task AND terminal_id = :terminal AND fence = :fence
              AND status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS')""")
        .bind("status", error == null ? Status.COMPLETED : Status.FAILED)
        .bind("now", tx.now())
        .bind("result", result)
        .bind("error", error)
        .bind("task", held.id())
        .bind("terminal", held.lease().orElseThrow().holder())
        .bind("fence", held.fence())
        .about(TaskTable.name(held.id()))
        .after(TerminalTable.name(held.lease().orElseThrow().holder()))
        .later();
  }

  public Assignment get(long id) {
    return tx.sql("SELECT * FROM task_assignments WHERE id = :id")
        .bind("id", id)
        .first(AssignmentTable::assignment)
        .orElseThrow(() -> Refusal.notFound("there is no assignment " + id));
  }

  /** Who was given a task over time, oldest first. */
  public List<Assignment> ofTask(TaskId task) {
    return tx.sql("SELECT * FROM task_assignments WHERE task_id = :task ORDER BY id")
        .bind("task", task)
        .list(AssignmentTable::assignment);
  }

  /** What a terminal has in its hands, oldest first. */
  public List<Assignment> openOf(String terminal) {
    return tx.sql(
            """
            SELECT * FROM task_assignments
            WHERE terminal_id = :terminal AND status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS')
            ORDER BY id""")
        .bind("terminal", terminal)
        .list(AssignmentTable::assignment);
  }

  /** The numbers of the assignments under which these tasks are held. */
  public Map<TaskId, Long> numbers(Collection<Task> held) {
    Map<TaskId, Long> fences = new HashMap<>();
    for (Task task : held) fences.put(task.id(), task.fence());
    Map<TaskId, Long> numbers = new HashMap<>();
    tx.sql("SELECT id, task_id, fence FROM task_assignments WHERE task_id IN (:tasks)")
        .bind("tasks", fences.keySet())
        .each(
            row -> {
              TaskId task = new TaskId(row.text("task_id"));
              Long fence = fences.get(task);
              if (fence != null && fence == row.number("fence"))
                numbers.put(task, row.number("id"));
            });
    return numbers;
  }

  public Optional<Assignment> of(TaskId task, String terminal) {
    return tx.sql(
            "SELECT * FROM task_assignments WHERE task_id = :task AND terminal_id = :terminal")
        .bind("task", task)
        .bind("terminal", terminal)
        .first(AssignmentTable::assignment);
  }

  private static Assignment assignment(Row row) {
    return new Assignment(
        row.number("id"),
        new TaskId(row.text("task_id")),
        row.text("terminal_id"),
        new Standing(
            Status.valueOf(row.text("status")),
            row.integer("attempt"),
            row.number("fence"),
            new Moments(
                row.instant("assigned_at"),
                row.instantOrNull("accepted_at"),
                row.instantOrNull("started_at"),
                row.instantOrNull("completed_at"))),
        new Outcome(row.jsonOrNull("result"), row.textOrNull("error_message")));
  }
}
