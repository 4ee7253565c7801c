package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Assignment.Status;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal of tasks as a checker does: one holder at a time, fences that only grow,
 * assignments that say the same, and every acknowledged step once.
 */
final class QueueJournal {
  private static final Set<String> LETTING_GO =
      Set.of(
          "task.completed",
          "task.released",
          "task.lease_expired",
          "task.retried",
          "task.failed",
          "task.cancelled");

  /** What the journal says of one terminal's newest attempt. */
  private record Row(Status status, int attempt, long fence) {}

  private final Map<String, Row> rows = new TreeMap<>();
  private final Map<String, Integer> steps;
  private final TaskId task;
  private @Nullable String holder;
  private long fence;
  private int attempt;

  private QueueJournal(TaskId task, Map<String, Integer> steps) {
    this.task = task;
    this.steps = steps;
  }

  /** Acknowledged steps are counted by task, kind of entry and actor. */
  static void check(Store store, List<TaskId> tasks, Map<String, Integer> acknowledged) {
    Map<String, Integer> steps = new TreeMap<>();
    for (TaskId id : tasks) {
      QueueJournal journal = new QueueJournal(id, steps);
      store.reading(tx -> tx.journal().stream(id.stream())).forEach(journal::read);
      journal.compare(store.reading(tx -> tx.assignments().ofTask(id)));
    }
    assertThat(steps)
        .as("entries of the journal against acknowledged steps")
        .isEqualTo(acknowledged);
  }

  private void read(JournalEntry entry) {
    String kind = entry.content().kind();
    Actor actor = entry.origin().actor();
    // A late completion takes its task again in the same step.
    boolean resumed =
        kind.equals("task.held")
            && JsonText.object(entry.content().payload()).get("resumed") != null;
    if (!actor.equals(Actor.SYSTEM) && !resumed) {
      steps.merge(task + " " + kind + " " + actor.name(), 1, Integer::sum);
    }
    if (kind.equals("task.held")) {
      var payload = JsonText.object(entry.content().payload());
      assertThat(holder).as(task + " is given to two").isNull();
      assertThat(payload.number("fence")).as("fence of " + task).isGreaterThan(fence);
      fence = payload.number("fence");
      holder = payload.text("holder");
      rows.put(holder, new Row(Status.ASSIGNED, ++attempt, fence));
    } else if (holder != null) {
      if (kind.equals("task.accepted")) move(Status.ACCEPTED);
      if (kind.equals("task.started")) move(Status.IN_PROGRESS);
      if (LETTING_GO.contains(kind)) {
        move(kind.equals("task.completed") ? Status.COMPLETED : Status.FAILED);
        holder = null;
      }
    }
  }

  private void move(Status to) {
    rows.computeIfPresent(
        String.valueOf(holder),
        (who, row) -> row.status().mayBecome(to) ? new Row(to, row.attempt(), row.fence()) : row);
  }

  private void compare(List<Assignment> assignments) {
    Map<String, Row> told = new TreeMap<>();
    for (Assignment each : assignments) {
      var standing = each.standing();
      told.put(each.terminal(), new Row(standing.status(), standing.attempt(), standing.fence()));
    }
    assertThat(told).as("assignments of " + task).isEqualTo(rows);
  }
}
