package dev.mainstay.store;

import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.FlowRun.Outcome;
import dev.mainstay.domain.FlowRun.Status;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What became of the moments at which flows were due: one row for each, whoever runs it. */
public final class FlowRunTable {
  private final Tx tx;

  FlowRunTable(Tx tx) {
    this.tx = tx;
  }

  /** Notes a moment of a flow; false if somebody had it before. */
  public boolean insert(FlowRun run) {
    Outcome outcome = run.outcome();
    return tx.sql(
                """
                INSERT INTO flow_runs (flow_name, due_at, by_hand, status, reason, terminal_id,
                  started_at, completed_at)
                VALUES (:flow, :due_at, :by_hand, :status, :reason, :terminal, :started_at,
                  :completed_at)
                ON CONFLICT (flow_name, due_at) DO NOTHING""")
            .bind("flow", run.flow())
            .bind("due_at", run.dueAt())
            .bind("by_hand", run.byHand() ? 1 : 0)
            .bind("status", outcome.status())
            .bind("reason", outcome.reason())
            .bind("terminal", outcome.terminal())
            .bind("started_at", outcome.startedAt())
            .bind("completed_at", outcome.completedAt())
            .update()
        == 1;
  }

  public Optional<FlowRun> find(String flow, Instant dueAt) {
    return tx.sql("SELECT * FROM flow_runs WHERE flow_name = :flow AND due_at = :due_at")
        .bind("flow", flow)
        .bind("due_at", dueAt)
        .first(FlowRunTable::run);
  }

  /** A run, kept from changing until the end of the transaction. */
  public Optional<FlowRun> lock(String flow, Instant dueAt) {
    return tx.sql("SELECT * FROM flow_runs WHERE flow_name = :flow AND due_at = :due_at <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("flow", flow)
        .bind("due_at", dueAt)
        .first(FlowRunTable::run);
  }

  /** Writes down what became of a locked run. */
  public void ended(FlowRun run) {
    tx.sql(
            """
            UPDATE flow_runs SET status = :status, reason = :reason, terminal_id = :terminal,
              completed_at = :completed_at
            WHERE flow_name = :flow AND due_at = :due_at""")
        .bind("status", run.outcome().status())
        .bind("reason", run.outcome().reason())
        .bind("terminal", run.outcome().terminal())
        .bind("completed_at", run.outcome().completedAt())
        .bind("flow", run.flow())
        .bind("due_at", run.dueAt())
        .update();
  }

  /** The newest runs of a flow first. */
  public List<FlowRun> newest(String flow, int limit) {
    return tx.sql(
            """
            SELECT * FROM flow_runs WHERE flow_name = :flow ORDER BY due_at DESC LIMIT :limit""")
        .bind("flow", flow)
        .bind("limit", limit)
        .list(FlowRunTable::run);
  }

  /** Locks runs of a host that began before a moment and were never ended. */
  public List<FlowRun> lockForsaken(String host, Instant begunBefore, int limit) {
    return tx.sql(
            """
            SELECT * FROM flow_runs
            WHERE status = 'RUNNING' AND started_at <= :before
              AND flow_name IN (SELECT name FROM flows WHERE host = :host)
            ORDER BY started_at, flow_name, due_at LIMIT :limit <lock>""")
        .define("lock", tx.dialect().skipLocked())
        .bind("before", begunBefore)
        .bind("host", host)
        .bind("limit", limit)
        .list(FlowRunTable::run);
  }

  /** Forgets all but the newest runs of a flow. */
  public void keepNewest(String flow, int count) {
    tx.sql(
            """
            DELETE FROM flow_runs WHERE flow_name = :flow AND status <> 'RUNNING' AND due_at <= (
              SELECT due_at FROM flow_runs WHERE flow_name = :flow
              ORDER BY due_at DESC LIMIT 1 OFFSET :count)""")
        .bind("flow", flow)
        .bind("count", count)
        .update();
  }

  private static FlowRun run(Row row) {
    return new FlowRun(
        row.text("flow_name"),
        row.instant("due_at"),
        row.integer("by_hand") == 1,
        new Outcome(
            Status.valueOf(row.text("status")),
            row.textOrNull("reason"),
            row.textOrNull("terminal_id"),
            row.instant("started_at"),
            row.instantOrNull("completed_at")));
  }
}
