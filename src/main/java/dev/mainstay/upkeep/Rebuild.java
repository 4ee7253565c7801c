package dev.mainstay.upkeep;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.DossierTable;
import dev.mainstay.store.Once;
import dev.mainstay.store.Replay;
import dev.mainstay.store.SnapshotTable;
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
    if (replay != null) apply(to, replay, entry);
    else if (Replay.isTask(stream) && damaged.remove(stream)) keepRow(from, to, stream);
  }

  private static void apply(Tx to, Replay replay, JournalEntry entry) {
    replay.apply(entry);
    boolean due = entry.place().number() % SnapshotTable.SNAPSHOT_ENTRIES == 0;
    if (!due) return;
    var now = new DossierTable.Stored(entry.place().number(), replay.dossier().dossier());
    to.snapshots().keep(replay.id().stream(), now);
  }

  private void finish(Tx from, Tx to) {
    Replay done = replay;
    replay = null;
    if (done == null) return;
    Task task = done.task();
    if (task == null) return;
    restore(to, withLocalLease(from, task));
    if (done.dossier().number() > 0) to.dossiers().restore(done.id(), done.dossier());
    done.checkpoints().forEach(c -> restore(to, c));
    done.runs().forEach(run -> restore(from, to, run));
  }

  /** In which session a run was begun is local: the old row says it. */
  private static void restore(Tx from, Tx to, RunRecord run) {
    to.runs().insert(run, from.runs().session(run.task(), run.number()).orElse(null));
  }

  private static void restore(Tx to, Checkpoint checkpoint) {
    to.checkpoints()
        .insert(checkpoint.task(), checkpoint.name(), checkpoint.number(), checkpoint.createdAt());
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
      keepDossier(from, to, id);
      kept.add(new Finding(stream, "the stream is damaged; the row was kept as it stood"));
    } else {
      kept.add(
          new Finding(stream, "the stream is damaged and the row is missing; restore a backup"));
    }
  }

  private void keepDossier(Tx from, Tx to, TaskId id) {
    from.checkpoints().list(id).forEach(c -> restore(to, c));
    from.runs().list(id).forEach(run -> restore(from, to, run));
    try {
      from.dossiers().find(id).ifPresent(stored -> to.dossiers().restore(id, stored));
    } catch (IllegalArgumentException | IllegalStateException | Refusal unreadable) {
      String problem = "what was remembered cannot be read (%s); restore a backup";
      kept.add(new Finding("dossiers." + id, problem.formatted(unreadable.getMessage())));
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
