package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowMessage.Sent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages that were sent before anybody waited for them. */
public final class WorkflowMessageTable {
  private final Tx tx;

  WorkflowMessageTable(Tx tx) {
    this.tx = tx;
  }

  /** Two that name none are equal, too; said so that an index helps. */
  static String equal(@Nullable String correlation) {
    return correlation == null ? "correlation IS NULL" : "correlation = :correlation";
  }

  public void keep(String name, @Nullable String correlation, JsonObject content, String sentBy) {
    tx.sql(
            """
            INSERT INTO workflow_messages (name, correlation, message_data, sent_by, created_at)
            VALUES (:name, :correlation, :content, :by, :now)""")
        .bind("name", name)
        .bind("correlation", correlation)
        .bind("content", content)
        .bind("by", sentBy)
        .bind("now", tx.now())
        .later();
  }

  /** Takes the oldest one, so that nobody else gets it. */
  public Optional<WorkflowMessage> take(String name, @Nullable String correlation) {
    // The CTE is a fence: without it PostgreSQL may repeat the LIMIT per row and take too many.
    return tx.sql(
            """
            WITH next AS MATERIALIZED (
              SELECT id FROM workflow_messages WHERE name = :name AND <correlation>
              ORDER BY id LIMIT 1 <lock>)
            DELETE FROM workflow_messages WHERE id IN (SELECT id FROM next) RETURNING *""")
        .define("correlation", equal(correlation))
        .define("lock", tx.dialect().skipLocked())
        .bind("name", name)
        .bind("correlation", correlation)
        .first(WorkflowMessageTable::message);
  }

  /** The oldest first. */
  public List<WorkflowMessage> list(int limit) {
    return tx.sql("SELECT * FROM workflow_messages ORDER BY id LIMIT :limit")
        .bind("limit", limit)
        .list(WorkflowMessageTable::message);
  }

  /** Those that were sent then or before; only the oldest are looked at, so that it is quick. */
  public List<WorkflowMessage> old(Instant until, int limit) {
    return tx.sql(
            """
            SELECT * FROM (SELECT * FROM workflow_messages ORDER BY id LIMIT :limit) AS oldest
            WHERE created_at <= :until ORDER BY id""")
        .bind("until", until)
        .bind("limit", limit)
        .list(WorkflowMessageTable::message);
  }

  /** Forgets one; false if somebody took it meanwhile. */
  public boolean delete(WorkflowMessage message) {
    return tx.sql("DELETE FROM workflow_messages WHERE id = :id").bind("id", message.id()).update()
        > 0;
  }

  static WorkflowMessage message(Row row) {
    return new WorkflowMessage(
        row.number("id"),
        row.text("name"),
        row.textOrNull("correlation"),
        row.json("message_data"),
        new Sent(row.text("sent_by"), row.instant("created_at")));
  }
}
