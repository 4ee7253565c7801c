package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.rest.Route.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /assignments}: a task in the hands of a terminal, from being given to its end. */
final class AssignmentRoutes {
  private static final String TAG = "assignments";
  private static final String PATH = "/assignments/{assignment}";
  private static final String HELPER = "/tasks/{id}/helpers/{worker}";
  private static final Object HELPED =
      Schemas.TASK_EXAMPLE
          .with("status", "ASSIGNED")
          .with("lease_holder", "coder-1")
          .with("helpers", List.of("coder-2"));
  private static final String NUMBER = "\\d{1,18}";
  private static final Schema LEASE = Schema.number("for how long, unless renewed (default 600)");

  private final Rooms rooms;

  private AssignmentRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    AssignmentRoutes routes = new AssignmentRoutes(rooms);
    List<Route> all = new ArrayList<>();
    all.addAll(List.of(routes.assign(), routes.ofTask(), routes.show()));
    all.addAll(List.of(routes.addHelper(), routes.removeHelper()));
    for (Move move : routes.moves()) {
      all.add(routes.ofAssignment(move));
      all.add(routes.ofTask(move));
    }
    return all;
  }

  /** An assignment with its task, as all of these routes answer it. */
  static Reply reply(Assignment assignment, Task task) {
    return Reply.ok(assignment.toJson().with("task", TaskJson.write(task)));
  }

  static Object example() {
    return Schemas.ASSIGNMENT_EXAMPLE.with("task", Schemas.TASK_EXAMPLE);
  }

  private Route assign() {
    Schema body =
        Schema.fields()
            .may("terminal", Schema.text("the terminal or worker that gets it"))
            .may("terminal_id", Schema.text("the same"))
            .may("lease_seconds", LEASE);
    return Route.of(Verb.PUT, "/tasks/{id}/assign", TAG, "Give a ready task to a terminal")
        .takes(body, JsonText.object("{\"terminal_id\": \"coder-1\", \"lease_seconds\": 1800}"))
        .gives(Schemas.ASSIGNMENT, example())
        .by(
            request -> {
              JsonObject asked = request.body();
              TaskId id = request.task();
              String terminal = request.terminal();
              if (terminal == null) throw Refusal.invalid("the field \"terminal\" is missing");
              Task held = rooms.leases().hold(id, terminal, length(asked), request.call());
              return reply(rooms.assignments().of(id, holder(held)).orElseThrow(), held);
            });
  }

  private Route addHelper() {
    return Route.of(Verb.PUT, HELPER, TAG, "Let a worker write to a held task beside its holder")
        .gives(Schemas.TASK, HELPED)
        .by(
            request ->
                Reply.task(
                    rooms.helpers().add(request.task(), request.path("worker"), request.call())));
  }

  private Route removeHelper() {
    return Route.of(Verb.DELETE, HELPER, TAG, "Take that right from a worker again")
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request ->
                Reply.task(
                    rooms
                        .helpers()
                        .remove(request.task(), request.path("worker"), request.call())));
  }

  private static String holder(Task held) {
    return held.lease().orElseThrow().holder();
  }

  private static Duration length(JsonObject asked) {
    Long seconds = asked.numberOrNull("lease_seconds");
    if (seconds == null) return Leases.LEASE;
    // Before it is a duration: a number of seconds may be too large to be one.
    if (seconds < Leases.LEASE_MIN.toSeconds() || seconds > Leases.LEASE_MAX.toSeconds()) {
      throw Refusal.invalid("a lease lasts between 1 second and 1 day");
    }
    return Duration.ofSeconds(seconds);
  }

  private Route ofTask() {
    return Route.get("/tasks/{id}/assignments", TAG, "Who was given a task over time, oldest first")
        .gives(Schemas.listOf(Schemas.ASSIGNMENT), Schemas.listExample(Schemas.ASSIGNMENT_EXAMPLE))
        .by(
            request -> {
              var all = rooms.assignments().ofTask(request.task());
              return Reply.page(request, all.stream().map(Assignment::toJson).toList(), null);
            });
  }

  private Route show() {
    return Route.get(PATH, TAG, "One assignment, with its task")
        .gives(Schemas.ASSIGNMENT, example())
        .by(
            request -> {
              Assignment found = rooms.assignments().show(number(request));
              return reply(found, rooms.tasks().show(found.task()));
            });
  }

  private static long number(Request request) {
    String given = request.path("assignment");
    if (given.matches(NUMBER)) return Long.parseLong(given);
    throw Refusal.invalid(Phrase.of("\"%s\" is no number of an assignment", given));
  }

  /** A verb of a lease: mounted below an assignment, and below its task. */
  private record Move(
      String name, String summary, @Nullable Schema body, @Nullable Object example, Doing doing) {}

  @FunctionalInterface
  private interface Doing {
    Task of(Request request, TaskId id, Call call);
  }

  private List<Move> moves() {
    return List.of(accept(), start(), heartbeat(), complete(), fail(), release());
  }

  private Move accept() {
    return new Move(
        "accept",
        "Say that it will be done",
        null,
        null,
        (request, id, call) -> rooms.leases().accept(id, call));
  }

  private Move start() {
    return new Move(
        "start",
        "Begin with it",
        null,
        null,
        (request, id, call) -> rooms.leases().start(id, call));
  }

  private Move heartbeat() {
    return new Move(
        "heartbeat",
        "Keep it: its holder is alive",
        Schema.fields().may("lease_seconds", LEASE).may("spent", Schemas.SPENT),
        JsonText.object("{\"lease_seconds\": 600, \"spent\": {\"tokens\": 12000}}"),
        (request, id, call) -> {
          JsonObject asked = request.body();
          return rooms.leases().renew(id, length(asked), spent(asked), call);
        });
  }

  private Move complete() {
    Schema body =
        Schema.fields()
            .may("result", Schema.open("what came out"))
            .may("override", Schema.text("why a person does without the required evidence"))
            .may("spent", Schemas.SPENT);
    return new Move(
        "complete",
        "End it well; refused while something is open",
        body,
        JsonText.object("{\"result\": {\"commit\": \"4f2a91c\"}}"),
        (request, id, call) -> {
          JsonObject asked = request.body();
          String override = override(request);
          return rooms.checks().complete(id, asked.object("result"), override, spent(asked), call);
        });
  }

  private static @Nullable String override(Request request) {
    String override = request.body().textOrNull("override");
    if (override == null || request.caller().role() == Role.PERSON) return override;
    throw DoorRefusal.forbiddenTo(
        request.caller(),
        "only a person overrides what a type of task requires; show the evidence or ask one");
  }

  private Move fail() {
    Schema body =
        Schema.fields()
            .needs("error", Schema.text("why it could not be done"))
            .may("spent", Schemas.SPENT);
    return new Move(
        "fail",
        "Say that it could not be done; it is tried again as its terms say",
        body,
        JsonText.object("{\"error\": \"the API does not answer\"}"),
        (request, id, call) -> {
          JsonObject asked = request.body();
          return rooms.leases().fail(id, asked.text("error"), spent(asked), call);
        });
  }

  private Move release() {
    Schema body =
        Schema.fields()
            .may("reason", Schema.text("why; kept with the task"))
            .may("spent", Schemas.SPENT);
    return new Move(
        "release",
        "Give it back to the queue",
        body,
        JsonText.object("{\"reason\": \"a tester knows this better\"}"),
        (request, id, call) -> {
          JsonObject asked = request.body();
          String reason = asked.textOrNull("reason");
          return rooms.leases().release(id, reason == null ? "" : reason, spent(asked), call);
        });
  }

  private static Amounts spent(JsonObject asked) {
    return asked.has("spent") ? TermsRoutes.spent(asked.object("spent")) : Amounts.NONE;
  }

  private static Route mounted(Verb verb, String path, Move move) {
    Route route = Route.of(verb, path + "/" + move.name(), TAG, move.summary());
    Schema body = move.body();
    Object example = move.example();
    return body == null || example == null ? route : route.takes(body, example);
  }

  private Route ofAssignment(Move move) {
    return mounted(Verb.PUT, PATH, move)
        .gives(Schemas.ASSIGNMENT, example())
        .by(
            request -> {
              Assignment before = rooms.assignments().show(number(request));
              if (move.body() != null) override(request); // a role is looked at before a fence
              Call call = fenced(request.call(), before);
              Task task = move.doing().of(request, before.task(), call);
              return reply(rooms.assignments().show(before.id()).asOf(task), task);
            });
  }

  private Route ofTask(Move move) {
    return mounted(Verb.POST, "/tasks/{id}", move)
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(request -> Reply.task(move.doing().of(request, request.task(), request.call())));
  }

  /**
   * The call under the assignment's own fence, which the use case holds against the task's. One
   * that was given and is older goes on as it is: it is stale, unless its key was answered before.
   */
  private static Call fenced(Call call, Assignment assignment) {
    long own = assignment.standing().fence();
    Long given = call.fence();
    if (given == null && call.actor().isAgent()) {
      if (!call.isBy(assignment.terminal())) return call; // refused as that of another worker
      throw Refusal.leaseLost(
          "an agent sends its fence: Mainstay-Fence is the number that came with its claim");
    }
    if (given == null) return call.withFence(own);
    if (given <= own) return call;
    throw Refusal.leaseLost(
        Phrase.of(
            "lease lost: assignment %d of %s has the fence %d, not %d; claim the task again",
            assignment.id(), assignment.task(), own, given));
  }
}
