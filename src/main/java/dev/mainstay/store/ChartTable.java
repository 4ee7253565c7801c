package dev.mainstay.store;

import dev.mainstay.domain.TaskStatus;
import java.time.Instant;
import java.util.List;

/** Figures over time, counted from what the tables have anyway. */
public final class ChartTable {
  /** Repeats the index's own condition, word for word, or neither database would use it. */
  private static final String HAS_ENDED = "t.status IN ('COMPLETED', 'FAILED', 'CANCELLED')";

  private final Tx tx;

  ChartTable(Tx tx) {
    this.tx = tx;
  }

  /** How many tasks ended so in one hour. */
  public record Ended(Instant hour, TaskStatus status, long tasks) {}

  /** Tasks that ended since a moment, by hour. */
  public List<Ended> ended(Instant since) {
    String hour = tx.dialect().hourOf("t.updated_at");
    return tx.sql(
            """
            SELECT <hour> AS hour, t.status, count(*) AS tasks FROM tasks t <index>
            WHERE <ended> AND t.updated_at >= :since GROUP BY <hour>, t.status ORDER BY 1, 2""")
        .define("hour", hour)
        .define("index", tx.dialect().useIndex("tasks_by_end"))
        .define("ended", HAS_ENDED)
        .bind("since", since)
        .list(
            row ->
                new Ended(
                    row.instant("hour"),
                    TaskStatus.valueOf(row.text("status")),
                    row.number("tasks")));
  }

  /** How long tasks stood so, all together. */
  public record Stood(TaskStatus status, long seconds, long tasks) {}

  /**
   * How long the tasks that ended since a moment waited until they were first given to somebody,
   * were given to him, and were worked on. Of several attempts by the same holder the last one
   * counts, as its row knows no other.
   */
  public List<Stood> stood(Instant since) {
    String given = seconds("t.created_at", "CASE WHEN a.attempt = 1 THEN a.assigned_at END");
    String begun = seconds("a.assigned_at", "COALESCE(a.started_at, a.completed_at)");
    String done = seconds("a.started_at", "a.completed_at");
    return tx.sql(
            """
            SELECT round(sum(<given>)) AS waiting, count(<given>) AS waited,
              round(sum(<begun>)) AS assigned, count(<begun>) AS given,
              round(sum(<done>)) AS working, count(<done>) AS worked
            FROM tasks t <index> JOIN task_assignments a ON a.task_id = t.id
            WHERE <ended> AND t.updated_at >= :since""")
        .define("given", given)
        .define("begun", begun)
        .define("done", done)
        .define("index", tx.dialect().useIndex("tasks_by_end"))
        .define("ended", HAS_ENDED)
        .bind("since", since)
        .one(
            row ->
                List.of(
                    new Stood(TaskStatus.PENDING, row.number("waiting"), row.number("waited")),
                    new Stood(TaskStatus.ASSIGNED, row.number("assigned"), row.number("given")),
                    new Stood(
                        TaskStatus.IN_PROGRESS, row.number("working"), row.number("worked"))));
  }

  private String seconds(String from, String to) {
    return tx.dialect().seconds(from, to);
  }
}
