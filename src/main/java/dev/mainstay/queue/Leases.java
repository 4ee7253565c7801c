package dev.mainstay.queue;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Text;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.util.List;

/**
 * Who holds a task, until when. Every holder gets a fence, a number that only grows; whoever writes
 * with an old one has lost the lease, whatever the clocks say.
 */
public final class Leases {
  public static final Duration LEASE = Duration.ofMinutes(10);
  public static final Duration LEASE_MIN = Duration.ofSeconds(1);
  public static final Duration LEASE_MAX = Duration.ofDays(1);
  public static final int RESULT_CHARS_MAX = 65_536;
  public static final int CLAIMED_AT_ONCE_MAX = 100;
  private static final int EXPIRED_AT_ONCE_MAX = 200;

  private final Store store;

  public Leases(Store store) {
    this.store = store;
  }

  /** Gives a ready task to a holder; the answer's fence goes with everything the holder writes. */
  public Task hold(TaskId id, String holder, Duration length, Call call) {
    checkLength(length);
    JsonObject asked = JsonObject.of("id", id.value(), "holder", holder, "length", length);
    return store.inTransaction(
        Tasks.once(call, "task.hold", asked),
        tx -> {
          Task task = tx.tasks().lock(id);
          if (!task.isReady()) throw notReady(task);
          var held = new TaskEvent.Held(holder, task.fence() + 1, tx.now().plus(length));
          return tx.tasks().record(task, List.of(held), call);
        });
  }

  /**
   * Gives the most urgent ready tasks to a worker, perhaps none; no task goes to two. Tasks of
   * holders that did not renew in time come back first.
   */
  public List<Task> claim(Wanted wanted, Call call) {
    expire();
    return store.inTransaction(wanted.once(call), tx -> claimIn(tx, wanted, call));
  }

  /** Nothing is no answer: who asks again under the same key gets what is ready then. */
  static List<Task> claimIn(Tx tx, Wanted wanted, Call call) {
    List<Task> ready = tx.tasks().claimable(wanted.types(), wanted.limit());
    if (ready.isEmpty()) tx.leaveUnsettled();
    return ready.stream().map(task -> held(tx, task, wanted, call)).toList();
  }

  private static Task held(Tx tx, Task task, Wanted wanted, Call call) {
    var until = tx.now().plus(wanted.length());
    var held = new TaskEvent.Held(wanted.worker(), task.fence() + 1, until);
    return tx.tasks().record(task, List.of(held), call);
  }

  /** A heartbeat: the holder is alive and keeps the task. */
  public Task renew(TaskId id, Duration length, Call call) {
    checkLength(length);
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = held(tx, id, call);
          tx.tasks().renew(id, tx.now().plus(length));
          return tx.tasks().get(task.id());
        });
  }

  public Task start(TaskId id, Call call) {
    return change(id, "task.start", new TaskEvent.Started(), call);
  }

  /** Gives the task back to the queue. */
  public Task release(TaskId id, String reason, Call call) {
    return change(id, "task.release", new TaskEvent.Released(Tasks.reason(reason)), call);
  }

  /** Ends the task well; refused, with the list, while open steps or unmet criteria remain. */
  public Task complete(TaskId id, JsonObject result, Call call) {
    var kept = Redactor.DEFAULT.redactObject(result);
    Text.body("a task's result", kept.toString(), RESULT_CHARS_MAX);
    return change(id, "task.complete", new TaskEvent.Completed(kept), call);
  }

  public Task fail(TaskId id, String error, Call call) {
    return change(id, "task.fail", new TaskEvent.Failed(Tasks.reason(error)), call);
  }

  private Task change(TaskId id, String useCase, TaskEvent event, Call call) {
    return store.inTransaction(
        Tasks.once(call, useCase, event.payload().with("id", id.value())),
        tx -> {
          Task task = held(tx, id, call);
          if (event instanceof TaskEvent.Completed) {
            tx.dossiers().refuseUnlessDone(id, tx.dossiers().get(id).dossier());
          }
          Task after = tx.tasks().record(task, List.of(event), call);
          if (after.status().isEnded()) Dependencies.settle(tx, after, call);
          return after;
        });
  }

  private static Task held(Tx tx, TaskId id, Call call) {
    Task task = tx.tasks().lock(id);
    task.admit(call);
    if (!task.status().isHeld()) {
      throw Refusal.leaseLost(Phrase.of("%s is %s; nobody holds it", id, task.status()));
    }
    return task;
  }

  /** Returns the tasks of holders that did not renew in time; how many there were. */
  public int expire() {
    Call system = Call.by(Actor.SYSTEM, "system");
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          int expired = 0;
          for (TaskId id : tx.tasks().expired(EXPIRED_AT_ONCE_MAX).stream().sorted().toList()) {
            Task task = tx.tasks().lock(id);
            if (task.lease().filter(lease -> !lease.until().isAfter(tx.now())).isEmpty()) continue;
            tx.tasks().record(task, List.of(new TaskEvent.LeaseExpired(lateness(task))), system);
            expired++;
          }
          return expired;
        });
  }

  private static String lateness(Task task) {
    Lease lease = task.lease().orElseThrow();
    return Phrase.of(
        "attempt %d: %s did not renew its lease, which ended at %s",
        task.progress().attempt(), lease.holder(), lease.until());
  }

  private static Refusal notReady(Task task) {
    String why =
        task.status().isHeld()
            ? "held by " + task.lease().orElseThrow().holder()
            : task.links().unmet() > 0
                ? Phrase.of("waiting for %d other task(s)", task.links().unmet())
                : task.status().name();
    return Refusal.conflict(
        Phrase.of(
            "%s is not ready: it is %s; 'mainstay task ready' lists what can be begun",
            task.id(), why));
  }

  static void checkLength(Duration length) {
    if (length.compareTo(LEASE_MIN) < 0 || length.compareTo(LEASE_MAX) > 0) {
      throw Refusal.invalid("a lease lasts between 1 second and 1 day");
    }
  }
}
