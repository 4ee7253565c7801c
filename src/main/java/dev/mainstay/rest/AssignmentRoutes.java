package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /assignments}: a task in the hands of a terminal, from being given to its end. */
final class AssignmentRoutes {
  private static final String TAG = "assignments";
  private static final String PATH = "/assignments/{assignment}";
  private static final String NUMBER = "\\d{1,18}";
  private static final Schema LEASE = Schema.number("for how long, unless renewed (default 600)");

  private final Rooms rooms;

  private AssignmentRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    AssignmentRoutes routes = new AssignmentRoutes(rooms);
    return List.of(
        routes.assign(),
        routes.ofTask(),
        routes.show(),
        routes.accept(),
        routes.start(),
        routes.heartbeat(),
        routes.complete(),
        routes.fail(),
        routes.release());
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
            .needs("terminal", Schema.text("the terminal or worker that gets it"))
            .may("lease_seconds", LEASE);
    return Route.of(Verb.PUT, "/tasks/{id}/assign", TAG, "Give a ready task to a terminal")
        .takes(body, JsonText.object("{\"terminal\": \"coder-1\", \"lease_seconds\": 1800}"))
        .gives(Schemas.ASSIGNMENT, example())
        .by(
            request -> {
              JsonObject asked = request.body();
              TaskId id = request.task();
              String terminal = asked.text("terminal");
              Task held = rooms.leases().hold(id, terminal, length(asked), request.call());
              return reply(rooms.assignments().of(id, holder(held)).orElseThrow(), held);
            });
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

  private Route accept() {
    return move("accept", "Say that it will be done")
        .by(request -> moved(request, null, (id, call) -> rooms.leases().accept(id, call)));
  }

  private Route start() {
    return move("start", "Begin with it")
        .by(request -> moved(request, null, (id, call) -> rooms.leases().start(id, call)));
  }

  private Route heartbeat() {
    return move("heartbeat", "Keep it: its holder is alive")
        .takes(
            Schema.fields().may("lease_seconds", LEASE).may("spent", Schemas.SPENT),
            JsonText.object("{\"lease_seconds\": 600, \"spent\": {\"tokens\": 12000}}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              Duration length = length(asked);
              return moved(request, asked, (id, call) -> rooms.leases().renew(id, length, call));
            });
  }

  private Route complete() {
    Schema body =
        Schema.fields()
            .may("result", Schema.open("what came out"))
            .may("override", Schema.text("why a person does without the required evidence"))
            .may("spent", Schemas.SPENT);
    return move("complete", "End it well; refused while something is open")
        .takes(body, JsonText.object("{\"result\": {\"commit\": \"4f2a91c\"}}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              JsonObject result = asked.object("result");
              String override = asked.textOrNull("override");
              if (override != null && request.caller().role() != Role.PERSON) {
                throw DoorRefusal.forbiddenTo(
                    request.caller(),
                    "only a person overrides what a type of task requires; show the evidence or ask one");
              }
              return moved(
                  request,
                  asked,
                  (id, call) -> rooms.checks().complete(id, result, override, call));
            });
  }

  private Route fail() {
    Schema body =
        Schema.fields()
            .needs("error", Schema.text("why it could not be done"))
            .may("spent", Schemas.SPENT);
    return move("fail", "Say that it could not be done; it is tried again as its terms say")
        .takes(body, JsonText.object("{\"error\": \"the API does not answer\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              String error = asked.text("error");
              return moved(request, asked, (id, call) -> rooms.leases().fail(id, error, call));
            });
  }

  private Route release() {
    Schema body =
        Schema.fields()
            .may("reason", Schema.text("why; kept with the task"))
            .may("spent", Schemas.SPENT);
    return move("release", "Give it back to the queue")
        .takes(body, JsonText.object("{\"reason\": \"somebody else knows this better\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              String reason = asked.textOrNull("reason");
              String why = reason == null ? "" : reason;
              return moved(request, asked, (id, call) -> rooms.leases().release(id, why, call));
            });
  }

  private static Route move(String how, String summary) {
    return Route.of(Verb.PUT, PATH + "/" + how, TAG, summary).gives(Schemas.ASSIGNMENT, example());
  }

  /** A use case of the lease that an assignment stands for. */
  @FunctionalInterface
  private interface Move {
    Task of(TaskId id, Call call);
  }

  private Reply moved(Request request, @Nullable JsonObject asked, Move move) {
    Assignment before = rooms.assignments().show(number(request));
    refuseOthers(request, before);
    Call call = fenced(request.call(), before);
    if (asked != null && asked.has("spent")) {
      Amounts spent = TermsRoutes.spent(asked.object("spent"));
      rooms.leases().spend(before.task(), spent, call.withKey(spendingKey(call.key())));
    }
    Task task = move.of(before.task(), call);
    return reply(rooms.assignments().show(before.id()).asOf(task), task);
  }

  /** A key stands for one use case, and what was spent is another one. */
  private static @Nullable String spendingKey(@Nullable String key) {
    return key == null ? null : "spent-" + JournalEntry.sha256(key);
  }

  private static void refuseOthers(Request request, Assignment assignment) {
    if (request.caller().role() != Role.AGENT) return;
    String own = request.caller().actor().name();
    if (assignment.terminal().equals(own)) return;
    throw DoorRefusal.forbidden(
        Phrase.of(
            "assignment %d is %s's; this token is bound to the terminal %s",
            assignment.id(), assignment.terminal(), own));
  }

  /**
   * The call under the assignment's own fence, which the use case holds against the task's. One
   * that was given and is older goes on as it is: it is stale, unless its key was answered before.
   */
  private static Call fenced(Call call, Assignment assignment) {
    long own = assignment.standing().fence();
    Long given = call.fence();
    if (given == null && call.actor().isAgent()) {
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
