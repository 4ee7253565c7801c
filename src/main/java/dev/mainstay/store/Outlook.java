package dev.mainstay.store;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.JournalTable.Head;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a change of a task has to reckon with, found out in one question, because most tasks have
 * none of it: nobody asks ten times for nothing.
 *
 * @param isGuarded whether its end may need steps, criteria or evidence
 * @param isFunded whether it may draw on a budget
 * @param isAwaited whether somebody may wait for its end
 */
public record Outlook(boolean isGuarded, boolean isFunded, boolean isAwaited) {
  /** For whoever did not look. */
  public static final Outlook UNKNOWN = new Outlook(true, true, true);

  private static final String HEAD =
      """
      (SELECT number || ' ' || hash FROM journal WHERE stream = 'task/' || tasks.id
       ORDER BY number DESC LIMIT 1) AS head""";

  /** Asked for soon, with whatever else is; of a task that is locked, or about to be. */
  static void soon(Tx tx, TaskId task, Consumer<Outlook> seen) {
    tx.sql(
            """
            SELECT <head>, <time> AS time,
              CASE WHEN EXISTS (SELECT 1 FROM dossiers WHERE task_id = tasks.id)
                OR EXISTS (SELECT 1 FROM task_types WHERE task_type = tasks.task_type)
                OR EXISTS (SELECT 1 FROM workspaces WHERE story_id = tasks.id) THEN 1 ELSE 0 END
                AS guarded,
              CASE WHEN parent_id IS NOT NULL
                OR EXISTS (SELECT 1 FROM task_budgets WHERE task_id = tasks.id)
                OR EXISTS (SELECT 1 FROM budget_reservations WHERE task_id = tasks.id)
                THEN 1 ELSE 0 END AS funded,
              CASE WHEN parent_id IS NOT NULL
                OR EXISTS (SELECT 1 FROM task_dependencies WHERE depends_on = tasks.id)
                THEN 1 ELSE 0 END AS awaited
            FROM tasks WHERE id = :task""")
        .define("head", HEAD)
        .define("time", tx.dialect().transactionTime())
        .bind("task", task)
        .later(
            row -> {
              know(tx, task, row);
              tx.tellsTime(row, "time");
              seen.accept(
                  new Outlook(
                      row.integer("guarded") == 1,
                      row.integer("funded") == 1,
                      row.integer("awaited") == 1));
            });
  }

  /** Looks up where the streams of locked tasks end, all at once. */
  static void lookUpHeads(Tx tx, List<Task> locked) {
    if (locked.isEmpty()) return;
    tx.sql("SELECT id, <head>, <time> AS time FROM tasks WHERE id IN (:ids)")
        .define("head", HEAD)
        .define("time", tx.dialect().transactionTime())
        .bind("ids", locked.stream().map(Task::id).toList())
        .each(
            row -> {
              know(tx, new TaskId(row.text("id")), row);
              tx.tellsTime(row, "time");
            });
  }

  private static void know(Tx tx, TaskId task, Row row) {
    String head = row.textOrNull("head");
    int space = head == null ? 0 : head.indexOf(' ');
    Head known =
        head == null
            ? Head.NONE
            : new Head(Long.parseLong(head.substring(0, space)), head.substring(space + 1));
    tx.heads().put(task.stream(), known);
  }
}
