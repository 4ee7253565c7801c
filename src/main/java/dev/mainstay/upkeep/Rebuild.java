package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Once;
import dev.mainstay.store.Replay;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.TableCopy;
import dev.mainstay.store.Tx;
import dev.mainstay.upkeep.Verification.Finding;
import dev.mainstay.upkeep.Verification.Report;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new store of the journal of an old one: the tables come from replaying it, so whatever
 * was wrong in them is right again. A stream that is itself damaged cannot be replayed; of its task
 * the row is kept as it stands, and said so.
 */
public final class Rebuild {
  /** What was found in the old store, and what could only be kept as it stood. */
  public record Result(Report before, List<Finding> kept, long tasks) {}

  private final Set<String> damaged = new HashSet<>();
  private final List<Finding> kept = new ArrayList<>();
  private final List<Task> waiting = new ArrayList<>();
  private String current = "";
  private @Nullable Replay replay;
  private long tasks;

  private Rebuild() {}

  /** Builds into a place where no store is yet. */
  public static Result into(Store old, StoreAddress target) {
    Report before = Verification.of(old);
    Rebuild rebuild = new Rebuild();
    for (Finding finding : before.findings()) rebuild.damaged.add(finding.where());
    try (Store made = Store.open(target, old.settings())) {
      old.reading(from -> made.inTransaction(Once.unkeyed(), to -> rebuild.copy(from, to)));
      made.seal();
    }
    return new Result(before, List.copyOf(rebuild.kept), rebuild.tasks);
  }

  private long copy(Tx from, Tx to) {
    TableCopy tables = new TableCopy(from, to);
    tables.beforeTasks();
    from.journal().eachByAge(entry -> take(from, to, entry));
    finish(from, to);
    waiting.forEach(to.dependencies()::insertAll);
    to.dependencies().recount();
    tables.afterTasks();
    return tasks;
  }

  private void take(Tx from, Tx to, JournalEntry entry) {
    String stream = entry.place().stream();
    if (!stream.equals(current)) {
      current = stream;
      finish(from, to);
      replay = Replay.isTask(stream) && !damaged.contains(stream) ? Replay.of(stream) : null;
    }
    if (replay != null) replay.apply(entry);
    else if (Replay.isTask(stream) && damaged.remove(stream)) keepRow(from, to, stream);
  }

  private void finish(Tx from, Tx to) {
    Replay done = replay;
    replay = null;
    Task task = done == null ? null : done.task();
    if (task == null) return;
    restore(to, withLocalLease(from, task));
  }

  private void restore(Tx to, Task task) {
    to.tasks().restore(task);
    if (!task.links().dependencies().isEmpty()) waiting.add(task);
    tasks++;
  }

  /** Lease times are not in the journal: the old row's is taken while it is the same lease. */
  private static Task withLocalLease(Tx from, Task task) {
    if (task.lease().isEmpty()) return task;
    Lease replayed = task.lease().get();
    Lease local =
        readable(from, task.id())
            .flatMap(Task::lease)
            .filter(lease -> lease.holder().equals(replayed.holder()))
            .orElse(replayed);
    var was = task.progress();
    var progress = new Task.Progress(was.status(), was.reason(), was.attempt(), was.fence(), local);
    return new Task(task.id(), task.brief(), task.links(), progress, task.stamps());
  }

  private void keepRow(Tx from, Tx to, String stream) {
    TaskId id = Replay.of(stream).id();
    var row = readable(from, id);
    if (row.isPresent()) {
      restore(to, row.get());
      kept.add(new Finding(stream, "the stream is damaged; the row was kept as it stood"));
    } else {
      kept.add(
          new Finding(stream, "the stream is damaged and the row is missing; restore a backup"));
    }
  }

  private static Optional<Task> readable(Tx from, TaskId id) {
    try {
      return from.tasks().find(id);
    } catch (RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
