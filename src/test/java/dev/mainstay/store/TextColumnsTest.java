package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whoever adds a column that holds text says whether it can be rewritten. */
class TextColumnsTest {
  /** By which something is found again, here, on a disk or in a chain. */
  private static final Set<String> NAMES =
      Set.of(
          "journal: stream actor source kind",
          "idempotency_keys: key",
          "workflows: id name",
          "workflow_nodes: id workflow_id",
          "workflow_edges: id workflow_id source target",
          "session_workflows: session_name workflow_id",
          "workflow_executions: id workflow_id session_name current_node_id host work_dir parent_execution parent_token started_by",
          "workflow_waits: execution_id token_id node_id kind task_id child_execution",
          "workflow_starts: workflow_id node_id kind message",
          "workflow_messages: name sent_by",
          "terminals: id tmux_session tmux_window provider agent_profile host tmux_socket work_dir caller_id",
          "terminal_states: terminal_id",
          "inbox: sender_id receiver_id",
          "flows: name schedule agent_profile provider host work_dir",
          "flow_runs: flow_name terminal_id",
          "tasks: id workflow_id parent_id task_type lease_holder lease_helpers",
          "task_dependencies: task_id depends_on kind",
          "task_assignments: task_id terminal_id",
          "task_artifacts: task_id artifact_type file_path host",
          "task_budgets: task_id",
          "budget_reservations: task_id budget_id",
          "delegations: task_id caller_id agent_profile provider tmux_session host work_dir branch base terminal_id",
          "task_types: task_type",
          "access_tokens: id name terminal_id",
          "archived_streams: stream archive",
          "dossiers: task_id",
          "notebooks: task_id",
          "checkpoints: task_id",
          "snapshots: stream",
          "agent_sessions: id host_session_id agent terminal_id worktree branch task_id",
          "runs: task_id session_id",
          "prompts_given: task_id source",
          "workspaces: id host work_dir story_id",
          "workspace_files: workspace_id path",
          "workspace_touches: workspace_id path task_id",
          "file_writes: workspace_id path key task_id actor source",
          "write_counts: workspace_id",
          "reservations: workspace_id pattern task_id",
          "observations: workspace_id task_id actor source",
          "state_directories: id host folder task_id execution_id",
          "state_files: directory_id name");

  @Test
  void every_column_that_holds_text_is_one_that_can_be_rewritten_or_a_name() {
    try (Store store = Store.open(Databases.SQLITE.fresh(), StoreSettings.DEFAULT)) {
      Set<String> found = new TreeSet<>();
      for (String table : TableCopy.TABLES.keySet()) {
        Set<String> columns = new LinkedHashSet<>();
        for (String column : store.reading(tx -> tx.dialect().textColumns(tx, table))) {
          if (TextColumns.isName(table, column)) columns.add(column);
        }
        if (!columns.isEmpty()) found.add(table + ": " + String.join(" ", columns));
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(NAMES);
    }
  }

  @Test
  void every_column_that_is_rewritten_is_there() {
    Map<String, List<String>> all = new TreeMap<>(TextColumns.TEXTS);
    all.putAll(TextColumns.MADE);
    try (Store store = Store.open(Databases.SQLITE.fresh(), StoreSettings.DEFAULT)) {
      for (var each : all.entrySet()) {
        List<String> there = store.reading(tx -> tx.dialect().textColumns(tx, each.getKey()));
        assertThat(there).as(each.getKey()).containsAll(each.getValue());
      }
    }
  }
}
