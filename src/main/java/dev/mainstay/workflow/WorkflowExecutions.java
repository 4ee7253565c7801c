package dev.mainstay.workflow;

import dev.mainstay.bpmn.Happening;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Text;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.Follower.End;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowWaitTable.Waiting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Workflows that were started: begun, shown, held, helped over what went wrong, and ended. Whoever
 * ends a task in the store moves the execution that waits for it in the same commit, as soon as one
 * of these was made for the store.
 */
public final class WorkflowExecutions {
  public static final int PAGE_MAX = 1_000;

  /** Where executions work that nobody started. */
  public static final String SESSION = "workflow";

  public static final Duration WAIT_MAX = Duration.ofDays(1);

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final int NAME_CHARS_MAX = 256;

  private final Store store;
  private final Definitions definitions;
  private final Strays strays;
  private final @Nullable Long seen;

  public WorkflowExecutions(Store store) {
    this(store, new Definitions(), new Strays(), null);
    store.follow(this::ended);
  }

  private WorkflowExecutions(
      Store store, Definitions definitions, Strays strays, @Nullable Long seen) {
    this.store = store;
    this.definitions = definitions;
    this.strays = strays;
    this.seen = seen;
  }

  /** The same for whoever changes an execution only if it is still at the version he has seen. */
  public WorkflowExecutions ifAt(@Nullable Long version) {
    return version == null ? this : new WorkflowExecutions(store, definitions, strays, version);
  }

  /** Starts a workflow at its plain start. */
  public WorkflowExecution start(NewExecution wanted, Call call) {
    JsonObject variables = Given.data("the variables", wanted.variables());
    String session = Text.line("a session's name", wanted.session(), NAME_CHARS_MAX);
    Home home =
        new Home(
            session, wanted.host(), wanted.folder().toAbsolutePath().normalize().toString(), null);
    // Where it was asked for is no part of it: who repeats a request may come to another server.
    boolean usual = session.equals(SessionName.of(wanted.folder()));
    JsonObject asked =
        JsonObject.of("workflow", wanted.workflow(), "variables", variables)
            .with("session", usual ? null : session);
    return store.makingNew(
        once(call, "workflow.start", asked),
        tx -> {
          Workflow workflow = Definitions.which(tx, wanted.workflow());
          Moving moving = new Moving(tx, definitions);
          Running made = moving.make(workflow.id(), home, call.actor().toString(), 0, call);
          tx.workflows().linkSession(session, workflow.id());
          moving.happens(made, new Begin(null, variables), call);
          return finished(tx, moving, made);
        });
  }

  private WorkflowExecution finished(Tx tx, Moving moving, Running running) {
    finish(tx, moving);
    return running.shown();
  }

  private void finish(Tx tx, Moving moving) {
    new Errand(store, definitions).finish(tx, moving);
  }

  private Once<WorkflowExecution> once(Call call, String useCase, JsonObject asked) {
    JsonObject all = asked.with("if_at", seen);
    return Once.of(call, useCase, all, WorkflowExecution::toJson, WorkflowExecution::fromJson);
  }

  private Running locked(Moving moving, String id) {
    Running running = moving.lock(id);
    long version = running.execution().standing().version();
    if (seen == null || seen == version) return running;
    throw Refusal.conflict(
        Phrase.of(
            "%s is at version %d, not %d: look at it again and repeat the change",
            id, version, seen));
  }

  public ExecutionView show(String id) {
    return store.reading(tx -> Trail.in(tx, id));
  }

  /**
   * Waits until it is over, at most so long, and it goes on after that; how it stands then. Where
   * no server looks at the clock, {@code meanwhile} does so now and again.
   */
  public WorkflowExecution await(String id, Duration atMost, Runnable meanwhile) {
    if (atMost.isNegative() || atMost.compareTo(WAIT_MAX) > 0) {
      throw Refusal.invalid("an execution is waited for between 0 seconds and 1 day");
    }
    long end = System.nanoTime() + atMost.toNanos();
    long look = System.nanoTime() + LOOK_EVERY.toNanos();
    while (true) {
      if (System.nanoTime() >= look) {
        meanwhile.run();
        look = System.nanoTime() + LOOK_EVERY.toNanos();
      }
      long news = store.changes().seen(News.JOURNAL);
      WorkflowExecution now = store.reading(tx -> tx.workflowExecutions().get(id));
      long left = end - System.nanoTime();
      boolean isEnough = left <= 0 || Thread.currentThread().isInterrupted();
      if (now.status().isOver() || isEnough) return now;
      long pause = Math.max(1, Math.min(left, look - System.nanoTime()));
      store.changes().await(News.JOURNAL, news, Duration.ofNanos(pause));
    }
  }

  /** Newest first, those before one; of one workflow's name and in one status, if named. */
  public List<WorkflowExecution> list(
      @Nullable String workflow, @Nullable Status status, @Nullable String before, int limit) {
    Given.limit(limit, PAGE_MAX);
    return store.reading(
        tx -> {
          var table = tx.workflowExecutions();
          return table.list(workflow, status, before == null ? null : table.get(before), limit);
        });
  }

  /**
   * Lets it and those it called begin nothing new; what is under way goes on, and its results are
   * kept for later.
   */
  public WorkflowExecution pause(String id, String reason, Call call) {
    Given.byPerson(call, "pauses an execution");
    String why = Given.reason(reason);
    return change(
        once(call, "workflow.pause", JsonObject.of("id", id, "reason", why)),
        id,
        (moving, running) -> {
          if (running.status() == Status.PAUSED) throw Refusal.conflict(id + " is PAUSED already");
          Mending.mustGoOn(running);
          moving.pause(running, why, call);
        });
  }

  private WorkflowExecution change(
      Once<WorkflowExecution> once, String id, BiConsumer<Moving, Running> change) {
    return store.inTransaction(
        once,
        tx -> {
          Moving moving = new Moving(tx, definitions);
          Running running = locked(moving, id);
          change.accept(moving, running);
          return finished(tx, moving, running);
        });
  }

  /** Lets a paused one go on. */
  public WorkflowExecution resume(String id, Call call) {
    Given.byPerson(call, "lets a paused execution go on");
    return change(
        once(call, "workflow.resume", JsonObject.of("id", id)),
        id,
        (moving, running) -> {
          Mending.mustGoOn(running);
          if (running.status() != Status.PAUSED) {
            throw Refusal.conflict(
                Phrase.of("%s is %s; only a paused one is resumed", id, running.status()));
          }
          moving.resume(running, call);
        });
  }

  /** Tries again what went wrong at a node, with these variables set first. */
  public WorkflowExecution retry(String id, String node, JsonObject variables, Call call) {
    JsonObject given = Given.data("the variables", variables);
    if (!given.isEmpty()) Given.byPerson(call, "sets variables");
    JsonObject asked = JsonObject.of("id", id, "node", node, "variables", given);
    return store.inTransaction(
        once(call, "workflow.retry", asked),
        tx -> {
          Moving moving = new Moving(tx, definitions);
          Running running = locked(moving, id);
          for (Token token : Mending.incidents(running, node))
            Mending.mustNotBeUnderWay(tx, running, token);
          return mended(tx, moving, running, node, token -> new Retry(token, given), call);
        });
  }

  /** Goes on as if what went wrong at a node were done, with this result. */
  public WorkflowExecution skip(String id, String node, JsonObject result, Call call) {
    Given.byPerson(call, "says that something goes on as if it were done");
    JsonObject given = Given.data("the result", result);
    JsonObject asked = JsonObject.of("id", id, "node", node, "result", given);
    return store.inTransaction(
        once(call, "workflow.skip", asked),
        tx -> {
          Moving moving = new Moving(tx, definitions);
          Running running = locked(moving, id);
          return mended(tx, moving, running, node, token -> new Skip(token, given), call);
        });
  }

  private WorkflowExecution mended(
      Tx tx,
      Moving moving,
      Running running,
      String node,
      Function<String, Happening> mending,
      Call call) {
    Mending.mustRun(running);
    for (Token token : Mending.incidents(running, node)) {
      moving.happens(running, mending.apply(token.id()), call);
    }
    long version = running.execution().standing().version();
    WorkflowExecution after = finished(tx, moving, running);
    if (after.standing().version() > version) return after;
    throw Refusal.conflict(
        Phrase.of(
            "%s cannot go on from %s by itself; say which way with {\"take\": \"ID of the flow\"}",
            running.id(), node));
  }

  /** Ends it with all the work it still wants. */
  public WorkflowExecution cancel(String id, String reason, Call call) {
    Given.byPerson(call, "cancels an execution");
    String why = Given.reason(reason);
    return change(
        once(call, "workflow.cancel", JsonObject.of("id", id, "reason", why)),
        id,
        (moving, running) -> {
          Mending.mustGoOn(running);
          moving.cancel(running, why, call);
        });
  }

  /** A person's answer to what a node asks. */
  public WorkflowExecution answer(String id, String node, JsonObject answer, Call call) {
    Given.byPerson(call, "answers what a workflow asks");
    JsonObject given = Given.data("the answer", answer);
    return change(
        once(call, "workflow.answer", JsonObject.of("id", id, "node", node, "answer", given)),
        id,
        (moving, running) -> {
          Mending.mustGoOn(running);
          WorkflowWait asked = Questions.at(running, node);
          Questions.mustFit(asked, given);
          moving.happens(running, new Done(asked.token(), given), call);
        });
  }

  /**
   * Gives a message to the one that waits for it longest, or starts a workflow by it; which one got
   * it, or nothing if it is kept for later.
   */
  public Optional<WorkflowExecution> message(NewMessage message, Call call) {
    NewMessage given = Delivery.checked(message);
    return store.inTransaction(
        Once.of(
            call,
            "workflow.message",
            Delivery.json(given),
            got -> JsonObject.of("got", got.map(WorkflowExecution::toJson).orElse(null)),
            json ->
                Optional.of(json.object("got"))
                    .filter(got -> !got.isEmpty())
                    .map(WorkflowExecution::fromJson)),
        tx -> {
          Moving moving = new Moving(tx, definitions);
          Optional<Running> got = new Delivery(tx, moving).of(given, call);
          finish(tx, moving);
          return got.map(Running::shown);
        });
  }

  /** Messages that nobody has taken yet, the oldest first. */
  public List<WorkflowMessage> messages(int limit) {
    Given.limit(limit, PAGE_MAX);
    return store.reading(tx -> tx.workflowMessages().list(limit));
  }

  /** Goes on by another version of its workflow, the newest if none is named. */
  public WorkflowExecution migrate(String id, @Nullable Long version, Call call) {
    Given.byPerson(call, "lets an execution go on by another version");
    return store.inTransaction(
        once(call, "workflow.migrate", JsonObject.of("id", id, "version", version)),
        tx -> {
          Moving moving = new Moving(tx, definitions);
          Running running = locked(moving, id);
          Mending.mustGoOn(running);
          new Migration(tx, moving, running).to(version, call);
          return finished(tx, moving, running);
        });
  }

  /** What persons are asked, oldest first. */
  public List<Question> questions(int limit) {
    return questions(null, limit);
  }

  /** What persons are asked by one execution, or by any. */
  public List<Question> questions(@Nullable String execution, int limit) {
    Given.limit(limit, PAGE_MAX);
    return store.reading(
        tx -> tx.workflowWaits().asking(execution, limit).stream().map(Questions::of).toList());
  }

  /** Lets happen what is due, each moment once however many servers ask; how much there was. */
  public int due() {
    return new Errand(store, definitions).run(strays);
  }

  /** Tasks have ended in this transaction: the tokens that wait for them move in it, too. */
  void ended(Tx tx, List<End> ends) {
    List<Waiting> waiting =
        tx.workflowWaits().forTasks(ends.stream().map(end -> end.task().id()).toList());
    if (waiting.isEmpty()) return;
    Map<String, Boolean> called = new LinkedHashMap<>();
    for (Waiting each : waiting) called.put(each.execution(), each.isCalled());
    Moving moving = new Moving(tx, definitions);
    moving.lockAll(called);
    for (End end : ends) {
      moving.nextCause();
      for (Running running : List.copyOf(moving.open())) {
        for (WorkflowWait wait : running.waits()) {
          boolean isIts = wait.kind() == Kind.TASK && wait.name().equals(end.task().id().value());
          if (isIts) moving.happens(running, happening(wait.token(), end), end.call());
        }
      }
    }
    finish(tx, moving);
  }

  static Happening happening(String token, End end) {
    if (end.task().status() == TaskStatus.COMPLETED) return new Done(token, end.result());
    String reason = end.task().progress().reason();
    String why = reason == null ? "no reason was given" : reason;
    boolean failed = end.task().status() == TaskStatus.FAILED;
    return new Failed(token, failed ? why : end.task().id() + " was cancelled: " + why);
  }
}
