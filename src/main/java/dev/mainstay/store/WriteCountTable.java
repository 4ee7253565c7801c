package dev.mainstay.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** How often files were written, by hour, and how often that would have changed nothing. */
public final class WriteCountTable {
  public static final Duration KEPT_MAX = Duration.ofDays(31);

  private final Tx tx;

  WriteCountTable(Tx tx) {
    this.tx = tx;
  }

  /** Counts one write of a workspace whose lock the caller has, so nobody waits for the row. */
  public void count(String workspace, boolean changed) {
    Instant hour = tx.now().truncatedTo(ChronoUnit.HOURS);
    tx.sql(
            """
            INSERT INTO write_counts (workspace_id, hour, changed, unchanged)
            VALUES (:workspace, :hour, :changed, :unchanged)
            ON CONFLICT (workspace_id, hour) DO UPDATE SET
              changed = write_counts.changed + excluded.changed,
              unchanged = write_counts.unchanged + excluded.unchanged""")
        .bind("workspace", workspace)
        .bind("hour", hour)
        .bind("changed", changed ? 1 : 0)
        .bind("unchanged", changed ? 0 : 1)
        .later();
    tx.sql("DELETE FROM write_counts WHERE workspace_id = :workspace AND hour < :oldest")
        .bind("workspace", workspace)
        .bind("oldest", hour.minus(KEPT_MAX))
        .later();
  }

  /** The writes of one hour in all workspaces. */
  public record Hour(Instant hour, long changed, long unchanged) {}

  public List<Hour> since(Instant moment) {
    return tx.sql(
            """
            SELECT hour, sum(changed) AS changed, sum(unchanged) AS unchanged
            FROM write_counts WHERE hour >= :moment GROUP BY hour ORDER BY hour""")
        .bind("moment", moment)
        .list(row -> new Hour(row.instant("hour"), row.number("changed"), row.number("unchanged")));
  }
}
