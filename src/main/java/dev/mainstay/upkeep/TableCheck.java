package dev.mainstay.upkeep;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Standing;
import dev.mainstay.store.ExecutionReplay;
import dev.mainstay.store.Replay;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Unreadable;
import dev.mainstay.upkeep.Verification.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the tables with what the journal says they should hold. */
final class TableCheck {
  /** Times of leases and pauses are local, and counts are derived: none is in the journal. */
  private static final Set<String> NOT_JOURNALED =
      Set.of(
          "lease_until",
          "heartbeat_at",
          "lease_since",
          "unmet_dependencies",
          "open_children",
          "delayed_until",
          "over_budget");

  private static final int SHOWN_CHARS_MAX = 60;
  private static final int LEAD_CHARS = 20;

  private TableCheck() {}

  /** What differs between a task's row and the replay of its stream. */
  static List<Finding> journaled(Tx tx, Replay replay) {
    String where = "tasks." + replay.id();
    Task wanted = replay.task();
    if (wanted == null) return List.of();
    try {
      Optional<Task> row = tx.tasks().find(replay.id());
      if (row.isEmpty()) return List.of(new Finding(where, "the row is missing"));
      List<Finding> found = differences(where, TaskJson.write(wanted), TaskJson.write(row.get()));
      if (!tx.tasks()
          .dependencyColumn(replay.id())
          .equals(TaskJson.ids(wanted.links().dependencies()))) {
        found.add(new Finding(where, "the column dependencies is not what the journal says"));
      }
      return found;
    } catch (RuntimeException unreadable) {
      return List.of(new Finding(where, "the row cannot be read: " + Unreadable.why(unreadable)));
    }
  }

  /** What differs between an execution's row and the replay of its stream. */
  static List<Finding> journaled(Tx tx, ExecutionReplay replay) {
    String where = "workflow_executions." + replay.id();
    try {
      Optional<WorkflowExecution> row = tx.workflowExecutions().find(replay.id());
      if (row.isEmpty()) return List.of(new Finding(where, "the row is missing"));
      Standing standing = row.get().standing();
      return differences(
          where,
          JsonObject.of("workflow_id", replay.workflow(), "status", replay.status().name())
              .with("execution_data", replay.data()),
          JsonObject.of("workflow_id", row.get().workflow(), "status", standing.status().name())
              .with("execution_data", standing.data()));
    } catch (RuntimeException unreadable) {
      return List.of(new Finding(where, "the row cannot be read: " + Unreadable.why(unreadable)));
    }
  }

  static List<Finding> differences(String where, JsonObject wanted, JsonObject row) {
    List<Finding> found = new ArrayList<>();
    Set<String> fields = new TreeSet<>(wanted.asMap().keySet());
    fields.addAll(row.asMap().keySet());
    fields.removeAll(NOT_JOURNALED);
    for (String field : fields) {
      Object journal = wanted.get(field);
      Object table = row.get(field);
      if (!String.valueOf(journal).equals(String.valueOf(table))) {
        found.add(
            new Finding(
                where,
                Phrase.of(
                    "%s is %s, the journal says %s",
                    field, shown(table, journal), shown(journal, table))));
      }
    }
    return found;
  }

  /** Of a long text the part where it begins to differ from the other. */
  private static String shown(@Nullable Object value, @Nullable Object other) {
    String text = String.valueOf(value);
    if (text.length() <= SHOWN_CHARS_MAX) return "\"" + text + "\"";
    int same = Arrays.mismatch(text.toCharArray(), String.valueOf(other).toCharArray());
    int from = Math.max(0, Math.min(same - LEAD_CHARS, text.length() - SHOWN_CHARS_MAX));
    int to = Math.min(text.length(), from + SHOWN_CHARS_MAX);
    String before = from > 0 ? "..." : "";
    return "\"" + before + text.substring(from, to) + (to < text.length() ? "...\"" : "\"");
  }

  /** Counters that do not fit, and rows that no journal entry explains. */
  static List<Finding> derived(Tx tx) {
    List<Finding> found = new ArrayList<>();
    for (TaskId id : tx.dependencies().miscounted()) {
      found.add(new Finding("tasks." + id, "the count of unmet dependencies is wrong"));
    }
    for (TaskId id : tx.waiting().miscountedChildren()) {
      found.add(new Finding("tasks." + id, "the count of open children is wrong"));
    }
    for (String id : tx.tasks().unexplained()) {
      found.add(new Finding("tasks." + id, "no journal entry explains this row"));
    }
    for (String id : tx.notebooks().unexplained()) {
      found.add(new Finding("notebooks." + id, "no dossier goes on from this row"));
    }
    for (String hash : tx.artifacts().damaged()) {
      found.add(new Finding("artifact_contents." + hash, "the text does not fit its hash"));
    }
    for (String hash : tx.artifacts().missing()) {
      found.add(new Finding("artifact_contents." + hash, "the text is missing"));
    }
    return found;
  }
}
