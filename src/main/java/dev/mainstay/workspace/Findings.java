package dev.mainstay.workspace;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.ObservedEvent;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.ToolMeaning.CommandSeen;
import dev.mainstay.domain.ToolMeaning.Effect;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What follows from what tools were seen to do: which task changed which file, where two of them
 * changed the same one, what remains to be done, and how a check ended.
 */
final class Findings {
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "workspace");

  private final String workspace;
  private final Attribution attribution;
  private final List<Observation> seen;

  Findings(Site site, List<Observation> seen) {
    this.workspace = site.id();
    this.attribution = new Attribution(site.tree().root(), seen);
    this.seen = seen;
  }

  /** Notes all of it; the rows of the files are up to date already. */
  void record(Tx tx, Workspace before, List<FileBook.Change> changes, String tree) {
    Set<String> paths = new LinkedHashSet<>();
    for (RepoPath path : attribution.paths()) paths.add(path.value());
    for (FileBook.Change change : changes) if (change.isOfContent()) paths.add(change.path());
    List<Clash> clashes = new ArrayList<>();
    for (String path : paths) clashes.addAll(touched(tx, path));
    raise(tx, clashes);
    takeTasks(tx, before);
    takeEvidence(tx, changes, tree);
  }

  private List<Clash> touched(Tx tx, String path) {
    Optional<TrackedFile> file =
        tx.workspaceFiles().find(workspace, path).filter(found -> found.toMeta().isThere());
    Instant modTime = file.map(found -> found.seen().stat().modTime()).orElse(null);
    String hash = file.map(found -> found.seen().hash()).orElse(null);
    List<Clash> clashes = new ArrayList<>();
    for (TaskId task : attribution.causes(path, modTime)) {
      clashes.addAll(touched(tx, workspace, new Touch(path, task, hash, tx.now())));
    }
    return clashes;
  }

  /** Two tasks, both under way, changed the same file. */
  private record Clash(Touch mine, Touch other) {}

  private static List<Clash> touched(Tx tx, String workspace, Touch touch) {
    List<Clash> clashes =
        tx.touches().ofOthers(workspace, touch.path(), touch.task()).stream()
            .map(other -> new Clash(touch, other))
            .toList();
    tx.touches().put(workspace, touch);
    return clashes;
  }

  /** A file was written through Mainstay; who had seen the version before clashes with nobody. */
  static void wrote(Tx tx, String workspace, FileWrite write, boolean sawIt) {
    TaskId task = write.task();
    if (task == null) return;
    var touch = new Touch(write.path().value(), task, write.change().newHash(), tx.now());
    List<Clash> clashes = touched(tx, workspace, touch);
    if (!sawIt) raise(tx, clashes);
  }

  /** Both tasks are told; they are locked in the order of their ids, as everywhere. */
  private static void raise(Tx tx, List<Clash> clashes) {
    Map<TaskId, List<ConflictSeen>> told = new TreeMap<>();
    for (Clash clash : clashes) {
      tell(told, clash.mine(), clash.other());
      tell(told, clash.other(), clash.mine());
    }
    told.forEach(
        (task, conflicts) -> {
          tx.tasks().lock(task);
          Stored stored = tx.dossiers().get(task);
          for (ConflictSeen conflict : conflicts) {
            List<ObservedEvent> events = stored.dossier().observed().see(conflict);
            stored = tx.dossiers().record(task, stored, events, SYSTEM);
          }
        });
  }

  private static void tell(Map<TaskId, List<ConflictSeen>> told, Touch mine, Touch other) {
    told.computeIfAbsent(mine.task(), task -> new ArrayList<>())
        .add(new ConflictSeen(mine.path(), other.task(), mine.hash(), other.hash()));
  }

  /** The newest list is the list. */
  private void takeTasks(Tx tx, Workspace before) {
    List<OpenTask> newest = null;
    for (Observation each : seen) {
      ToolMeaning meaning = ToolMeaning.fromJson(each.meaning());
      if (meaning.effect() == Effect.TASKS) newest = meaning.tasks();
    }
    if (newest != null) tx.workspaces().setStory(workspace, before.story().with(newest));
  }

  /** A check that was seen to end is evidence, on the files as they were when it ended. */
  private void takeEvidence(Tx tx, List<FileBook.Change> changes, String tree) {
    for (Observation each : seen) {
      CommandSeen command = ToolMeaning.fromJson(each.meaning()).command();
      TaskId task = each.task();
      if (task == null || command == null || command.exitCode() == null) continue;
      tx.tasks().lock(task);
      Stored stored = tx.dossiers().get(task);
      boolean isCheck =
          stored.dossier().state().run().criteria().stream()
              .map(Criterion::check)
              .anyMatch(command.command().strip()::equals);
      if (!isCheck) continue;
      String on = changedSince(each.seenAt(), changes) ? Tree.UNKNOWN : tree;
      var evidence =
          new EvidenceSeen(
              command.command().strip(), command.exitCode(), new Tree(workspace, on), How.OBSERVED);
      tx.dossiers().record(task, stored, stored.dossier().observed().see(evidence), each.by());
    }
  }

  /** Whether files changed after the command ended: then nobody knows on which it ran. */
  private static boolean changedSince(Instant end, List<FileBook.Change> changes) {
    return changes.stream()
        .filter(FileBook.Change::isOfContent)
        .anyMatch(change -> modTime(change) == null || end.isBefore(modTime(change)));
  }

  private static @Nullable Instant modTime(FileBook.Change change) {
    TrackedFile after = change.after();
    return after == null ? null : after.seen().stat().modTime();
  }
}
