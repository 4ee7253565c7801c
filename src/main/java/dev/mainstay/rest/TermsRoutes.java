package dev.mainstay.rest;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Budget;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Terms;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import java.util.List;

/** {@code /tasks/ID/terms}, {@code spending} and {@code retry}: how often, how long, how dear. */
final class TermsRoutes {
  private static final String TAG = "assignments";
  private static final String PATH = "/tasks/{id}/terms";

  private static final Schema ANSWER =
      Schema.fields()
          .needs("task_id", Schema.text("the task"))
          .needs("terms", Schemas.TERMS)
          .needs("version", Schema.number("the task's version; also the ETag"))
          .may("budget", Schema.open("its limits (max), what was spent, what is reserved"));

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"task_id": "T-001", "terms": {"max_attempts": 3, "budget": {"tokens": 500000}},
           "version": 2,
           "budget": {"task_id": "T-001", "max": {"tokens": 500000},
                      "spent": {"tokens": 0, "cost": "0", "seconds": 0},
                      "reserved": {"tokens": 0, "cost": "0", "seconds": 0}}}""");

  private final Rooms rooms;

  private TermsRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    TermsRoutes routes = new TermsRoutes(rooms);
    return List.of(routes.show(), routes.set(), routes.spend(), routes.retry());
  }

  private Route show() {
    return Route.get(PATH, TAG, "On what terms a task is done, and what is left of its budget")
        .gives(ANSWER, EXAMPLE)
        .by(request -> reply(rooms.tasks().show(request.task())));
  }

  private Reply reply(Task task) {
    long version = task.stamps().version();
    JsonObject json =
        JsonObject.of("task_id", task.id().value(), "version", version)
            .with("terms", task.links().terms().toJson())
            .with("budget", rooms.tasks().budget(task.id()).map(Budget::toJson).orElse(null));
    return Reply.ok(json).with("ETag", "\"" + version + "\"");
  }

  private Route set() {
    return Route.of(Verb.PUT, PATH, TAG, "Set on what terms a task is done; what is left out goes")
        .takes(
            Schemas.TERMS,
            JsonText.object("{\"max_attempts\": 3, \"budget\": {\"tokens\": 500000}}"))
        .matching()
        .gives(ANSWER, EXAMPLE)
        .by(request -> reply(put(request)));
  }

  /** Whether the version was to blame is asked afterwards, so that a repeated key is answered. */
  private Task put(Request request) {
    Long expected = request.expectedVersion();
    Terms terms = Terms.fromJson(request.body());
    try {
      return rooms.tasks().setTerms(request.task(), terms, expected, request.call());
    } catch (Refusal refused) {
      boolean other =
          expected != null
              && refused.code() == Refusal.Code.CONFLICT
              && rooms.tasks().show(request.task()).stamps().version() != expected;
      if (other) throw DoorRefusal.changed(refused.sentence());
      throw refused;
    }
  }

  private Route spend() {
    return Route.of(
            Verb.POST, "/tasks/{id}/spending", TAG, "Say what was spent on a task that is held")
        .takes(Schemas.SPENT, JsonText.object("{\"tokens\": 12000, \"cost\": \"0.18\"}"))
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              Amounts spent = spent(request.body());
              return Reply.task(rooms.leases().spend(request.task(), spent, request.call()));
            });
  }

  static Amounts spent(JsonObject given) {
    if (given.isEmpty()) throw Refusal.invalid("nothing was spent; give tokens or cost");
    return Amounts.fromJson(given);
  }

  private Route retry() {
    return Route.of(
            Verb.POST, "/tasks/{id}/retry", TAG, "Try a task again that failed or was cancelled")
        .takes(
            Schema.fields().may("reason", Schema.text("why; kept with the task")),
            JsonText.object("{\"reason\": \"the API is back\"}"))
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              String reason = request.body().textOrNull("reason");
              String why = reason == null ? "" : reason;
              return Reply.task(rooms.tasks().retry(request.task(), why, request.call()));
            });
  }
}
