package dev.mainstay.store;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.JournalTable.Head;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  /** Where the stream of a task ends, and the moment in which that is so. */
  private static final String HEAD =
      """
      (SELECT number || ' ' || hash FROM journal WHERE stream = 'task/' || tasks.id
       ORDER BY number DESC LIMIT 1) AS head, <time> AS time, <transaction> AS looked_by""";

  /** What was seen of a task: what to reckon with, where its stream ends, and the moment. */
  record Seen(TaskId task, Outlook outlook, Head head, Moment moment) {
    /** What a transaction that has the task locked knows by this. */
    void tell(Tx tx) {
      tx.heads().put(task.stream(), head);
      moment.tell(tx);
    }
  }

  /** The time and the number of the transaction that looked, where its database tells them. */
  record Moment(@Nullable Instant time, String number) {
    private static Moment of(Row row) {
      Instant time = row.textOrNull("time") == null ? null : row.instant("time");
      return new Moment(time, row.text("looked_by"));
    }

    private void tell(Tx tx) {
      if (time != null) tx.tellsTime(time);
      if (!number.isEmpty()) tx.isNumbered(number);
    }
  }

  private static Sql define(Tx tx, Sql sql) {
    return sql.define("head", HEAD)
        .define("time", tx.dialect().transactionTime())
        .define("transaction", tx.dialect().transactionNumber());
  }

  /** Asked for soon, with whatever else is; of tasks that are locked, or about to be. */
  static void soon(Tx tx, Collection<TaskId> tasks, Consumer<Seen> seen) {
    Sql question =
        tx.sql(
            """
            SELECT id, <head>,
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
            FROM tasks WHERE id IN (:tasks)""");
    define(tx, question).bind("tasks", tasks).later(row -> seen.accept(seen(row)));
  }

  private static Seen seen(Row row) {
    return new Seen(
        new TaskId(row.text("id")),
        new Outlook(
            row.integer("guarded") == 1, row.integer("funded") == 1, row.integer("awaited") == 1),
        head(row),
        Moment.of(row));
  }

  /** Looks up where the streams of locked tasks end, all at once. */
  static void lookUpHeads(Tx tx, List<Task> locked) {
    if (locked.isEmpty()) return;
    heads(tx, "WHERE id IN (:ids)")
        .bind("ids", locked.stream().map(Task::id).toList())
        .each(row -> tellHead(tx, row));
  }

  /** Asks for where streams of tasks end; {@link #tellHead} takes each row. */
  static Sql heads(Tx tx, String which) {
    return define(tx, tx.sql("SELECT id, <head> FROM tasks " + which));
  }

  static void tellHead(Tx tx, Row row) {
    tx.heads().put(new TaskId(row.text("id")).stream(), head(row));
    Moment.of(row).tell(tx);
  }

  private static Head head(Row row) {
    return Head.parse(row.textOrNull("head"));
  }
}
