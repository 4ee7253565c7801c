package dev.mainstay.queue;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Dependency.Standing;
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
    this.system = new Call(Actor.SYSTEM, call.source(), null, null);
  }

  static Task of(Tx tx, Task task, String reason, Call call) {
    if (task.status() != TaskStatus.FAILED && task.status() != TaskStatus.CANCELLED) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s; only a task that is FAILED or CANCELLED is tried again",
              task.id(), task.status()));
    }
    TaskId parent = task.links().parent();
    if (parent != null && tx.tasks().get(parent).status() == TaskStatus.COMPLETED) {
      throw Refusal.conflict(
          Phrase.of("%s is a part of %s, which is COMPLETED; make a new task", task.id(), parent));
    }
    Dependencies.unmet(tx, task.links().dependencies()); // refuses one that could never start
    Reopening reopening = new Reopening(tx, call);
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
      else if (endedBy(other, cause) && couldStart(other)) reopen(other, reason, system);
    }
    for (Child child : tx.waiting().children(cause)) {
      Task other = tx.tasks().lock(child.id());
      if (endedBy(other, cause) && couldStart(other)) reopen(other, reason, system);
    }
    tx.waiting().recountChildren(cause);
    TaskId above = tx.tasks().get(cause).links().parent();
    if (above == null) return;
    Task parent = tx.tasks().lock(above);
    tx.waiting().recountChildren(above);
    if (endedBy(parent, cause)) reopen(parent, reason, system);
  }

  private boolean endedBy(Task task, TaskId cause) {
    boolean ended = task.status() == TaskStatus.FAILED || task.status() == TaskStatus.CANCELLED;
    return ended && tx.waiting().causeOfEnd(task.id()).filter(cause::equals).isPresent();
  }

  private boolean couldStart(Task task) {
    for (Dependency dependency : task.links().dependencies()) {
      TaskStatus other = tx.tasks().get(dependency.on()).status();
      if (dependency.kind().standing(other) == Standing.IMPOSSIBLE) return false;
    }
    return true;
  }
}
