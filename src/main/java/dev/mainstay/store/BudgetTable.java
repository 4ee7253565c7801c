package dev.mainstay.store;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.TaskId;
import java.util.List;
import java.util.Optional;

/** What subtrees of tasks may cost, have cost, and have promised to their holders. */
public final class BudgetTable {
  private final Tx tx;

  BudgetTable(Tx tx) {
    this.tx = tx;
  }

  /** Sets or takes away the limit of a task; what was spent stays. */
  public void limit(TaskId task, Amounts max) {
    if (max.isEmpty() && find(task).isEmpty()) return;
    tx.sql(
            """
            INSERT INTO task_budgets (task_id, tokens_max, cost_max, seconds_max)
            VALUES (:task, :tokens, :cost, :seconds)
            ON CONFLICT (task_id) DO UPDATE SET
              tokens_max = excluded.tokens_max, cost_max = excluded.cost_max,
              seconds_max = excluded.seconds_max""")
        .bind("task", task)
        .bind("tokens", max.tokens())
        .bind("cost", max.costMicros())
        .bind("seconds", max.seconds())
        .update();
  }

  public Optional<Budget> find(TaskId task) {
    return tx.sql("SELECT * FROM task_budgets WHERE task_id = :task")
        .bind("task", task)
        .first(BudgetTable::budget);
  }

  /** The budgets that a task draws on: its own and those above it, kept for this transaction. */
  public List<Budget> above(TaskId task) {
    return tx.sql(
            """
            SELECT b.* FROM task_budgets b WHERE b.task_id IN (
              WITH RECURSIVE up (id, parent_id) AS (
                SELECT id, parent_id FROM tasks WHERE id = :task
                UNION ALL
                SELECT t.id, t.parent_id FROM tasks t JOIN up ON t.id = up.parent_id)
              SELECT id FROM up)
            ORDER BY b.task_id <lock>""")
        .define("lock", tx.dialect().forUpdate())
        .bind("task", task)
        .list(BudgetTable::budget);
  }

  /** Promises a part of a budget to the holder of a task. */
  public void reserve(TaskId budget, TaskId task, Totals part) {
    add(budget, "reserved", part);
    tx.sql(
            """
            INSERT INTO budget_reservations (task_id, budget_id, tokens, cost, seconds)
            VALUES (:task, :budget, :tokens, :cost, :seconds)
            ON CONFLICT (task_id, budget_id) DO UPDATE SET
              tokens = budget_reservations.tokens + excluded.tokens,
              cost = budget_reservations.cost + excluded.cost,
              seconds = budget_reservations.seconds + excluded.seconds""")
        .bind("task", task)
        .bind("budget", budget)
        .bind("tokens", part.tokens())
        .bind("cost", part.costMicros())
        .bind("seconds", part.seconds())
        .update();
  }

  /** Books what was spent. */
  public void spend(TaskId budget, Totals part) {
    add(budget, "spent", part);
  }

  /** What a task still has of a promise. */
  public Totals promised(TaskId budget, TaskId task) {
    return tx.sql(
            """
            SELECT tokens, cost, seconds FROM budget_reservations
            WHERE task_id = :task AND budget_id = :budget""")
        .bind("task", task)
        .bind("budget", budget)
        .first(row -> new Totals(row.number("tokens"), row.number("cost"), row.number("seconds")))
        .orElse(Totals.NONE);
  }

  /** Takes a promise back, because it was used or is no longer needed. */
  public void takeBack(TaskId budget, TaskId task, Totals part) {
    add(budget, "reserved", new Totals(-part.tokens(), -part.costMicros(), -part.seconds()));
    tx.sql(
            """
            UPDATE budget_reservations SET
              tokens = tokens - :tokens, cost = cost - :cost, seconds = seconds - :seconds
            WHERE task_id = :task AND budget_id = :budget""")
        .bind("task", task)
        .bind("budget", budget)
        .bind("tokens", part.tokens())
        .bind("cost", part.costMicros())
        .bind("seconds", part.seconds())
        .update();
  }

  /** Nobody holds the task any more, so nothing is promised to it. */
  public void forget(TaskId task) {
    tx.sql("DELETE FROM budget_reservations WHERE task_id = :task").bind("task", task).update();
  }

  private void add(TaskId budget, String column, Totals part) {
    tx.sql(
            """
            UPDATE task_budgets SET
              tokens_<column> = tokens_<column> + :tokens, cost_<column> = cost_<column> + :cost,
              seconds_<column> = seconds_<column> + :seconds
            WHERE task_id = :budget""")
        .define("column", column)
        .bind("budget", budget)
        .bind("tokens", part.tokens())
        .bind("cost", part.costMicros())
        .bind("seconds", part.seconds())
        .update();
  }

  static Budget budget(Row row) {
    return new Budget(
        new TaskId(row.text("task_id")),
        new Amounts(
            row.numberOrNull("tokens_max"),
            row.numberOrNull("cost_max"),
            row.numberOrNull("seconds_max")),
        totals(row, "spent"),
        totals(row, "reserved"));
  }

  private static Totals totals(Row row, String column) {
    return new Totals(
        row.number("tokens_" + column),
        row.number("cost_" + column),
        row.number("seconds_" + column));
  }
}
