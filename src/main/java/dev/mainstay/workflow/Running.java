package dev.mainstay.workflow;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Marking;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Stamps;
import dev.mainstay.domain.WorkflowExecution.Standing;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.domain.WorkflowWait.Place;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowExecutionTable.Locked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An execution while a transaction moves it; it is written once, however often it moves. */
final class Running {
  private static final String PAUSED_WITH = "paused_with";

  private final boolean isNew;
  private final int depth;
  private final Map<String, WorkflowWait> was = new LinkedHashMap<>();
  private final Map<String, WorkflowWait> waits = new LinkedHashMap<>();
  private final List<JsonObject> held;
  private Definition definition;
  private WorkflowExecution execution;
  private Marking marking;
  private boolean changed;

  /** One that is just being made, called by as many others. */
  Running(WorkflowExecution made, Definition definition, int depth) {
    this.isNew = true;
    this.depth = depth;
    this.execution = made;
    this.definition = definition;
    this.marking = Marking.EMPTY;
    this.held = new ArrayList<>();
    this.changed = true;
  }

  /** One that is there and locked. */
  Running(Locked locked, Definition definition, int depth) {
    this.isNew = false;
    this.depth = depth;
    this.execution = locked.execution();
    this.definition = definition;
    this.marking = Marking.fromJson(execution.standing().data());
    this.held = new ArrayList<>(locked.held());
    for (WorkflowWait wait : locked.waits()) {
      if (wait.kind() != Kind.WITHDRAWN) was.put(wait.token(), wait);
    }
    waits.putAll(was);
  }

  String id() {
    return execution.id();
  }

  int depth() {
    return depth;
  }

  Definition definition() {
    return definition;
  }

  Marking marking() {
    return marking;
  }

  WorkflowExecution execution() {
    return execution;
  }

  Status status() {
    return execution.status();
  }

  List<WorkflowWait> waits() {
    return List.copyOf(waits.values());
  }

  /** The variables a token sees: its own, then those around it. */
  JsonObject seenBy(String token) {
    Map<String, @Nullable Object> seen = new HashMap<>();
    String next = token;
    while (next != null) {
      Token each = marking.find(next).orElse(null);
      if (each == null) break;
      each.load().locals().asMap().forEach((name, value) -> addUnlessThere(seen, name, value));
      next = each.parent();
    }
    marking.variables().asMap().forEach((name, value) -> addUnlessThere(seen, name, value));
    return JsonObject.copyOf(seen);
  }

  /** A null is a value, too. */
  private static void addUnlessThere(
      Map<String, @Nullable Object> seen, String name, @Nullable Object value) {
    if (!seen.containsKey(name)) seen.put(name, value);
  }

  Optional<WorkflowWait> wait(String token) {
    return Optional.ofNullable(waits.get(token));
  }

  /** Its token waits for something from now on. */
  void put(String token, Kind kind, About about, Instant now) {
    String node = marking.find(token).map(Token::position).orElse("");
    waits.put(token, new WorkflowWait(new Place(id(), token), node, kind, about, now));
  }

  /** What a token waited for is there. */
  void taken(String token) {
    waits.remove(token);
  }

  /** What a token waited for is wanted no more. */
  void withdraw(String token, Instant now) {
    WorkflowWait wait = waits.remove(token);
    if (wait == null || !wait.isElsewhere()) return;
    WorkflowWait gone = wait.withdrawn(now);
    waits.put(gone.token(), gone);
  }

  /**
   * Nothing that only tokens wait for that are gone is wanted any more; of one that is over all.
   */
  void withdrawForsaken(Instant now) {
    if (waits.isEmpty()) return;
    Set<String> there = new HashSet<>();
    if (!status().isOver()) marking.tokens().forEach(token -> there.add(token.id()));
    for (WorkflowWait wait : waits()) {
      if (wait.kind() == Kind.WITHDRAWN) continue;
      if (!there.contains(wait.token())) withdraw(wait.token(), now);
    }
  }

  boolean hasWithdrawn() {
    return waits.values().stream().anyMatch(wait -> wait.kind() == Kind.WITHDRAWN);
  }

  /** What happened while it was paused, which it loses by that. */
  List<JsonObject> takeHeld() {
    List<JsonObject> all = held.stream().filter(each -> !each.has(PAUSED_WITH)).toList();
    held.clear();
    changed = true;
    return all;
  }

  /** It is paused only because its caller is. */
  void pausedWith(String caller) {
    held.add(JsonObject.of(PAUSED_WITH, caller));
    changed = true;
  }

  boolean isPausedWith(String caller) {
    return held.stream().anyMatch(each -> caller.equals(each.get(PAUSED_WITH)));
  }

  void hold(JsonObject happening) {
    held.add(happening);
    changed = true;
  }

  /** It stands like this from now on. */
  void moved(Marking next) {
    marking = next;
    stand(status(), firstProblem(), null);
  }

  /** It is paused or goes on. */
  void became(Status status) {
    stand(status, execution.standing().error(), null);
  }

  /** It is over. */
  void ended(Status status, @Nullable String error, Instant now) {
    stand(status, error, now);
    held.clear();
    withdrawForsaken(now);
  }

  /** It goes on by another version. */
  void migrated(String workflow, Definition other) {
    definition = other;
    execution =
        new WorkflowExecution(
            id(), workflow, execution.home(), execution.standing(), execution.stamps());
    stand(status(), execution.standing().error(), null);
  }

  private void stand(Status status, @Nullable String error, @Nullable Instant completed) {
    Stamps stamps = execution.stamps();
    execution =
        new WorkflowExecution(
            id(),
            execution.workflow(),
            execution.home(),
            new Standing(status, null, JsonObject.EMPTY, error, execution.standing().version() + 1),
            new Stamps(stamps.startedBy(), stamps.startedAt(), completed));
    changed = true;
  }

  private @Nullable String firstProblem() {
    return marking.tokens().stream()
        .filter(token -> token.status() == Token.Status.INCIDENT)
        .map(token -> token.load().problem())
        .findFirst()
        .orElse(null);
  }

  /** As it stands now, with all that is told about it. */
  WorkflowExecution shown() {
    if (!changed) return execution;
    Standing standing = execution.standing();
    String node = standing.status().isOver() ? null : place();
    return new WorkflowExecution(
        id(),
        execution.workflow(),
        execution.home(),
        new Standing(
            standing.status(), node, marking.toJson(), standing.error(), standing.version()),
        execution.stamps());
  }

  /** Of several places the first; rather what is done in an activity than the activity around. */
  private @Nullable String place() {
    List<Token> active =
        marking.tokens().stream().filter(each -> each.status() != Token.Status.COMPLETED).toList();
    return active.stream()
        .filter(token -> !isBoundary(token) && isInnermost(token, active))
        .map(Token::position)
        .findFirst()
        .orElse(active.isEmpty() ? null : active.get(0).position());
  }

  private boolean isBoundary(Token token) {
    return definition
        .find(token.position())
        .filter(node -> node.kind() == NodeKind.BOUNDARY_EVENT)
        .isPresent();
  }

  private boolean isInnermost(Token token, List<Token> active) {
    return active.stream().noneMatch(each -> token.id().equals(each.parent()) && !isBoundary(each));
  }

  /** Writes down what changed. */
  void write(Tx tx) {
    WorkflowExecution after = shown();
    if (isNew) tx.workflowExecutions().insert(after);
    else if (changed) tx.workflowExecutions().update(after, held);
    // What is another now goes first, too: a task may stand under a new key, but never twice.
    List<String> gone =
        was.values().stream()
            .filter(each -> !each.equals(waits.get(each.token())))
            .map(WorkflowWait::token)
            .toList();
    tx.workflowWaits().delete(id(), gone);
    tx.workflowWaits()
        .put(
            waits.values().stream().filter(each -> !each.equals(was.get(each.token()))).toList(),
            gone);
  }
}
