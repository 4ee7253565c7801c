package dev.mainstay.workflow;

import static dev.mainstay.domain.WorkflowMessage.LIFE;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Happening.Due;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Timing;
import dev.mainstay.bpmn.Token;
import dev.mainstay.bpmn.Wish.Posting;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Follower.End;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Work;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What executions cannot do by themselves: moments that come, kept messages for which somebody
 * waits by now, tasks that ended unseen, and work that is wanted no more. Each is a transaction of
 * its own, and what goes wrong with one keeps no other from its turn.
 */
final class Errand {
  /** So many of a kind are looked at in one turn; the next turn comes soon. */
  private static final int AT_ONCE_MAX = 100;

  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "workflow");

  private final Store store;
  private final Definitions definitions;
  private int done;
  private @Nullable RuntimeException fault;

  Errand(Store store, Definitions definitions) {
    this.store = store;
    this.definitions = definitions;
  }

  /** Does all there is; how much that was. */
  int run(Strays strays) {
    each(tx -> tx.workflowWaits().due(AT_ONCE_MAX), this::due);
    each(tx -> tx.workflowStarts().due(AT_ONCE_MAX), this::start);
    each(tx -> tx.workflowWaits().awaited(AT_ONCE_MAX), this::deliver);
    each(tx -> tx.workflowMessages().old(tx.now().minus(LIFE), AT_ONCE_MAX), Errand::expire);
    each(strays::in, this::bring);
    each(tx -> tx.workflowWaits().withdrawn(AT_ONCE_MAX), this::withdraw);
    if (fault != null) throw fault;
    return done;
  }

  /** Tells only what is wanted no more. */
  void withdraw() {
    each(tx -> tx.workflowWaits().withdrawn(AT_ONCE_MAX), this::withdraw);
    if (fault != null) throw fault;
  }

  private interface Step<T> {
    boolean in(Tx tx, T found);
  }

  /** A look costs no commit. */
  private <T> void each(Work<List<T>> look, Step<T> step) {
    for (T found : store.reading(look)) {
      try {
        if (store.inTransaction(Once.unkeyed(), tx -> step.in(tx, found))) done++;
      } catch (RuntimeException wrong) {
        if (fault == null) fault = wrong;
      }
    }
  }

  private boolean due(Tx tx, WorkflowWait seen) {
    Moving moving = new Moving(tx, definitions);
    Running running = moving.lock(seen.execution());
    boolean isDue =
        running
            .wait(seen.token())
            .filter(wait -> wait.kind() == Kind.TIMER && isOver(wait.about().due(), tx.now()))
            .isPresent();
    if (!isDue || running.status() != Status.RUNNING) {
      return false;
    }
    moving.happens(running, new Due(seen.token()), SYSTEM);
    finish(tx, moving);
    return true;
  }

  private static boolean isOver(@Nullable Instant due, Instant now) {
    return due != null && !due.isAfter(now);
  }

  private boolean start(Tx tx, WorkflowStart seen) {
    WorkflowStart start = tx.workflowStarts().lockIfDue(seen).orElse(null);
    if (start == null || start.dueAt() == null) return false;
    Optional<Instant> next =
        timing(definitions.of(tx, start.workflow()), start.node())
            .next(start.dueAt(), start.fired() + 1, tx.now());
    if (next.isPresent()) tx.workflowStarts().moved(start, next.get());
    else tx.workflowStarts().delete(start);
    Moving moving = new Moving(tx, definitions);
    new Wishing(tx, moving).begin(start, JsonObject.EMPTY, home(tx, start.workflow()), SYSTEM);
    finish(tx, moving);
    return true;
  }

  /** Where an execution works that nobody started: where its workflow was taken in. */
  static Home home(Tx tx, String workflow) {
    JsonObject config = tx.workflows().source(workflow).config();
    String host = config.textOrNull("host");
    String folder = config.textOrNull("work_dir");
    return new Home(
        WorkflowExecutions.SESSION, host == null ? "" : host, folder == null ? "" : folder, null);
  }

  /** When a timer that starts a workflow is due. */
  static Timing timing(Definition definition, String node) {
    Trigger trigger = definition.node(node).traits().trigger();
    if (trigger instanceof Trigger.Timer timer) return Timing.of(timer);
    throw new IllegalStateException(node + " is no timer");
  }

  private boolean deliver(Tx tx, WorkflowMessage seen) {
    Moving moving = new Moving(tx, definitions);
    WorkflowWait wait =
        tx.workflowWaits().forMessage(seen.name(), seen.correlation(), null, 1).stream()
            .findFirst()
            .orElse(null);
    if (wait == null) return begin(tx, moving, seen);
    Running running = moving.lock(wait.execution());
    long version = running.execution().standing().version();
    moving.looks(running, wait.token(), SYSTEM);
    finish(tx, moving);
    return running.execution().standing().version() > version;
  }

  /** A message that was kept for somebody who is gone begins what it would have begun at first. */
  private boolean begin(Tx tx, Moving moving, WorkflowMessage seen) {
    Wishing wishing = new Wishing(tx, moving);
    Posting posting = new Posting(seen.name(), seen.correlation(), seen.content());
    WorkflowStart start = wishing.startFor(posting).orElse(null);
    if (start == null) return false;
    WorkflowMessage taken =
        tx.workflowMessages().take(seen.name(), seen.correlation()).orElse(null);
    if (taken == null) return false;
    Call by = Call.by(Actor.parse(taken.sent().by()), SYSTEM.source());
    Running begun = wishing.begin(start, taken.content(), home(tx, start.workflow()), by);
    Wishing.gone(tx, taken, begun.id(), SYSTEM);
    finish(tx, moving);
    return true;
  }

  private static boolean expire(Tx tx, WorkflowMessage old) {
    if (!tx.workflowMessages().delete(old)) return false;
    Wishing.gone(tx, old, null, SYSTEM);
    return true;
  }

  /** Lets a token go on whose task has ended unseen. The task is locked first, as ever. */
  private boolean bring(Tx tx, WorkflowWait seen) {
    TaskId id = new TaskId(seen.name());
    if (tx.tasks().find(id).isEmpty()) return false;
    Task task = tx.tasks().lock(id);
    Moving moving = new Moving(tx, definitions);
    Running running = moving.lock(seen.execution());
    boolean stillWaits = running.wait(seen.token()).filter(seen::equals).isPresent();
    if (!task.status().isEnded() || !stillWaits || running.status() != Status.RUNNING) return false;
    boolean isAtWork =
        running
            .marking()
            .find(seen.token())
            .filter(token -> token.status() == Token.Status.IN_PROGRESS)
            .isPresent();
    if (!isAtWork && task.status() != TaskStatus.COMPLETED) return false;
    long version = running.execution().standing().version();
    End end = new End(task, result(tx, id), SYSTEM);
    moving.happens(running, WorkflowExecutions.happening(seen.token(), end), SYSTEM);
    finish(tx, moving);
    return running.execution().standing().version() > version;
  }

  /** What the last who had it in his hands made of it. */
  private static JsonObject result(Tx tx, TaskId task) {
    JsonObject result = JsonObject.EMPTY;
    long fence = -1;
    for (Assignment each : tx.assignments().ofTask(task)) {
      JsonObject made = each.outcome().result();
      if (made == null || each.standing().fence() <= fence) continue;
      result = made;
      fence = each.standing().fence();
    }
    return result;
  }

  /** The task first: executions are never locked before tasks. */
  private boolean withdraw(Tx tx, WorkflowWait gone) {
    String why = Phrase.of("%s wants it no more", gone.execution());
    if (TaskId.isOne(gone.name())) {
      TaskId id = new TaskId(gone.name());
      if (tx.tasks().find(id).isPresent()) Tasks.cancelIn(tx, tx.tasks().lock(id), why, SYSTEM);
      tx.workflowWaits().delete(gone.execution(), List.of(gone.token()));
      return true;
    }
    Moving moving = new Moving(tx, definitions);
    if (tx.workflowExecutions().find(gone.name()).isPresent()) {
      Running called = moving.lock(gone.name());
      if (!called.status().isOver()) moving.cancel(called, why, SYSTEM);
    }
    tx.workflowWaits().delete(gone.execution(), List.of(gone.token()));
    finish(tx, moving);
    return true;
  }

  /** Writes down what moved; what is wanted no more is told once that is durable. */
  void finish(Tx tx, Moving moving) {
    moving.run();
    if (moving.hasWithdrawn()) tx.afterCommit(() -> new Errand(store, definitions).withdraw());
  }
}
