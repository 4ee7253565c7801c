package dev.mainstay.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Copies whole tables between stores, whichever database each is on. The two dialects differ in
 * instants and JSON only; which columns those are is the table below, and a test compares it with
 * PostgreSQL's own.
 */
public final class TableCopy {
  private static final int ROWS_AT_ONCE = 500;

  static final Set<String> INSTANTS =
      Set.of(
          "at",
          "created_at",
          "updated_at",
          "completed_at",
          "started_at",
          "assigned_at",
          "expires_at",
          "lease_until",
          "last_seen",
          "ended_at",
          "touched_at",
          "begun_at",
          "reserved_at",
          "seen_at",
          "delayed_until",
          "lease_since",
          "heartbeat_at",
          "accepted_at",
          "archived_at",
          "taken_until",
          "delivered_at",
          "last_active",
          "signal_at",
          "pending_tried",
          "stopped_at",
          "next_run",
          "due_at",
          "since",
          "given_at",
          "hour");

  static final Set<String> JSON =
      Set.of(
          "answer",
          "config",
          "node_data",
          "position",
          "execution_data",
          "context_data",
          "variables",
          "last_checkpoint",
          "dependencies",
          "lease_helpers",
          "metadata",
          "result",
          "notebook",
          "notes_since",
          "task_state",
          "dossier",
          "repeat_fuse",
          "open_tasks",
          "meaning",
          "observed",
          "execution",
          "clashes",
          "terms",
          "program",
          "requires",
          "edge_data",
          "held",
          "question",
          "message_data");

  /** Every table and the order of its rows; a table stands after those it refers to. */
  static final Map<String, String> TABLES = tables();

  /**
   * What belongs to one store alone: its version and name, and what a database counts for itself;
   * and what shows only what stands elsewhere.
   */
  static final Set<String> NOT_COPIED = Set.of("schema_version", "store_meta", "counters", "state");

  private final Tx from;
  private final Tx to;

  public TableCopy(Tx from, Tx to) {
    this.from = from;
    this.to = to;
  }

  private static Map<String, String> tables() {
    Map<String, String> order = new LinkedHashMap<>();
    order.put("journal", "seq");
    order.put("idempotency_keys", "key");
    order.put("workflows", "id");
    order.put("workflow_nodes", "workflow_id, id");
    order.put("workflow_edges", "workflow_id, id");
    order.put("session_workflows", "session_name");
    order.put("workflow_executions", "id");
    order.put("workflow_waits", "execution_id, token_id");
    order.put("workflow_starts", "workflow_id, node_id");
    order.put("workflow_messages", "id");
    order.put("terminals", "id");
    order.put("terminal_states", "terminal_id");
    order.put("inbox", "id");
    order.put("flows", "name");
    order.put("flow_runs", "flow_name, due_at");
    order.put("tasks", "seq");
    order.put("task_dependencies", "task_id, place, depends_on");
    order.put("task_assignments", "id");
    order.put("artifact_contents", "content_hash");
    order.put("task_artifacts", "id");
    order.put("task_budgets", "task_id");
    order.put("budget_reservations", "task_id, budget_id");
    order.put("delegations", "task_id");
    order.put("task_types", "task_type");
    order.put("access_tokens", "id");
    order.put("archived_streams", "stream");
    order.put("dossiers", "task_id");
    order.put("notebooks", "task_id");
    order.put("checkpoints", "task_id, number, name");
    order.put("snapshots", "stream, number");
    order.put("agent_sessions", "id");
    order.put("runs", "task_id, number");
    order.put("prompts_given", "task_id, turn");
    order.put("workspaces", "id");
    order.put("workspace_files", "workspace_id, path");
    order.put("workspace_touches", "workspace_id, path, task_id");
    order.put("file_writes", "workspace_id, path");
    order.put("write_counts", "workspace_id, hour");
    order.put("reservations", "workspace_id, pattern, task_id");
    order.put("observations", "id");
    order.put("state_directories", "id");
    order.put("state_files", "directory_id, name");
    return Collections.unmodifiableMap(order);
  }

  /** Copies everything and brings the target's counters after it; how many rows there were. */
  public long all() {
    long rows = 0;
    for (String table : TABLES.keySet()) rows += table(table);
    counters();
    return rows;
  }

  /** Tables whose rows come from replaying the journal. */
  static final Set<String> REPLAYED =
      Set.of(
          "tasks",
          "task_dependencies",
          "dossiers",
          "notebooks",
          "checkpoints",
          "snapshots",
          "runs");

  /** Copies what a replay needs and what it cannot give, up to the tasks. */
  public void beforeTasks() {
    for (String table : TABLES.keySet()) {
      if (table.equals("tasks")) return;
      table(table);
    }
  }

  /** Copies what refers to tasks and is not replayed, and brings the counters after it. */
  public void afterTasks() {
    boolean after = false;
    for (String table : TABLES.keySet()) {
      after |= table.equals("tasks");
      if (after && !REPLAYED.contains(table)) table(table);
    }
    counters();
  }

  /** Copies one table. */
  public long table(String table) {
    List<String> columns = new ArrayList<>(columns(from, table));
    columns.retainAll(columns(to, table));
    String names = String.join(", ", columns);
    String binds = columns.stream().map(c -> ":" + c).collect(Collectors.joining(", "));
    String insert = "INSERT INTO " + table + " (" + names + ") VALUES (" + binds + ")";
    Batch batch = new Batch(insert);
    from.sql("SELECT " + names + " FROM " + table + " ORDER BY " + TABLES.get(table))
        .each(row -> batch.add(row, columns));
    batch.flush();
    return batch.rows;
  }

  /** A transaction's own number means nothing elsewhere. */
  static List<String> columns(Tx tx, String table) {
    return tx.dialect().columns(tx, table).stream().filter(c -> !c.equals("xid")).toList();
  }

  /** Lets the target count on from what it was given. */
  private void counters() {
    to.dialect().resetCounters(to);
  }

  private final class Batch {
    private final String insert;
    private Sql statement;
    private int waiting;
    private long rows;

    Batch(String insert) {
      this.insert = insert;
      this.statement = to.sql(insert);
    }

    void add(Row row, List<String> columns) {
      for (String column : columns) statement.bind(column, value(row, column));
      statement.addRow();
      rows++;
      if (++waiting == ROWS_AT_ONCE) flush();
    }

    private @Nullable Object value(Row row, String column) {
      if (INSTANTS.contains(column)) return row.instantOrNull(column);
      if (JSON.contains(column)) return row.jsonRawOrNull(column);
      return row.plainOrNull(column);
    }

    void flush() {
      statement.updateBatch();
      statement = to.sql(insert);
      waiting = 0;
    }
  }
}
