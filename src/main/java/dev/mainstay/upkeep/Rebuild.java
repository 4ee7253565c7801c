package dev.mainstay.upkeep;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Backups;
import dev.mainstay.store.DossierTable;
import dev.mainstay.store.ExecutionReplay;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.Once;
import dev.mainstay.store.Replay;
import dev.mainstay.store.SnapshotTable;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.TableCopy;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Unreadable;
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

  private final Set<String> damaged;
  private final Set<TaskId> restored = new HashSet<>();
  private final List<Finding> kept = new ArrayList<>();
  private final List<Task> waiting = new ArrayList<>();
  private String current = "";
  private @Nullable Replay replay;
  private @Nullable ExecutionReplay execution;

  private Rebuild(Set<String> damaged) {
    this.damaged = new HashSet<>(damaged);
  }

  /** Builds into a place where no store is yet. */
  public static Result into(Store old, StoreAddress target) {
    Report before = Verification.of(old);
    try (Store made = Store.open(target, old.settings())) {
      if (made.<Long>reading(tx -> tx.journal().count()) > 0) {
        throw Refusal.conflict(
            target.shown() + " has something in it already; name an empty place with --into");
      }
      Rebuild done =
          old.reading(
              from ->
                  made.inTransaction(
                      Once.unkeyed(), to -> new Rebuild(before.damaged()).copy(from, to)));
      made.seal();
      return new Result(before, List.copyOf(done.kept), done.restored.size());
    } catch (RuntimeException failed) {
      Backups.discardEmpty(target, old.settings());
      throw failed;
    }
  }

  private Rebuild copy(Tx from, Tx to) {
    TableCopy tables = new TableCopy(from, to);
    tables.beforeTasks();
    from.journal().eachByAge(new Taking(from, to));
    finish(from, to);
    for (String id : from.tasks().unexplained()) keepRow(from, to, new TaskId(id).stream());
    for (Task task : waiting) insertEdges(to, task);
    to.dependencies().recount();
    to.waiting().recountChildren();
    tables.afterTasks();
    return this;
  }

  /** Takes each entry into the replay of its stream. */
  private final class Taking implements JournalTable.Reader {
    private final Tx from;
    private final Tx to;

    Taking(Tx from, Tx to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void entry(JournalEntry entry) {
      begin(from, to, entry.place().stream());
      if (replay != null) apply(to, replay, entry);
      if (execution != null) execution.apply(entry);
    }

    @Override
    public void unreadable(String stream, long number) {
      begin(from, to, stream);
    }
  }

  private void begin(Tx from, Tx to, String stream) {
    if (stream.equals(current)) return;
    current = stream;
    finish(from, to);
    boolean isMoved = ExecutionReplay.isExecution(stream) && !damaged.contains(stream);
    if (isMoved) execution = ExecutionReplay.of(stream);
    if (!Replay.isTask(stream)) return;
    if (damaged.contains(stream)) keepRow(from, to, stream);
    else replay = Replay.of(stream);
  }

  /** An edge to a task that is nowhere any more is left out, and said so. */
  private void insertEdges(Tx to, Task task) {
    int place = 0;
    for (Dependency dependency : task.links().dependencies()) {
      if (restored.contains(dependency.on())) {
        to.dependencies().insert(task.id(), dependency, place++);
      } else {
        kept.add(
            new Finding(
                "tasks." + task.id(), "it waited for " + dependency.on() + ", which is gone"));
      }
    }
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
    ExecutionReplay moved = execution;
    replay = null;
    execution = null;
    if (moved != null) restore(to, moved);
    if (done == null) return;
    Task task = done.task();
    if (task == null) return;
    restore(to, withLocalLease(from, task));
    if (done.dossier().number() > 0) to.dossiers().restore(done.id(), done.dossier());
    done.checkpoints().forEach(c -> restore(to, c));
    done.runs().forEach(run -> restore(from, to, run));
  }

  /** Where it works and what it waits for is in its rows, which were copied. */
  private void restore(Tx to, ExecutionReplay moved) {
    if (moved.isEmpty() || to.workflowExecutions().restore(moved)) return;
    String where = "workflow_executions." + moved.id();
    kept.add(new Finding(where, "the row is missing; restore a backup"));
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
    TaskId parent = task.links().parent();
    boolean orphan = parent != null && !restored.contains(parent);
    if (orphan) kept.add(new Finding("tasks." + task.id(), "its parent " + parent + " is gone"));
    to.tasks().restore(orphan ? task.withoutParent() : task);
    if (!task.links().dependencies().isEmpty()) waiting.add(task);
    restored.add(task.id());
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
    if (restored.contains(id)) return;
    var row = readable(from, id);
    if (row.isPresent()) {
      restore(to, row.get());
      keepDossier(from, to, id);
      kept.add(
          new Finding(stream, "the stream is damaged or missing; the row was kept as it stood"));
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
      kept.add(new Finding("dossiers." + id, Phrase.of(problem, unreadable.getMessage())));
    }
  }

  private static Optional<Task> readable(Tx from, TaskId id) {
    try {
      return from.tasks().find(id);
    } catch (RuntimeException unreadable) {
      Unreadable.why(unreadable); // the row's own fault, or it is thrown
      return Optional.empty();
    }
  }
}
