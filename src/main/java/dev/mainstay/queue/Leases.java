package dev.mainstay.queue;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Text;
import dev.mainstay.store.Once;
import dev.mainstay.store.Outlook;
import dev.mainstay.store.Store;
import dev.mainstay.store.TaskTable.Locked;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private static final int ROUNDS_MAX = 20;

  private final Store store;

  public Leases(Store store) {
    this.store = store;
  }

  /** Gives a ready task to a holder; the answer's fence goes with everything the holder writes. */
  public Task hold(TaskId id, String holder, Duration length, Call call) {
    checkLength(length);
    JsonObject asked = JsonObject.of("id", id.value(), "holder", holder, "length", length);
    expire();
    return store.inTransaction(
        Tasks.once(call, "task.hold", asked),
        tx -> holdIn(tx, tx.tasks().lock(id), holder, length, call));
  }

  /** The same for a locked task, within a transaction that has more to do with it. */
  public static Task holdIn(Tx tx, Task task, String holder, Duration length, Call call) {
    if (!task.isReady()) throw notReady(task);
    Budgets.mustHaveRoom(tx, task);
    tx.terminals().ensureExternal(holder);
    return give(tx, task, holder, length, null, call);
  }

  /**
   * Completes a task that was done without a lease, such as by an executed plan. One that is held,
   * or still waits for others or for its parts, is left as it is.
   */
  public static void completeIn(Tx tx, TaskId id, Call call) {
    Task task = tx.tasks().lock(id);
    if (!task.isReady() || task.links().waiting().openChildren() > 0) return;
    Task held = holdIn(tx, task, call.actor().name(), LEASE, call);
    Moves.move(tx, held, List.of(new TaskEvent.Completed(JsonObject.EMPTY)), call);
  }

  /**
   * Gives the most urgent ready tasks to a worker, perhaps none; no task goes to two. Tasks of
   * holders that did not renew in time come back first.
   */
  public List<Task> claim(Wanted wanted, Call call) {
    expire();
    return store.inTransaction(wanted.once(call), tx -> claimIn(tx, wanted, call));
  }

  static List<Task> claimIn(Tx tx, Wanted wanted, Call call) {
    Claiming one = new Claiming(wanted, call);
    return claimIn(tx, List.of(one)).get(0);
  }

  /** Somebody who claims. */
  record Claiming(Wanted wanted, Call call) {}

  /**
   * Deals what is ready to several who want the same types, in their order; what each got. Nothing
   * is no answer: who asks again under the same key gets what is ready then.
   */
  static List<List<Task>> claimIn(Tx tx, List<Claiming> claimers) {
    List<List<Task>> dealt = new ArrayList<>();
    Deque<Integer> seats = new ArrayDeque<>(); // whose turn it is, once for each task they want
    for (int i = 0; i < claimers.size(); i++) {
      dealt.add(new ArrayList<>());
      seats.addAll(Collections.nCopies(claimers.get(i).wanted().limit(), i));
    }
    List<TaskType> types = claimers.get(0).wanted().types();
    // Who has no room in its budget is held back, so each round looks at others, and at more.
    for (int round = 0; round < ROUNDS_MAX && !seats.isEmpty(); round++) {
      int looked = Math.max(seats.size(), Math.min(1 << round, CLAIMED_AT_ONCE_MAX));
      List<Task> found = tx.tasks().claimable(types, looked);
      for (Task task : found) {
        if (seats.isEmpty()) break;
        if (!Budgets.reserve(tx, task)) {
          tx.waiting().holdBack(task.id());
          continue;
        }
        int turn = seats.removeFirst();
        Wanted wanted = claimers.get(turn).wanted();
        if (dealt.get(turn).isEmpty()) tx.terminals().ensureExternal(wanted.worker());
        Call call = claimers.get(turn).call();
        String helper = helper(wanted.worker(), call);
        dealt.get(turn).add(give(tx, task, wanted.worker(), wanted.length(), helper, call));
      }
      if (found.size() < looked) break;
    }
    if (dealt.stream().allMatch(List::isEmpty)) tx.leaveUnsettled();
    return dealt;
  }

  /**
   * Gives a ready task to somebody who is seen at work on it already, and begins it; empty when its
   * budget has no room.
   */
  public static Optional<Task> takenIn(Tx tx, Task task, String holder, Call call) {
    if (!Budgets.reserve(tx, task)) return Optional.empty();
    tx.terminals().ensureExternal(holder);
    // Who was silent for a while and goes on has lost nothing: a pause is no failed attempt.
    boolean resumed =
        tx.assignments()
            .of(task.id(), holder)
            .filter(last -> last.standing().attempt() == task.progress().attempt())
            .isPresent();
    Instant until = capped(task.links().terms(), tx.now(), tx.now().plus(LEASE));
    var taken = new TaskEvent.Held(holder, task.fence() + 1, until, resumed, null);
    Task held = Moves.move(tx, task, List.of(taken), call);
    return Optional.of(begunIn(tx, held, call));
  }

  /** Begins a task that was given to whoever begins it. */
  public static Task begunIn(Tx tx, Task given, Call call) {
    return Moves.move(tx, given, List.of(new TaskEvent.Started()), call);
  }

  /** Keeps a task for its holder, who was seen alive. */
  public static void keptIn(Tx tx, Task held, Duration length) {
    Instant since = held.lease().orElseThrow().since();
    tx.tasks().renew(held.id(), capped(held.links().terms(), since, tx.now().plus(length)));
  }

  private static Task give(
      Tx tx, Task task, String holder, Duration length, @Nullable String helper, Call call) {
    Instant until = capped(task.links().terms(), tx.now(), tx.now().plus(length));
    var held = new TaskEvent.Held(holder, task.fence() + 1, until, false, helper);
    return Moves.move(tx, task, List.of(held), call);
  }

  /** An agent that claims in the name of a worker goes on in it, so it helps that worker. */
  private static @Nullable String helper(String worker, Call call) {
    return call.actor().isAgent() && !call.isBy(worker) ? call.holder() : null;
  }

  /** No lease outlasts the timeout of its attempt. */
  private static Instant capped(Terms terms, Instant since, Instant until) {
    Duration timeout = terms.timeout();
    if (timeout == null) return until;
    Instant end = since.plus(timeout);
    return until.isAfter(end) ? end : until;
  }

  /** A heartbeat: the holder is alive and keeps the task. */
  public Task renew(TaskId id, Duration length, Call call) {
    return renew(id, length, Amounts.NONE, call);
  }

  /**
   * A heartbeat that also books what was spent since the last one. What uses up the budget is
   * booked; the next heartbeat is refused then.
   */
  public Task renew(TaskId id, Duration length, Amounts spent, Call call) {
    checkLength(length);
    JsonObject asked = JsonObject.of("id", id.value(), "length", length);
    return store.inTransaction(
        spent.equals(Amounts.NONE)
            ? Once.unkeyed()
            : Tasks.once(call, "task.heartbeat", spending(asked, spent)),
        tx -> {
          Task task = held(tx, id, call).task();
          Budgets.mustNotBeUsedUp(tx, task);
          keptIn(tx, task, length);
          spentIn(tx, tx.tasks().get(id), spent, call);
          return tx.tasks().get(id);
        });
  }

  /** The holder says that it will do it; a holder that begins at once need not. */
  public Task accept(TaskId id, Call call) {
    return change(id, "task.accept", new AttemptEvent.Accepted(), call);
  }

  /** The holder says what it has spent since it said so last; it counts against all budgets. */
  public Task spend(TaskId id, Amounts spent, Call call) {
    var event = new AttemptEvent.Spending(spent);
    return store.aboutTask(
        id,
        Tasks.once(call, "task.spend", event.payload().with("id", id.value())),
        tx -> {
          return spentIn(tx, held(tx, id, call).task(), spent, call);
        });
  }

  /** Books what was spent in the transaction of the verb it came with: both count, or neither. */
  private static Task spentIn(Tx tx, Task task, Amounts spent, Call call) {
    if (spent.equals(Amounts.NONE)) return task;
    Task after = tx.tasks().record(task, List.of(new AttemptEvent.Spending(spent)), call);
    Budgets.spend(tx, task, Totals.of(spent));
    return after;
  }

  private static Locked spentIn(Tx tx, Locked held, Amounts spent, Call call) {
    return new Locked(spentIn(tx, held.task(), spent, call), held.outlook());
  }

  /** The request by which a key is known again, with what was spent if that came along. */
  private static JsonObject spending(JsonObject asked, Amounts spent) {
    return spent.equals(Amounts.NONE) ? asked : asked.with("spent", spent.toJson());
  }

  public Task start(TaskId id, Call call) {
    return change(id, "task.start", new TaskEvent.Started(), call);
  }

  /** Gives the task back to the queue; no session goes on with it by itself. */
  public Task release(TaskId id, String reason, Call call) {
    return release(id, reason, Amounts.NONE, call);
  }

  /** The same, with what was spent. */
  public Task release(TaskId id, String reason, Amounts spent, Call call) {
    var event = new TaskEvent.Released(Tasks.reason(reason));
    JsonObject asked = spending(event.payload().with("id", id.value()), spent);
    return store.aboutTask(
        id,
        Tasks.once(call, "task.release", asked),
        tx -> {
          Locked held = spentIn(tx, held(tx, id, call), spent, call);
          Task offered = Moves.move(tx, held, List.of(event), call);
          tx.sessions().leaveAll(id);
          return offered;
        });
  }

  /** Ends the task well; refused, with the list, while open steps or unmet criteria remain. */
  public Task complete(TaskId id, JsonObject result, Call call) {
    return complete(id, result, null, call);
  }

  /** The same, where a person may do without the evidence that the type of task requires. */
  public Task complete(TaskId id, JsonObject result, @Nullable String override, Call call) {
    return complete(id, result, override, Amounts.NONE, call);
  }

  /**
   * The same, with what was spent. A holder whose time ran out is late and not refused, until
   * another worker has the task.
   */
  public Task complete(
      TaskId id, JsonObject result, @Nullable String override, Amounts spent, Call call) {
    var kept = Redactor.DEFAULT.redactObject(result);
    Text.body("a task's result", kept.toString(), RESULT_CHARS_MAX);
    String reason = TaskTypes.override(override);
    var event = new TaskEvent.Completed(kept);
    JsonObject asked = event.payload().with("id", id.value()).with("override", reason);
    return store.aboutTask(
        id,
        Tasks.once(call, "task.complete", spending(asked, spent)),
        tx -> {
          Locked held = spentIn(tx, heldOrLate(tx, id, call), spent, call);
          Families.refuseWhileOpen(tx, held.task());
          if (held.outlook().isGuarded() || reason != null) {
            tx.dossiers().refuseUnlessDone(id, reason, call);
          }
          return Moves.move(tx, held, List.of(event), call);
        });
  }

  /** The holder could not do it: it is tried again as its terms say, or has failed. */
  public Task fail(TaskId id, String error, Call call) {
    return fail(id, error, Amounts.NONE, call);
  }

  /** The same, with what was spent. */
  public Task fail(TaskId id, String error, Amounts spent, Call call) {
    String why = Tasks.reason(error);
    JsonObject asked = spending(JsonObject.of("id", id.value(), "error", why), spent);
    return store.aboutTask(
        id,
        Tasks.once(call, "task.fail", asked),
        tx -> {
          Locked held = spentIn(tx, held(tx, id, call), spent, call);
          Task after = Moves.move(tx, held, Expiry.afterFailure(tx, held.task(), why), call);
          tx.sessions().leaveAll(id);
          return after;
        });
  }

  private Task change(TaskId id, String useCase, TaskEvent event, Call call) {
    return store.aboutTask(
        id,
        Tasks.once(call, useCase, event.payload().with("id", id.value())),
        tx -> {
          return Moves.move(tx, held(tx, id, call), List.of(event), call);
        });
  }

  private static Locked held(Tx tx, TaskId id, Call call) {
    return mustHold(tx.tasks().lockAndLook(id), call);
  }

  private static Locked mustHold(Locked locked, Call call) {
    Task task = locked.task();
    task.admit(call);
    if (!task.status().isHeld()) {
      throw Refusal.leaseLost(Phrase.of("%s is %s; nobody holds it", task.id(), task.status()));
    }
    return locked;
  }

  /** The same for a holder that is late: it takes the task again, and goes on from there. */
  private static Locked heldOrLate(Tx tx, TaskId id, Call call) {
    Locked locked = tx.tasks().lockAndLook(id);
    Optional<String> late = late(tx, locked.task(), call);
    if (late.isEmpty()) return mustHold(locked, call);
    Budgets.reserve(tx, locked.task()); // what is done needs no room; its time is booked already
    return new Locked(takenAgain(tx, locked.task(), late.get(), call), Outlook.UNKNOWN);
  }

  /**
   * The holder whose lease ended only because of time, if this is its call and no worker had the
   * task since: the fence was raised once, by the sweeper.
   */
  private static Optional<String> late(Tx tx, Task task, Call call) {
    Long fence = call.fence();
    boolean offered = task.status() == TaskStatus.PENDING && task.links().unmet() == 0;
    if (!offered || fence == null || fence != task.fence() - 1) return Optional.empty();
    if (!tx.waiting().lostByTime(task.id())) return Optional.empty();
    long given = fence;
    return tx.assignments().ofTask(task.id()).stream()
        .filter(last -> last.standing().fence() == given)
        .map(Assignment::terminal)
        .filter(holder -> !call.actor().isAgent() || call.isBy(holder))
        .findFirst();
  }

  private static Task takenAgain(Tx tx, Task task, String holder, Call call) {
    Instant until = capped(task.links().terms(), tx.now(), tx.now().plus(LEASE));
    var taken = new TaskEvent.Held(holder, task.fence() + 1, until, true, null);
    return Moves.move(tx, task, List.of(taken), call);
  }

  /**
   * Takes back what somebody held who is no more; how many tasks that were. One who was stopped
   * gives them back, and one who vanished has lost them.
   */
  public static int endOf(Tx tx, String holder, String how, boolean stopped, Call call) {
    List<TaskId> open =
        tx.assignments().openOf(holder).stream().map(Assignment::task).distinct().sorted().toList();
    int count = 0;
    for (TaskId id : open) {
      Task task = tx.tasks().lock(id);
      if (task.lease().filter(lease -> lease.holder().equals(holder)).isEmpty()) continue;
      List<TaskEvent> events =
          stopped
              ? List.of(new TaskEvent.Released(Tasks.reason(how)))
              : Expiry.afterEnd(tx, task, how);
      Moves.move(tx, task, events, call);
      count++;
    }
    return count;
  }

  /** Returns the tasks of holders that did not renew in time; how many there were. */
  public int expire() {
    return Expiry.bringBack(store, tx -> true, fault -> {}); // the sweeper tells of those
  }

  private static Refusal notReady(Task task) {
    String why =
        task.status().isHeld()
            ? "held by " + task.lease().orElseThrow().holder()
            : task.status() == TaskStatus.PENDING
                ? task.links().waiting().shown()
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
