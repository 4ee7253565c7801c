package dev.mainstay.store;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Changes.News;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who waits for whom, and how the other must end. */
public final class DependencyTable {
  private final Tx tx;

  DependencyTable(Tx tx) {
    this.tx = tx;
  }

  /** A task that waits for another. */
  public record Dependent(TaskId task, Dependency.Kind kind) {}

  /** Whom a new task waits for. */
  public void insertAll(Task task) {
    int place = 0;
    for (Dependency dependency : task.links().dependencies())
      insert(task.id(), dependency, place++);
  }

  public void insert(TaskId task, Dependency dependency, int place) {
    tx.sql(
            """
            INSERT INTO task_dependencies (task_id, depends_on, kind, place)
            VALUES (:task, :other, :kind, :place)""")
        .bind("task", task)
        .bind("other", dependency.on())
        .bind("kind", dependency.kind())
        .bind("place", place)
        .update();
  }

  public void delete(TaskId task, TaskId other) {
    tx.sql("DELETE FROM task_dependencies WHERE task_id = :task AND depends_on = :other")
        .bind("task", task)
        .bind("other", other)
        .update();
  }

  /** What each of these tasks waits for, in the order it was given. */
  public Map<TaskId, List<Dependency>> of(Collection<TaskId> tasks) {
    Map<TaskId, List<Dependency>> found = new HashMap<>();
    if (tasks.isEmpty()) return found;
    tx.sql(
            """
            SELECT task_id, depends_on, kind FROM task_dependencies
            WHERE task_id IN (:tasks) ORDER BY task_id, place""")
        .bind("tasks", tasks)
        .each(
            row ->
                found
                    .computeIfAbsent(new TaskId(row.text("task_id")), id -> new ArrayList<>())
                    .add(
                        new Dependency(
                            new TaskId(row.text("depends_on")),
                            Dependency.Kind.valueOf(row.text("kind")))));
    return found;
  }

  /** Who waits for this task, in id order, which is the order locks are taken in. */
  public List<Dependent> dependents(TaskId task) {
    return tx.sql(
            """
            SELECT d.task_id, d.kind FROM task_dependencies d JOIN tasks t ON t.id = d.task_id
            WHERE d.depends_on = :task ORDER BY t.seq""")
        .bind("task", task)
        .list(
            row ->
                new Dependent(
                    new TaskId(row.text("task_id")), Dependency.Kind.valueOf(row.text("kind"))));
  }

  /** An edge is met when the other task has ended as {@link Dependency.Kind} has it. */
  static final String IS_MET =
      """
      ((d.kind = 'BLOCKS' AND o.status = 'COMPLETED')
         OR (d.kind = 'AFTER_FAILURE' AND o.status = 'FAILED')
         OR (d.kind = 'AFTER_ANY' AND o.status IN ('COMPLETED', 'FAILED', 'CANCELLED')))""";

  private static final String UNMET =
      "(SELECT count(*) FROM task_dependencies d JOIN tasks o ON o.id = d.depends_on"
          + " WHERE d.task_id = tasks.id AND NOT "
          + IS_MET
          + ")";

  /** Pending tasks whose count of unmet dependencies is not what the edges say. */
  public List<TaskId> miscounted() {
    return tx.sql(
            "SELECT id FROM tasks WHERE status = 'PENDING' AND unmet_dependencies <> <unmet> ORDER"
                + " BY seq")
        .define("unmet", UNMET)
        .list(row -> new TaskId(row.text("id")));
  }

  /** Counts the unmet dependencies of every pending task anew. */
  public void recount() {
    tx.sql("UPDATE tasks SET unmet_dependencies = <unmet> WHERE status = 'PENDING'")
        .define("unmet", UNMET)
        .update();
    tx.brings(News.READY);
  }

  /** Counts those of one task anew. */
  public void recount(TaskId id) {
    tx.sql("UPDATE tasks SET unmet_dependencies = <unmet> WHERE id = :id")
        .define("unmet", UNMET)
        .bind("id", id)
        .update();
    tx.brings(News.READY);
  }

  /** Edge changes wait for each other, or two of them could close a cycle together. */
  public void lockEdges() {
    tx.dialect().lockAlone(tx, Dialect.EDGES_LOCK);
  }
}
