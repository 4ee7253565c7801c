package dev.mainstay.store;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.TaskId;
import java.util.List;

/** What was seen and waits to be looked at, in the order in which it came. */
public final class ObservationTable {
  private final Tx tx;

  ObservationTable(Tx tx) {
    this.tx = tx;
  }

  public void queue(String workspace, Observation seen) {
    tx.sql(
            """
            INSERT INTO observations (workspace_id, task_id, actor, source, meaning, seen_at)
            VALUES (:workspace, :task, :actor, :source, :meaning, :seen_at)""")
        .bind("workspace", workspace)
        .bind("task", seen.task())
        .bind("actor", seen.by().actor())
        .bind("source", seen.by().source())
        .bind("meaning", seen.meaning())
        .bind("seen_at", seen.seenAt())
        .update();
  }

  /** The oldest ones. */
  public List<Observation> waiting(String workspace, int limit) {
    return tx.sql(
            """
            SELECT * FROM observations WHERE workspace_id = :workspace ORDER BY id LIMIT :limit""")
        .bind("workspace", workspace)
        .bind("limit", limit)
        .list(ObservationTable::observation);
  }

  /** Takes one out of the queue; false when somebody else has done so. */
  public boolean take(Observation seen) {
    return tx.sql("DELETE FROM observations WHERE id = :id").bind("id", seen.number()).update()
        == 1;
  }

  private static Observation observation(Row row) {
    String task = row.textOrNull("task_id");
    return new Observation(
        row.number("id"),
        task == null ? null : new TaskId(task),
        Call.by(Actor.parse(row.text("actor")), row.text("source")),
        row.json("meaning"),
        row.instant("seen_at"));
  }
}
