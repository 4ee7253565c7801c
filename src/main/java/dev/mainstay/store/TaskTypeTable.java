package dev.mainstay.store;

import dev.mainstay.domain.Requirement;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.TaskTypeRule;
import java.util.List;
import java.util.Optional;

/** What types of task must show before they count as done. */
public final class TaskTypeTable {
  private final Tx tx;

  TaskTypeTable(Tx tx) {
    this.tx = tx;
  }

  public Optional<TaskTypeRule> find(TaskType type) {
    return tx.sql("SELECT * FROM task_types WHERE task_type = :type")
        .bind("type", type)
        .first(TaskTypeTable::rule);
  }

  /** The rule for the type of a task, in one statement, as every completion asks for it. */
  public Optional<TaskTypeRule> ofTask(TaskId task) {
    return tx.sql(
            """
            SELECT task_types.* FROM tasks
            JOIN task_types ON task_types.task_type = tasks.task_type WHERE tasks.id = :task""")
        .bind("task", task)
        .first(TaskTypeTable::rule);
  }

  public List<TaskTypeRule> list() {
    return tx.sql("SELECT * FROM task_types ORDER BY task_type").list(TaskTypeTable::rule);
  }

  /** Keeps what a type requires from now on, under its next version. */
  public TaskTypeRule put(TaskType type, List<Requirement> requires) {
    return tx.sql(
            """
            INSERT INTO task_types (task_type, requires, version, updated_at)
            VALUES (:type, :requires, 1, :now)
            ON CONFLICT (task_type) DO UPDATE SET requires = excluded.requires,
              version = task_types.version + 1, updated_at = excluded.updated_at
            RETURNING *""")
        .bind("type", type)
        .bind("requires", new JsonValue(requires.stream().map(Requirement::text).toList()))
        .bind("now", tx.now())
        .one(TaskTypeTable::rule);
  }

  private static TaskTypeRule rule(Row row) {
    return new TaskTypeRule(
        new TaskType(row.text("task_type")),
        row.jsonList("requires").stream().map(String::valueOf).map(Requirement::new).toList(),
        row.number("version"),
        row.instant("updated_at"));
  }
}
