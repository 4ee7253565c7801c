package dev.mainstay.workspace;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.JsonObject;
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
import dev.mainstay.workspace.Ledger.Disk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What follows from what tools were seen to do: which task changed which file, where two of them
 * changed the same one, what remains to be done, and how a check ended.
 */
final class Findings {
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "workspace");

  private static final String VERSION = "version";
  private static final String ADMITTED = "admitted";

  private final String workspace;
  private final Attribution attribution;
  private final List<Observation> seen;

  Findings(Site site, Attribution attribution) {
    this.workspace = site.id();
    this.attribution = attribution;
    this.seen = attribution.observations();
  }

  /** Notes all of it; the rows of the files are up to date already. */
  void record(Tx tx, Workspace before, List<FileBook.Change> changes, Disk disk) {
    Set<String> paths = new LinkedHashSet<>();
    for (RepoPath path : attribution.paths()) paths.add(path.value());
    // The first look finds everything, and nobody has just made it.
    boolean first = before.files().version() == 0;
    Set<String> changed = new HashSet<>();
    for (FileBook.Change change : changes) if (change.isOfContent()) changed.add(change.path());
    if (!first) paths.addAll(changed);
    List<Touch> touches = new ArrayList<>();
    for (String path : paths) {
      for (Touch touch : touches(tx, path)) {
        if (changed.contains(path) || !isOfAnother(tx, touch)) touches.add(touch);
      }
    }
    lock(tx, touches);
    List<Clash> clashes = new ArrayList<>();
    for (Touch touch : touches) clashes.addAll(touched(tx, workspace, touch));
    raise(tx, clashes);
    takeTasks(tx, before);
    takeEvidence(tx, before, changes, disk);
  }

  /**
   * What is queued beside the meaning: the version of the workspace, and whether the caller might
   * write to the task. Whoever might not can have files looked at, but gives no evidence.
   */
  static JsonObject noted(JsonObject meaning, Workspace now, boolean admitted) {
    return meaning.with(VERSION, now.files().version()).with(ADMITTED, admitted);
  }

  private List<Touch> touches(Tx tx, String path) {
    Optional<TrackedFile> file =
        tx.workspaceFiles().find(workspace, path).filter(found -> found.toMeta().isThere());
    Instant modTime = file.map(found -> found.seen().stat().modTime()).orElse(null);
    String hash = file.map(found -> found.seen().hash()).orElse(null);
    return attribution.causes(path, modTime).stream()
        .map(task -> new Touch(path, task, hash, tx.now()))
        .toList();
  }

  /** A tool that named a file with the content another task left has read it, and no more. */
  private boolean isOfAnother(Tx tx, Touch touch) {
    return tx.touches().ofOthers(workspace, touch.path(), touch.task()).stream()
        .anyMatch(other -> Objects.equals(other.hash(), touch.hash()));
  }

  /** Every task that may be written to, in the order of their ids, before any is. */
  private void lock(Tx tx, List<Touch> touches) {
    Set<TaskId> tasks = new TreeSet<>();
    for (Observation each : seen) {
      TaskId task = each.task();
      if (task != null) tasks.add(task);
    }
    for (Touch touch : touches) tasks.addAll(others(tx, workspace, touch));
    tasks.forEach(tx.tasks()::lock);
  }

  private static List<TaskId> others(Tx tx, String workspace, Touch touch) {
    return tx.touches().ofOthers(workspace, touch.path(), touch.task()).stream()
        .map(Touch::task)
        .toList();
  }

  /** Two tasks, both under way, changed the same file. */
  private record Clash(Touch mine, Touch other) {}

  private static List<Clash> touched(Tx tx, String workspace, Touch touch) {
    boolean held = tx.tasks().get(touch.task()).status().isHeld();
    List<Clash> clashes =
        !held
            ? List.of()
            : tx.touches().ofOthers(workspace, touch.path(), touch.task()).stream()
                .filter(other -> !Objects.equals(other.hash(), touch.hash()))
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
    Set<TaskId> tasks = new TreeSet<>(sawIt ? List.of() : others(tx, workspace, touch));
    tasks.add(task);
    tasks.forEach(tx.tasks()::lock);
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

  /** The newest list is the list; what another task lists is not about this story. */
  private void takeTasks(Tx tx, Workspace before) {
    List<OpenTask> newest = null;
    Optional<TaskId> story = before.story().task();
    for (Observation each : seen) {
      ToolMeaning meaning = Attribution.meaning(each);
      TaskId task = each.task();
      boolean ours = task == null || story.isEmpty() || story.get().equals(task);
      if (ours && meaning.effect() == Effect.TASKS) newest = meaning.tasks();
    }
    if (newest != null) tx.workspaces().setStory(workspace, before.story().with(newest));
  }

  /** A check that was seen to end is evidence, on the files as they were when it ended. */
  private void takeEvidence(Tx tx, Workspace before, List<FileBook.Change> changes, Disk disk) {
    for (Observation each : seen) {
      CommandSeen command = Attribution.meaning(each).command();
      TaskId task = each.task();
      if (task == null || command == null || command.exitCode() == null) continue;
      Stored stored = tx.dossiers().get(task);
      boolean isCheck =
          stored.dossier().state().run().criteria().stream()
              .map(Criterion::check)
              .anyMatch(command.command().strip()::equals);
      if (!isCheck || !Boolean.TRUE.equals(each.meaning().get(ADMITTED))) continue;
      Long version = each.meaning().numberOrNull(VERSION);
      boolean overtaken =
          version == null
              || version != before.files().version()
              || isFollowed(each, changes)
              || isOvertaken(each.seenAt(), changes, disk);
      String on = overtaken ? Tree.UNKNOWN : disk.tree();
      var evidence =
          new EvidenceSeen(
              command.command().strip(), command.exitCode(), new Tree(workspace, on), How.OBSERVED);
      tx.dossiers().record(task, stored, stored.dossier().observed().see(evidence), each.by());
    }
  }

  /**
   * Whether files changed after the command ended: then nobody knows on which it ran. The rows may
   * have been brought to such a change before, so all files are asked; when a file was deleted, no
   * file says.
   */
  private static boolean isOvertaken(Instant end, List<FileBook.Change> changes, Disk disk) {
    boolean changed =
        changes.stream()
            .filter(FileBook.Change::isOfContent)
            .map(Findings::modTime)
            .anyMatch(modTime -> modTime.isEmpty() || end.isBefore(modTime.get()));
    return changed
        || disk.files().stream()
            .map(file -> file.stat().modTime())
            .anyMatch(modTime -> end.isBefore(modTime) && !modTime.isAfter(disk.lookedAt()));
  }

  /** Whether other tools ran after the check and something changed: perhaps it was them. */
  private boolean isFollowed(Observation check, List<FileBook.Change> changes) {
    boolean changed = changes.stream().anyMatch(FileBook.Change::isOfContent);
    return changed
        && seen.stream()
            .filter(each -> each.number() > check.number())
            .map(each -> Attribution.meaning(each).effect())
            .anyMatch(effect -> effect == Effect.FILES || effect == Effect.DISK);
  }

  private static Optional<Instant> modTime(FileBook.Change change) {
    return Optional.ofNullable(change.after())
        .filter(after -> after.toMeta().isThere())
        .map(after -> after.seen().stat().modTime());
  }
}
