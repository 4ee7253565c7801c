package dev.mainstay.store;

import dev.mainstay.domain.WorkflowStart;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The moments and messages that start workflows: those of the newest versions. */
public final class WorkflowStartTable {
  private final Tx tx;

  WorkflowStartTable(Tx tx) {
    this.tx = tx;
  }

  /** Puts the starts of a new version in the place of those of all before it. */
  public void replace(String name, List<WorkflowStart> starts) {
    tx.sql(
            """
            DELETE FROM workflow_starts WHERE workflow_id IN (
              SELECT id FROM workflows WHERE name = :name)""")
        .bind("name", name)
        .update();
    for (WorkflowStart start : starts) {
      tx.sql(
              """
              INSERT INTO workflow_starts (workflow_id, node_id, kind, due_at, message)
              VALUES (:workflow, :node, :kind, :due, :message)""")
          .bind("workflow", start.workflow())
          .bind("node", start.node())
          .bind("kind", start.dueAt() == null ? "MESSAGE" : "TIMER")
          .bind("due", start.dueAt())
          .bind("message", start.message())
          .update();
    }
  }

  /** Those of one workflow. */
  public List<WorkflowStart> of(String name) {
    return tx.sql(
            """
            SELECT s.* FROM workflow_starts s JOIN workflows w ON w.id = s.workflow_id
            WHERE w.name = :name ORDER BY s.node_id""")
        .bind("name", name)
        .list(WorkflowStartTable::start);
  }

  /** Those whose moment has come, the longest over first. */
  public List<WorkflowStart> due(int limit) {
    return tx.sql(
            """
            SELECT * FROM workflow_starts WHERE kind = 'TIMER' AND due_at <= :now
            ORDER BY due_at, workflow_id, node_id LIMIT :limit""")
        .bind("now", tx.now())
        .bind("limit", limit)
        .list(WorkflowStartTable::start);
  }

  /** Locks one whose moment has come, unless somebody else has it or had it. */
  public Optional<WorkflowStart> lockIfDue(WorkflowStart seen) {
    return tx.sql(
            """
            SELECT * FROM workflow_starts
            WHERE workflow_id = :workflow AND node_id = :node AND due_at <= :now <lock>""")
        .define("lock", tx.dialect().skipLocked())
        .bind("workflow", seen.workflow())
        .bind("node", seen.node())
        .bind("now", tx.now())
        .first(WorkflowStartTable::start);
  }

  /** Its next moment. */
  public void moved(WorkflowStart locked, Instant next) {
    tx.sql(
            """
            UPDATE workflow_starts SET due_at = :next, fired = fired + 1
            WHERE workflow_id = :workflow AND node_id = :node""")
        .bind("next", next)
        .bind("workflow", locked.workflow())
        .bind("node", locked.node())
        .update();
  }

  /** It has no moment any more. */
  public void delete(WorkflowStart locked) {
    tx.sql("DELETE FROM workflow_starts WHERE workflow_id = :workflow AND node_id = :node")
        .bind("workflow", locked.workflow())
        .bind("node", locked.node())
        .update();
  }

  /** The first that begins by a message. */
  public Optional<WorkflowStart> forMessage(String message) {
    return tx.sql(
            """
            SELECT * FROM workflow_starts WHERE kind = 'MESSAGE' AND message = :message
            ORDER BY workflow_id, node_id LIMIT 1""")
        .bind("message", message)
        .first(WorkflowStartTable::start);
  }

  private static WorkflowStart start(Row row) {
    return new WorkflowStart(
        row.text("workflow_id"),
        row.text("node_id"),
        row.instantOrNull("due_at"),
        row.textOrNull("message"),
        row.number("fired"));
  }
}
