package dev.mainstay.store;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which columns hold what somebody wrote. Those of {@link #TEXTS} can be rewritten; every other one
 * that holds text is a name, by which something is found again here, on a disk or in a chain. A
 * test holds that each column of the schema is one or the other, or of a fixed vocabulary.
 */
final class TextColumns {
  /** What can be rewritten where it stands. */
  static final Map<String, List<String>> TEXTS =
      Map.ofEntries(
          Map.entry("idempotency_keys", List.of("answer")),
          Map.entry("workflows", List.of("description", "config", "source")),
          Map.entry("workflow_nodes", List.of("node_data")),
          Map.entry("workflow_edges", List.of("edge_data")),
          Map.entry("workflow_executions", List.of("execution_data", "error_message", "held")),
          Map.entry(
              "terminals",
              List.of("status_reason", "last_lines", "conversation", "program", "pending_input")),
          Map.entry(
              "terminal_states",
              List.of("context_data", "variables", "initial_prompt", "last_checkpoint")),
          Map.entry("flows", List.of("body", "variables", "script")),
          Map.entry("flow_runs", List.of("reason")),
          Map.entry(
              "tasks", List.of("title", "description", "metadata", "reason", "terms", "alias")),
          Map.entry("task_assignments", List.of("result", "error_message")),
          Map.entry("task_artifacts", List.of("content")),
          Map.entry("agent_sessions", List.of("repeat_fuse")),
          Map.entry("workspaces", List.of("open_tasks")),
          Map.entry("observations", List.of("meaning")),
          Map.entry("state_directories", List.of("clashes")),
          Map.entry("state_files", List.of("base", "pending")),
          Map.entry("task_types", List.of("requires")),
          Map.entry("inbox", List.of("message", "reason")),
          Map.entry("delegations", List.of("reason")),
          Map.entry("workflow_waits", List.of("message", "correlation", "question")),
          Map.entry("workflow_messages", List.of("correlation", "message_data")));

  /** What is made anew from the journal, or is rewritten in a way of its own. */
  static final Map<String, List<String>> MADE =
      Map.of(
          "journal", List.of("payload"),
          "artifact_contents", List.of("content"),
          "dossiers", List.of("notes_since", "task_state", "observed", "execution"),
          "notebooks", List.of("notebook"),
          "snapshots", List.of("dossier"),
          "checkpoints", List.of("name"),
          "runs", List.of("goal"));

  /** Columns whose words are ours, hashes, and places of no meaning, in whatever table. */
  static final Set<String> FIXED =
      Set.of(
          "status",
          "phase",
          "role",
          "signal",
          "missed",
          "zone",
          "position",
          "dependencies",
          "payload_hash",
          "previous_hash",
          "hash",
          "fingerprint",
          "content_hash",
          "token_hash",
          "tree_hash",
          "view_hash",
          "base_hash",
          "old_hash",
          "new_hash",
          "file_key",
          "temp_name");

  private TextColumns() {}

  /** Whether a column holds names: it is looked at, and never rewritten. */
  static boolean isName(String table, String column) {
    return !TEXTS.getOrDefault(table, List.of()).contains(column)
        && !MADE.getOrDefault(table, List.of()).contains(column)
        && !FIXED.contains(column)
        && !TableCopy.INSTANTS.contains(column);
  }
}
