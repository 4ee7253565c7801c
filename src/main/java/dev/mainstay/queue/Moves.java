package dev.mainstay.queue;

import dev.mainstay.domain.Assignment.Status;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.store.Follower;
import dev.mainstay.store.Outlook;
import dev.mainstay.store.TaskTable.Locked;
import dev.mainstay.store.Tx;
import java.util.List;

/**
 * The one way in which a task moves: journal and row first, then what follows it, in the same
 * transaction: the assignment, the budgets it drew on, and whoever waits for it.
 */
final class Moves {
  private Moves() {}

  /** Moves a task and tells all who wait for it when that ended it. */
  static Task move(Tx tx, Task task, List<? extends TaskEvent> events, Call call) {
    return move(tx, new Locked(task, Outlook.UNKNOWN), events, call);
  }

  /** The same for whoever has looked what there is to reckon with. */
  static Task move(Tx tx, Locked locked, List<? extends TaskEvent> events, Call call) {
    Task task = locked.task();
    Outlook outlook = locked.outlook();
    Task after = quietly(tx, task, outlook, events, call);
    if (after.status() == TaskStatus.PENDING) return Settling.givenBack(tx, after, call);
    // What it is a part of, or who waits for it, is told; what is a part of it only of a bad end.
    boolean matters = outlook.isAwaited() || after.status() != TaskStatus.COMPLETED;
    if (after.status().isEnded() && matters) Settling.of(tx, after, call);
    return after;
  }

  /** The same without telling anybody: for whoever goes on to tell them himself. */
  static Task quietly(Tx tx, Task task, List<? extends TaskEvent> events, Call call) {
    return quietly(tx, task, Outlook.UNKNOWN, events, call);
  }

  private static Task quietly(
      Tx tx, Task task, Outlook outlook, List<? extends TaskEvent> events, Call call) {
    Task after = tx.tasks().record(task, events, call);
    for (TaskEvent event : events) follow(tx, task, after, event);
    if (after.status().isEnded() && after.links().workflow() != null) {
      tx.hasEnded(new Follower.End(after, result(events), call));
    }
    if (task.status().isHeld() && !after.status().isHeld()) {
      if (outlook.isFunded()) Budgets.settle(tx, task);
      noteWhereTheHolderStands(tx, task, after);
    }
    return after;
  }

  private static JsonObject result(List<? extends TaskEvent> events) {
    for (TaskEvent event : events) {
      if (event instanceof TaskEvent.Completed done) return done.result();
    }
    return JsonObject.EMPTY;
  }

  private static void follow(Tx tx, Task before, Task after, TaskEvent event) {
    var rows = tx.assignments();
    if (event instanceof TaskEvent.Held) {
      rows.given(after);
    } else if (event instanceof AttemptEvent.Accepted) {
      rows.moved(before, Status.ACCEPTED);
    } else if (event instanceof TaskEvent.Started) {
      rows.moved(before, Status.IN_PROGRESS);
    } else if (before.status().isHeld()) {
      if (event instanceof TaskEvent.Completed done) rows.ended(before, done.result(), null);
      else if (event instanceof TaskEvent.Released free) {
        rows.ended(before, null, "released: " + free.reason());
      } else if (event instanceof TaskEvent.Cancelled gone) {
        rows.ended(before, null, "cancelled: " + gone.reason());
      } else if (event instanceof AttemptEvent.LeaseExpired late) {
        rows.ended(before, null, late.reason());
      } else if (event instanceof AttemptEvent.Retried again) {
        rows.ended(before, null, again.error());
      } else if (event instanceof AttemptEvent.Failed failed) {
        rows.ended(before, null, failed.error());
      }
    }
  }

  /** What a terminal did last is known when it, or whoever comes after it, begins again. */
  private static void noteWhereTheHolderStands(Tx tx, Task held, Task after) {
    if (!after.status().isEnded()) return;
    String holder = held.lease().orElseThrow().holder();
    tx.terminalStates()
        .checkpointed(
            holder, TerminalState.ended(after.id(), after.status(), after.progress().reason()));
  }
}
