package dev.mainstay.queue;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.store.DependencyTable.Dependent;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WaitingTable.Child;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What follows when a task has ended: those who wait for it are told, and who can never start any
 * more is cancelled with the cause; a parent ends with its last child.
 */
final class Settling {
  private final Tx tx;
  private final Call system;
  private final Deque<Task> toTell = new ArrayDeque<>();

  private Settling(Tx tx, Call call) {
    this.tx = tx;
    this.system = Call.by(Actor.SYSTEM, call.source());
  }

  /** Tells all who wait for a task that has ended, and those who wait for them in turn. */
  static void of(Tx tx, Task ended, Call call) {
    Settling settling = new Settling(tx, call);
    settling.toTell.add(ended);
    settling.tellAll();
  }

  /**
   * A task that its holder has no more waits again for what was tried again meanwhile, and is
   * cancelled when that ended in a way it cannot start after.
   */
  static Task givenBack(Tx tx, Task free, Call call) {
    if (free.links().dependencies().isEmpty()) return free;
    tx.dependencies().recount(free.id());
    Settling settling = new Settling(tx, call);
    Task task = tx.tasks().lock(free.id());
    Dependencies.impossible(tx, task)
        .ifPresent(cause -> settling.end(task, waitsFor(cause), cause.id()));
    settling.tellAll();
    return tx.tasks().get(free.id());
  }

  private void tellAll() {
    while (!toTell.isEmpty()) tell(toTell.removeFirst());
  }

  private static String waitsFor(Task cause) {
    return Phrase.of("it waits for %s, which is %s", cause.id(), cause.status());
  }

  private void tell(Task cause) {
    for (Dependent dependent : tx.dependencies().dependents(cause.id())) {
      Task waiting = tx.tasks().lock(dependent.task());
      if (waiting.status() != TaskStatus.PENDING) continue;
      switch (dependent.kind().standing(cause.status())) {
        case WAITING -> {}
        case MET -> {
          tx.dependencies().recount(waiting.id());
          // Its parts may have ended before what it waited for.
          if (!tx.waiting().children(waiting.id()).isEmpty()) childEnded(waiting.id());
        }
        case IMPOSSIBLE -> end(waiting, waitsFor(cause), cause.id());
      }
    }
    if (cause.status() != TaskStatus.COMPLETED) endChildren(cause);
    TaskId parent = cause.links().parent();
    if (parent != null) childEnded(parent);
  }

  private void end(Task task, String reason, TaskId cause) {
    var cancelled = new TaskEvent.Cancelled(reason, cause);
    toTell.add(Moves.quietly(tx, task, List.of(cancelled), system));
  }

  private void endChildren(Task parent) {
    for (Child child : tx.waiting().children(parent.id())) {
      if (child.status().isEnded()) continue;
      Task open = tx.tasks().lock(child.id());
      if (open.status().isEnded()) continue;
      String reason = Phrase.of("it is a part of %s, which is %s", parent.id(), parent.status());
      end(open, reason, parent.id());
    }
  }

  /** A parent that nobody holds ends with its last child; one that is held is its holder's. */
  private void childEnded(TaskId id) {
    Task parent = tx.tasks().lock(id);
    int open = tx.waiting().recountChildren(id);
    if (open > 0 || parent.status() != TaskStatus.PENDING || parent.links().unmet() > 0) return;
    outcome(parent)
        .ifPresent(event -> toTell.add(Moves.quietly(tx, parent, List.of(event), system)));
  }

  private Optional<TaskEvent> outcome(Task parent) {
    List<Child> children = tx.waiting().children(parent.id());
    for (Child child : children) {
      if (child.status() == TaskStatus.FAILED) {
        String error = Phrase.of("its part %s is FAILED", child.id());
        return Optional.of(new AttemptEvent.Failed(error, child.id()));
      }
    }
    List<String> done =
        children.stream()
            .filter(child -> child.status() == TaskStatus.COMPLETED)
            .map(child -> child.id().value())
            .toList();
    // With nothing done below it, or with steps and criteria of its own, it is somebody's work.
    if (done.isEmpty() || !isDone(parent)) return Optional.empty();
    return Optional.of(new TaskEvent.Completed(JsonObject.of("completed_children", done)));
  }

  private boolean isDone(Task parent) {
    try {
      tx.dossiers().refuseUnlessDone(parent.id(), tx.dossiers().get(parent.id()).dossier());
      return true;
    } catch (Refusal left) {
      return false;
    }
  }
}
