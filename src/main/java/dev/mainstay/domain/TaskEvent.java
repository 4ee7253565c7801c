package dev.mainstay.domain;

import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.Task.Links;
import dev.mainstay.domain.Task.Progress;
import dev.mainstay.domain.Task.Stamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened to a task. Applying an event is the only way a task changes. */
public sealed interface TaskEvent extends Event
    permits AttemptEvent,
        TaskEvent.Created,
        TaskEvent.Updated,
        TaskEvent.DependencyAdded,
        TaskEvent.DependencyRemoved,
        TaskEvent.TermsSet,
        TaskEvent.Held,
        TaskEvent.Started,
        TaskEvent.Released,
        TaskEvent.Completed,
        TaskEvent.Cancelled,
        TaskEvent.Reopened {
  /** The task after this event; a status that may not follow is refused. */
  Task applyTo(Task before, Instant at);

  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, TaskEvent>> READERS =
      Map.ofEntries(
          Map.entry("task.created", Created::read),
          Map.entry("task.updated", Updated::new),
          Map.entry("task.dependency_added", DependencyAdded::read),
          Map.entry(
              "task.dependency_removed", p -> new DependencyRemoved(new TaskId(p.text("on")))),
          Map.entry("task.terms_set", p -> new TermsSet(Terms.fromJson(p.object("terms")))),
          Map.entry("task.held", Held::read),
          Map.entry("task.accepted", p -> new AttemptEvent.Accepted()),
          Map.entry("task.started", p -> new Started()),
          Map.entry("task.released", p -> new Released(p.text("reason"))),
          Map.entry("task.lease_expired", AttemptEvent.LeaseExpired::read),
          Map.entry("task.helper_added", p -> new AttemptEvent.HelperAdded(p.text("worker"))),
          Map.entry("task.helper_removed", p -> new AttemptEvent.HelperRemoved(p.text("worker"))),
          Map.entry("task.completed", p -> new Completed(p.object("result"))),
          Map.entry("task.retried", AttemptEvent.Retried::read),
          Map.entry("task.spent", p -> new AttemptEvent.Spending(Amounts.fromJson(p))),
          Map.entry("task.failed", AttemptEvent.Failed::read),
          Map.entry("task.cancelled", Cancelled::read),
          Map.entry("task.reopened", p -> new Reopened(p.text("reason"))));

  static TaskEvent read(String kind, JsonObject payload) {
    var reader = READERS.get(kind);
    if (reader == null) throw new IllegalArgumentException("no such task event: " + kind);
    return reader.apply(payload);
  }

  /** The first event of every task. */
  record Created(
      Brief brief,
      @Nullable String workflow,
      @Nullable TaskId parent,
      List<Dependency> dependencies,
      Terms terms)
      implements TaskEvent {
    /** On no particular terms. */
    public Created(
        Brief brief,
        @Nullable String workflow,
        @Nullable TaskId parent,
        List<Dependency> dependencies) {
      this(brief, workflow, parent, dependencies, Terms.NONE);
    }

    /** The task that this event makes. */
    public Task first(TaskId id, Instant at) {
      return new Task(
          id,
          brief,
          new Links(workflow, parent, dependencies, terms, Waiting.NOTHING),
          Progress.NEW,
          new Stamps(1, at, at, null));
    }

    @Override
    public Task applyTo(Task before, Instant at) {
      throw new IllegalStateException(before.id() + " was created twice");
    }

    @Override
    public String kind() {
      return "task.created";
    }

    @Override
    public JsonObject payload() {
      var waits = dependencies.stream().map(DependencyAdded::json).toList();
      return brief
          .toJson()
          .with("workflow_id", workflow)
          .with("parent_id", parent == null ? null : parent.value())
          .with("dependencies", waits)
          .with("terms", terms.isNone() ? null : terms.toJson());
    }

    static Created read(JsonObject payload) {
      String parent = payload.textOrNull("parent_id");
      return new Created(
          Brief.fromJson(payload),
          payload.textOrNull("workflow_id"),
          parent == null ? null : new TaskId(parent),
          payload.objects("dependencies").stream().map(DependencyAdded::dependency).toList(),
          Terms.fromJson(payload.object("terms")));
    }
  }

  /** Fields of the brief that got other values; the payload holds only those. */
  record Updated(JsonObject payload) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      JsonObject next = before.brief().toJson();
      for (var field : payload.asMap().entrySet())
        next = next.with(field.getKey(), field.getValue());
      return before.changed(at, Brief.fromJson(next));
    }

    @Override
    public String kind() {
      return "task.updated";
    }
  }

  /** It waits for one task more. */
  record DependencyAdded(Dependency dependency) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.linked(at, before.links().with(dependency));
    }

    @Override
    public String kind() {
      return "task.dependency_added";
    }

    @Override
    public JsonObject payload() {
      return json(dependency);
    }

    static DependencyAdded read(JsonObject payload) {
      return new DependencyAdded(dependency(payload));
    }

    static JsonObject json(Dependency dependency) {
      return JsonObject.of("on", dependency.on().value(), "kind", dependency.kind().typed());
    }

    static Dependency dependency(JsonObject json) {
      return new Dependency(new TaskId(json.text("on")), Dependency.Kind.parse(json.text("kind")));
    }
  }

  /** It waits for one task less. */
  record DependencyRemoved(TaskId on) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.linked(at, before.links().without(on));
    }

    @Override
    public String kind() {
      return "task.dependency_removed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("on", on.value());
    }
  }

  /** It is done on other terms from now on. */
  record TermsSet(Terms terms) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.linked(at, before.links().with(terms));
    }

    @Override
    public String kind() {
      return "task.terms_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("terms", terms.toJson());
    }
  }

  /**
   * A worker took it. The fence grows with every lease, so that an old one is known as old. An
   * agent that claimed it in the worker's name is the first helper.
   */
  record Held(String holder, long fence, Instant until, boolean resumed, @Nullable String helper)
      implements TaskEvent {
    /** For the first time, or by another than before. */
    public Held(String holder, long fence, Instant until) {
      this(holder, fence, until, false, null);
    }

    @Override
    public Task applyTo(Task before, Instant at) {
      List<String> helpers = helper == null ? List.of() : List.of(helper);
      var lease = new Lease(holder, at, at, until, helpers);
      int attempt = before.progress().attempt() + 1;
      var next = new Progress(TaskStatus.ASSIGNED, null, attempt, fence, lease);
      var links = before.links().with(before.links().waiting().until(null));
      return before.with(links).moved(at, next);
    }

    @Override
    public String kind() {
      return "task.held";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("holder", holder, "fence", fence, "until", until)
          .with("resumed", resumed ? true : null)
          .with("helper", helper);
    }

    static Held read(JsonObject payload) {
      return new Held(
          payload.text("holder"),
          payload.number("fence"),
          Times.read(payload.text("until")),
          Boolean.TRUE.equals(payload.get("resumed")),
          payload.textOrNull("helper"));
    }
  }

  /** The holder began to work. */
  record Started() implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      var was = before.progress();
      return before.moved(
          at, new Progress(TaskStatus.IN_PROGRESS, null, was.attempt(), was.fence(), was.lease()));
    }

    @Override
    public String kind() {
      return "task.started";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  /** The holder gave it back. */
  record Released(String reason) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.letGo(before, at, TaskStatus.PENDING, reason);
    }

    @Override
    public String kind() {
      return "task.released";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("reason", reason);
    }
  }

  /** It is done. */
  record Completed(JsonObject result) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.letGo(before, at, TaskStatus.COMPLETED, null);
    }

    @Override
    public String kind() {
      return "task.completed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("result", result);
    }
  }

  /** Nobody wants it any more, or what it waited for can no longer happen (then with the cause). */
  record Cancelled(String reason, @Nullable TaskId cause) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.letGo(before, at, TaskStatus.CANCELLED, reason);
    }

    @Override
    public String kind() {
      return "task.cancelled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("reason", reason, "cause", cause == null ? null : cause.value());
    }

    static Cancelled read(JsonObject payload) {
      String cause = payload.textOrNull("cause");
      return new Cancelled(payload.text("reason"), cause == null ? null : new TaskId(cause));
    }
  }

  /** It waits to be done again, at once: a pause from before is over. */
  record Reopened(String reason) implements TaskEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.offeredAgain(before, at, reason, null);
    }

    @Override
    public String kind() {
      return "task.reopened";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("reason", reason);
    }
  }
}
