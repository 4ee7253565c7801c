package dev.mainstay.store;

import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.Reservation.Pattern;
import dev.mainstay.domain.TaskId;
import java.util.List;

/** What is kept for whom. A reservation whose fence is old holds no more, swept up or not. */
public final class ReservationTable {
  private final Tx tx;

  ReservationTable(Tx tx) {
    this.tx = tx;
  }

  /** All that hold now, in the order of their tasks and patterns. */
  public List<Reservation> holding(String workspace) {
    return tx.sql(
            """
            SELECT reservations.*, tasks.lease_holder FROM reservations
            JOIN tasks ON tasks.id = reservations.task_id AND tasks.fence = reservations.fence
            WHERE reservations.workspace_id = :workspace AND tasks.lease_holder IS NOT NULL
            ORDER BY tasks.seq, reservations.pattern""")
        .bind("workspace", workspace)
        .list(
            row ->
                new Reservation(
                    new Pattern(row.text("pattern")),
                    new TaskId(row.text("task_id")),
                    row.number("fence"),
                    row.text("lease_holder")));
  }

  public void put(String workspace, Reservation reservation) {
    tx.sql(
            """
            INSERT INTO reservations (workspace_id, pattern, task_id, fence, reserved_at)
            VALUES (:workspace, :pattern, :task, :fence, :now)
            ON CONFLICT (workspace_id, pattern, task_id)
            DO UPDATE SET fence = excluded.fence, reserved_at = excluded.reserved_at""")
        .bind("workspace", workspace)
        .bind("pattern", reservation.pattern())
        .bind("task", reservation.task())
        .bind("fence", reservation.fence())
        .bind("now", tx.now())
        .update();
  }

  public boolean remove(String workspace, TaskId task, Pattern pattern) {
    return tx.sql(
                """
                DELETE FROM reservations
                WHERE workspace_id = :workspace AND task_id = :task AND pattern = :pattern""")
            .bind("workspace", workspace)
            .bind("task", task)
            .bind("pattern", pattern)
            .update()
        == 1;
  }

  /** Forgets those that hold no more. */
  public int sweep(String workspace) {
    return tx.sql(
            """
            DELETE FROM reservations WHERE workspace_id = :workspace AND NOT EXISTS (
              SELECT 1 FROM tasks WHERE tasks.id = reservations.task_id
                AND tasks.fence = reservations.fence AND tasks.lease_holder IS NOT NULL)""")
        .bind("workspace", workspace)
        .update();
  }
}
