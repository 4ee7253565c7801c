package dev.mainstay.state;

import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionEvent.StepRecorded;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the journal says happened in an execution. */
public final class ExecutionHistory {
  public static final int TRANSITIONS_SHOWN_MAX = 50;

  private ExecutionHistory() {}

  /** The entries of the task's newest execution, oldest first. */
  static List<StepRecord> of(Tx tx, TaskId id) {
    return entries(tx, id, Set.of(StepRecorded.KIND)).stream()
        .map(entry -> StepRecord.fromJson(JsonText.object(entry.content().payload())))
        .toList();
  }

  /** The statuses it went through, oldest first; of many the last ones. */
  public static List<String> transitions(Tx tx, TaskId id) {
    List<String> statuses = new ArrayList<>(List.of(ExecutionStatus.PLANNING.name()));
    for (JournalEntry entry : entries(tx, id, Set.of("exec.status_changed"))) {
      statuses.add(JsonText.object(entry.content().payload()).text("to"));
    }
    int from = Math.max(0, statuses.size() - TRANSITIONS_SHOWN_MAX);
    return statuses.subList(from, statuses.size());
  }

  /** Journal entries of these kinds since the newest execution began, with that, oldest first. */
  public static List<JournalEntry> entries(Tx tx, TaskId id, Set<String> kinds) {
    var begun = tx.journal().newestOfKinds(id.stream(), Set.of("exec.begun"), 1);
    if (begun.isEmpty()) return List.of();
    long after = begun.get(0).place().number() - 1;
    return tx.journal().ofKinds(id.stream(), kinds, after, Execution.ENTRIES_MAX);
  }
}
