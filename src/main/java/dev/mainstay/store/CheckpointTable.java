package dev.mainstay.store;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The named places in the histories of tasks. */
public final class CheckpointTable {
  private final Tx tx;

  CheckpointTable(Tx tx) {
    this.tx = tx;
  }

  /** Also puts a row back when a store is made anew. */
  public void insert(TaskId task, String name, long number, Instant at) {
    tx.sql(
            """
            INSERT INTO checkpoints (task_id, name, number, created_at)
            VALUES (:task, :name, :number, :at)""")
        .bind("task", task)
        .bind("name", name)
        .bind("number", number)
        .bind("at", at)
        .update();
  }

  public Optional<Checkpoint> find(TaskId task, String name) {
    return tx.sql("SELECT * FROM checkpoints WHERE task_id = :task AND name = :name")
        .bind("task", task)
        .bind("name", name)
        .first(CheckpointTable::checkpoint);
  }

  /** Oldest first. */
  public List<Checkpoint> list(TaskId task) {
    return tx.sql("SELECT * FROM checkpoints WHERE task_id = :task ORDER BY number")
        .bind("task", task)
        .list(CheckpointTable::checkpoint);
  }

  public long count(TaskId task) {
    return tx.sql("SELECT count(*) AS checkpoints FROM checkpoints WHERE task_id = :task")
        .bind("task", task)
        .one(row -> row.number("checkpoints"));
  }

  private static Checkpoint checkpoint(Row row) {
    return new Checkpoint(
        new TaskId(row.text("task_id")),
        row.text("name"),
        row.number("number"),
        row.instant("created_at"));
  }
}
