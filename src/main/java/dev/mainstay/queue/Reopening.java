package dev.mainstay.queue;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
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

/** A task is tried again, and with it whatever ended only because it had. */
final class Reopening {
  private final Tx tx;
  private final Call system;
  private final Deque<TaskId> reopened = new ArrayDeque<>();

  private Reopening(Tx tx, Call call) {
    this.tx = tx;
    this.system = Call.by(Actor.SYSTEM, call.source());
  }

  static Task of(Tx tx, Task task, String reason, Call call) {
    if (task.status() != TaskStatus.FAILED && task.status() != TaskStatus.CANCELLED) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s; only a task that is FAILED or CANCELLED is tried again",
              task.id(), task.standing()));
    }
    Dependencies.unmet(tx, task.links().dependencies()); // refuses one that could never start
    Reopening reopening = new Reopening(tx, call);
    TaskId parent = task.links().parent();
    if (parent != null && !reopening.takesOpenParts(parent)) {
      TaskStatus status = tx.tasks().get(parent).status();
      throw Refusal.conflict(
          Phrase.of(
              "%s is a part of %s, which is %s; %s",
              task.id(),
              parent,
              status,
              status == TaskStatus.COMPLETED
                  ? "make a new task"
                  : "try that one again first with 'mainstay task retry " + parent + "'"));
    }
    reopening.reopen(task, reason, call);
    while (!reopening.reopened.isEmpty()) reopening.follow(reopening.reopened.removeFirst());
    return tx.tasks().get(task.id());
  }

  private void reopen(Task task, String reason, Call by) {
    tx.tasks().record(task, List.of(new TaskEvent.Reopened(reason)), by);
    tx.dependencies().recount(task.id());
    tx.waiting().recountChildren(task.id());
    reopened.add(task.id());
  }

  private void follow(TaskId cause) {
    String reason = cause + " is tried again";
    for (Dependent dependent : tx.dependencies().dependents(cause)) {
      Task other = tx.tasks().lock(dependent.task());
      if (other.status() == TaskStatus.PENDING) tx.dependencies().recount(other.id());
      else reopenIfFree(other, reason);
    }
    for (Child child : tx.waiting().children(cause)) {
      reopenIfFree(tx.tasks().lock(child.id()), reason);
    }
    tx.waiting().recountChildren(cause);
    TaskId above = tx.tasks().get(cause).links().parent();
    if (above == null) return;
    Task parent = tx.tasks().lock(above);
    tx.waiting().recountChildren(above);
    if (failedByPart(parent)) reopen(parent, reason, system);
  }

  /** Whoever was cancelled because of others comes back as soon as none of them is in its way. */
  private void reopenIfFree(Task task, String reason) {
    boolean byAnother =
        task.status() == TaskStatus.CANCELLED && tx.waiting().causeOfEnd(task.id()).isPresent();
    if (byAnother && couldStart(task)) reopen(task, reason, system);
  }

  private boolean couldStart(Task task) {
    TaskId parent = task.links().parent();
    return Dependencies.impossible(tx, task).isEmpty()
        && (parent == null || takesOpenParts(parent));
  }

  /** Whether parts of a task may be open: it is so itself, or failed by a part and follows it. */
  private boolean takesOpenParts(TaskId id) {
    Task parent = tx.tasks().lock(id);
    return !parent.status().isEnded() || (failedByPart(parent) && couldStart(parent));
  }

  private boolean failedByPart(Task task) {
    return task.status() == TaskStatus.FAILED
        && tx.waiting()
            .causeOfEnd(task.id())
            .flatMap(cause -> tx.tasks().find(cause)) // it may be in an archive
            .filter(cause -> task.id().equals(cause.links().parent()))
            .isPresent();
  }
}
