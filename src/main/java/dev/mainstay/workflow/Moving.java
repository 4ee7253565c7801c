package dev.mainstay.workflow;

import dev.mainstay.bpmn.Happening;
import dev.mainstay.bpmn.Happening.Arrived;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.bpmn.Marking;
import dev.mainstay.bpmn.Step;
import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Token;
import dev.mainstay.bpmn.TokenGame;
import dev.mainstay.bpmn.Wish.Posting;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowEvent.Controlled;
import dev.mainstay.domain.WorkflowEvent.Moved;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Stamps;
import dev.mainstay.domain.WorkflowExecution.Standing;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.store.Tx;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The moves of executions in one transaction: what happens waits in a list, and what follows from
 * it comes after it, until nothing is left or enough was done at once.
 *
 * <p>Locks are taken in one order: tasks, then executions, callers before those they called. Once
 * one is held another is taken only if it is free.
 */
final class Moving {
  /**
   * So much comes of one thing in one transaction; messages beyond it are given in one of the next.
   */
  static final int TURNS_MAX = 1_000;

  /** So much is told in one journal entry, which could not be kept if it were too large. */
  static final int ENTRY_CHARS_MAX = 900_000;

  private static final int ID_DIGITS = 12;

  private final Tx tx;
  private final Definitions definitions;
  private final Wishing wishing;
  private final Map<String, Running> open = new LinkedHashMap<>();
  private final Deque<Turn> turns = new ArrayDeque<>();
  private Cause cause = new Cause();

  /** What something follows from; as much may follow from each as if it were alone. */
  private static final class Cause {
    private int played;
  }

  private record Turn(Cause cause, Runnable play) {}

  Moving(Tx tx, Definitions definitions) {
    this.tx = tx;
    this.definitions = definitions;
    this.wishing = new Wishing(tx, this);
  }

  Definitions definitions() {
    return definitions;
  }

  Collection<Running> open() {
    return open.values();
  }

  /** Locks an execution, after those that called it. */
  Running lock(String id) {
    List<String> chain = tx.workflowExecutions().chain(id);
    if (chain.isEmpty()) tx.workflowExecutions().get(id); // refuses what is not there
    for (int depth = 0; depth < chain.size(); depth++) lockAt(depth, List.of(chain.get(depth)));
    return get(id);
  }

  /** Locks several, all callers before all that they called; whether each was called is known. */
  void lockAll(Map<String, Boolean> called) {
    TreeMap<Integer, TreeMap<String, String>> byDepth = new TreeMap<>();
    called.forEach(
        (id, isCalled) -> {
          List<String> chain = isCalled ? tx.workflowExecutions().chain(id) : List.of(id);
          for (int depth = 0; depth < chain.size(); depth++) {
            byDepth.computeIfAbsent(depth, each -> new TreeMap<>()).put(chain.get(depth), "");
          }
        });
    byDepth.forEach((depth, ids) -> lockAt(depth, ids.keySet()));
  }

  private void lockAt(int depth, Collection<String> ids) {
    List<String> free = ids.stream().filter(id -> !open.containsKey(id)).toList();
    for (var locked : tx.workflowExecutions().lockAll(free)) {
      var definition = definitions.of(tx, locked.execution().workflow());
      open.put(locked.execution().id(), new Running(locked, definition, depth));
    }
  }

  /** The same for one that nobody else has, nor those that called it. */
  Optional<Running> lockIfFree(String id) {
    List<String> chain = tx.workflowExecutions().chain(id);
    Map<String, Running> found = new LinkedHashMap<>();
    for (int depth = 0; depth < chain.size(); depth++) {
      String each = chain.get(depth);
      if (open.containsKey(each)) continue;
      var locked = tx.workflowExecutions().lockIfFree(each);
      if (locked.isEmpty()) return Optional.empty();
      var definition = definitions.of(tx, locked.get().execution().workflow());
      found.put(each, new Running(locked.get(), definition, depth));
    }
    open.putAll(found);
    return Optional.ofNullable(open.get(id));
  }

  Running get(String id) {
    Running found = open.get(id);
    if (found == null) throw new IllegalStateException(id + " is not locked");
    return found;
  }

  /** Makes an execution that has not begun yet. */
  Running make(String workflow, Home home, String startedBy, int depth, Call call) {
    String id = "exec-" + UUID.randomUUID().toString().replace("-", "").substring(0, ID_DIGITS);
    WorkflowExecution made =
        new WorkflowExecution(
            id,
            workflow,
            home,
            new Standing(Status.RUNNING, null, Marking.EMPTY.toJson(), null, 1),
            new Stamps(startedBy, tx.now(), null));
    Running running = new Running(made, definitions.of(tx, workflow), depth);
    open.put(id, running);
    tx.workflowExecutions().announce(id);
    journal(running, new WorkflowEvent.Started(made), call);
    return running;
  }

  /** What is told of from here on follows from something else. */
  void nextCause() {
    cause = new Cause();
  }

  private void then(Runnable play) {
    turns.add(new Turn(cause, play));
  }

  void journal(Running running, WorkflowEvent event, Call call) {
    tx.journal().append(WorkflowExecution.stream(running.id()), call, List.of(event));
  }

  /** Something happens, after all that waits already. */
  void happens(Running running, Happening happening, Call call) {
    then(() -> play(running, happening, call));
  }

  /** A token has begun to wait for a message; perhaps it is there. */
  void looks(Running running, String token, Call call) {
    then(() -> wishing.look(running, token, call));
  }

  /** A message is sent from an execution, after all that waits already. */
  void posts(Running running, Posting posting, Call call) {
    then(() -> wishing.send(posting, running.execution().home(), call));
  }

  /**
   * A message reaches a token that waits for it. This happens at once: what came in between could
   * end the token, and the message would be nobody's.
   */
  void arrives(Running running, String token, JsonObject content, Call call) {
    play(running, new Arrived(token, content), call);
  }

  /** Whether so much came of it in this transaction that the rest should wait for the next. */
  boolean isEnough() {
    return cause.played > TURNS_MAX;
  }

  /** Plays all that happens and writes down how all stand then. */
  void run() {
    while (!turns.isEmpty()) {
      Turn next = turns.removeFirst();
      cause = next.cause();
      cause.played++;
      next.play().run();
    }
    for (Running each : open.values()) each.write(tx);
  }

  /** Whether something has to be told that it is wanted no more. */
  boolean hasWithdrawn() {
    return open.values().stream().anyMatch(Running::hasWithdrawn);
  }

  private void play(Running running, Happening happening, Call call) {
    if (running.status().isOver()) return;
    if (running.status() == Status.PAUSED) {
      hold(running, happening, call);
      return;
    }
    Marking before = running.marking();
    Step step = TokenGame.play(running.definition(), before, happening, tx.now());
    Ending ending = step.ending();
    if (step.isIdle() && ending == null) return;
    consume(running, happening, step.after());
    running.moved(step.after());
    Moved moved = moved(before, step, happening);
    Moved told = ending == null ? moved : moved.ending(json(ending));
    String stream = WorkflowExecution.stream(running.id());
    tx.journal().append(stream, call, told.parts(ENTRY_CHARS_MAX));
    wishing.fulfil(running, step.wishes(), call);
    running.withdrawForsaken(tx.now());
    if (ending != null) end(running, ending, call);
  }

  private static Moved moved(Marking before, Step step, Happening happening) {
    List<JsonObject> traces = step.traces().stream().map(Step.Trace::toJson).toList();
    JsonObject because = Definitions.without(happening.toJson(), "data");
    return Moved.between(before.toJson(), step.after().toJson(), because, traces);
  }

  private static JsonObject json(Ending ending) {
    return JsonObject.of("code", ending.code(), "error", ending.error(), "well", ending.isWell());
  }

  /**
   * What it waited for is there; but a task that failed can still be tried again by itself, until
   * somebody says how to go on without it.
   */
  private void consume(Running running, Happening happening, Marking after) {
    String token = token(happening);
    boolean isIncident =
        after.find(token).filter(each -> each.status() == Token.Status.INCIDENT).isPresent();
    boolean isTask = running.wait(token).filter(wait -> wait.kind() == Kind.TASK).isPresent();
    if (happening instanceof Failed && isIncident && isTask) return;
    boolean isMended = happening instanceof Skip || happening instanceof Retry;
    if (isMended) running.withdraw(token, tx.now());
    else running.taken(token);
  }

  private void hold(Running running, Happening happening, Call call) {
    JsonObject kept = happening.toJson().with("by", call.actor().toString());
    running.hold(kept);
    Kind kind = running.wait(token(happening)).map(WorkflowWait::kind).orElse(null);
    // Who asked has an answer; a second one would be for nobody. Messages are not taken meanwhile.
    if (kind == Kind.ANSWER) running.taken(token(happening));
    journal(running, new WorkflowEvent.Held(kept), call);
  }

  /** Lets it begin nothing new, nor those that it called. */
  void pause(Running running, String reason, Call call) {
    running.became(Status.PAUSED);
    journal(running, new Controlled(Controlled.PAUSED, reason), call);
    for (Running called : called(running)) {
      if (called.status() != Status.RUNNING) continue;
      called.pausedWith(running.id());
      pause(called, Phrase.of("%s was paused: %s", running.id(), reason), call);
    }
  }

  private List<Running> called(Running running) {
    return running.waits().stream()
        .filter(wait -> wait.kind() == Kind.CALL)
        .map(WorkflowWait::name)
        .filter(id -> open.containsKey(id) || tx.workflowExecutions().find(id).isPresent())
        .sorted()
        .map(this::lock)
        .toList();
  }

  /**
   * Lets what happened while it was paused happen now, in those that were paused with it, too. One
   * that was paused before stays so.
   */
  void resume(Running running, Call call) {
    for (Running called : called(running)) {
      boolean isToo = called.status() == Status.PAUSED && called.isPausedWith(running.id());
      if (isToo) resume(called, call);
    }
    running.became(Status.RUNNING);
    journal(running, new Controlled(Controlled.RESUMED, null), call);
    for (JsonObject kept : running.takeHeld()) {
      Call by = Call.by(Actor.parse(kept.text("by")), call.source());
      happens(running, Happening.fromJson(Definitions.without(kept, "by")), by);
    }
    for (WorkflowWait wait : running.waits()) {
      if (wait.kind() == Kind.MESSAGE) looks(running, wait.token(), call);
    }
  }

  private void end(Running running, Ending ending, Call call) {
    running.ended(ending.isWell() ? Status.COMPLETED : Status.FAILED, ending.error(), tx.now());
    String error = ending.error();
    String code = ending.code();
    String told = error == null ? "" : code == null ? error : code + ": " + error;
    tellCaller(running, error == null ? null : told, call);
  }

  /** Ends it with all that it still wants. */
  void cancel(Running running, String reason, Call call) {
    running.ended(Status.CANCELLED, reason, tx.now());
    journal(running, new Controlled(Controlled.CANCELLED, reason), call);
    tellCaller(running, running.id() + " was cancelled: " + reason, call);
  }

  private void tellCaller(Running running, @Nullable String error, Call call) {
    Caller caller = running.execution().home().caller();
    if (caller == null) return;
    boolean isGone =
        !open.containsKey(caller.execution())
            && tx.workflowExecutions().find(caller.execution()).isEmpty();
    if (isGone) return;
    Running waiting = get(caller.execution());
    Happening end =
        error == null
            ? new Done(caller.token(), news(running, waiting, caller.token()))
            : new Failed(caller.token(), error);
    happens(waiting, end, call);
  }

  /** What the caller does not have already; else all it had would come back with each call. */
  private static JsonObject news(Running called, Running caller, String token) {
    JsonObject known = caller.seenBy(token);
    Map<String, @Nullable Object> news = new TreeMap<>();
    called
        .marking()
        .variables()
        .asMap()
        .forEach(
            (name, value) -> {
              boolean isKnown = known.has(name) && Objects.equals(known.get(name), value);
              if (!isKnown) news.put(name, value);
            });
    return JsonObject.copyOf(news);
  }

  private static String token(Happening happening) {
    return happening instanceof Begin ? "" : happening.toJson().text("token");
  }
}
