package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskType;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Wanted;
import dev.mainstay.rest.Route.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /tasks/claim} and {@code /tasks/ID/dependencies}: who gets what, who waits for whom. */
final class ClaimRoutes {
  private static final String ASSIGNMENT = "assignment_id";

  /** A task as its new holder gets it. */
  private static final Schema CLAIMED =
      Schemas.TASK
          .resolved()
          .may(ASSIGNMENT, Schema.number("the number of its lease below /assignments"));

  private final Rooms rooms;

  private ClaimRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    ClaimRoutes routes = new ClaimRoutes(rooms);
    return List.of(routes.claim(), routes.depend(), routes.undepend());
  }

  private Route claim() {
    Schema body =
        Schema.fields()
            .may("worker", Schema.text("who takes them; an agent is its own terminal"))
            .may("terminal", Schema.text("the same, for a terminal"))
            .may("terminal_id", Schema.text("the same"))
            .may("types", Schema.list(Schema.text("a type of task; none means any")))
            .may("limit", Schema.number("at most so many (default 1)"))
            .may("lease_seconds", Schema.number("for how long, unless renewed (default 600)"))
            .may("wait_seconds", Schema.number("how long to wait for one (default 0)"));
    return Route.of(Verb.POST, "/tasks/claim", "tasks", "Take the most urgent ready tasks")
        .takes(body, JsonText.object("{\"worker\": \"coder-1\", \"types\": [\"CODE\"]}"))
        .gives(
            Schema.fields().needs("tasks", Schema.list(CLAIMED)),
            JsonObject.of("tasks", List.of(Schemas.TASK_EXAMPLE.with(ASSIGNMENT, 1))))
        .by(
            request -> {
              JsonObject asked = request.body();
              Duration wait = Duration.ofSeconds(number(asked, "wait_seconds", 0));
              var held = rooms.dispatcher().claim(wanted(request, asked), wait, request.call());
              return Reply.ok(JsonObject.of("tasks", claimed(held)));
            });
  }

  /** The tasks with the number under which {@code /assignments} knows each lease. */
  private List<JsonObject> claimed(List<Task> held) {
    Map<TaskId, Long> numbers = rooms.assignments().numbers(held);
    return held.stream()
        .map(task -> TaskJson.write(task).with(ASSIGNMENT, numbers.get(task.id())))
        .toList();
  }

  private static Wanted wanted(Request request, JsonObject body) {
    List<TaskType> types = body.texts("types").stream().map(TaskType::new).toList();
    long limit = number(body, "limit", 1);
    if (limit < 1 || limit > Leases.CLAIMED_AT_ONCE_MAX) {
      throw Refusal.invalid(
          Phrase.of("a worker claims between 1 and %d tasks at once", Leases.CLAIMED_AT_ONCE_MAX));
    }
    long lease = number(body, "lease_seconds", Leases.LEASE.toSeconds());
    if (lease < Leases.LEASE_MIN.toSeconds() || lease > Leases.LEASE_MAX.toSeconds()) {
      throw Refusal.invalid("a lease lasts between 1 second and 1 day");
    }
    return new Wanted(
        worker(request, body), types, Math.toIntExact(limit), Duration.ofSeconds(lease));
  }

  private static long number(JsonObject body, String field, long otherwise) {
    Long given = body.numberOrNull(field);
    return given == null ? otherwise : given;
  }

  /** An agent claims for its own terminal, whatever it says. */
  private static String worker(Request request, JsonObject body) {
    String worker = one(body.textOrNull("worker"), request.terminal());
    String own = request.caller().terminal();
    if (request.caller().role() != Role.AGENT || own == null) {
      if (worker == null) throw Refusal.invalid("the field \"worker\" is missing");
      return worker;
    }
    if (worker == null || worker.equals(own)) return own;
    throw DoorRefusal.forbidden(
        Phrase.of("this token is bound to the terminal %s and cannot act as %s", own, worker));
  }

  private static @Nullable String one(@Nullable String worker, @Nullable String terminal) {
    if (worker != null && terminal != null && !worker.equals(terminal)) {
      throw Refusal.invalid("name a worker or a terminal, not two different ones");
    }
    return worker == null ? terminal : worker;
  }

  private Route depend() {
    Schema body =
        Schema.fields()
            .may(
                "kind",
                Schema.oneOf("what must become of it", "blocks", "after-failure", "after-any"));
    return Route.of(
            Verb.PUT, "/tasks/{id}/dependencies/{other}", "tasks", "Make a task wait for another")
        .takes(body, JsonText.object("{\"kind\": \"blocks\"}"))
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              String kind = request.body().textOrNull("kind");
              var dependency =
                  new Dependency(
                      request.task(request.path("other")),
                      Dependency.Kind.parse(kind == null ? "blocks" : kind));
              return Reply.task(rooms.tasks().depend(request.task(), dependency, request.call()));
            });
  }

  private Route undepend() {
    return Route.of(
            Verb.DELETE,
            "/tasks/{id}/dependencies/{other}",
            "tasks",
            "Make a task wait for another no longer")
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              TaskId other = request.task(request.path("other"));
              return Reply.task(rooms.tasks().undepend(request.task(), other, request.call()));
            });
  }
}
