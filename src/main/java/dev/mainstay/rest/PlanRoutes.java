package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.state.EvidenceBook.Judged;
import dev.mainstay.state.Receipt;
import java.util.List;

/** A run's beginning, its steps, and what must be true when it ends. */
final class PlanRoutes {
  private static final String TAG = "plan";
  private final Rooms rooms;

  private PlanRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    PlanRoutes routes = new PlanRoutes(rooms);
    return List.of(
        routes.start(),
        routes.plan(),
        routes.setPlan(),
        routes.moveStep(),
        routes.criteria(),
        routes.addCriterion(),
        routes.meet(),
        routes.reopen());
  }

  /** A write of the state that answers what it came to. */
  static Route receipt(Verb verb, String path, String tag, String summary) {
    return Route.of(verb, path, tag, summary).gives(Schemas.RECEIPT, Schemas.RECEIPT_EXAMPLE);
  }

  static Reply reply(Receipt receipt) {
    return Reply.ok(receipt.toJson());
  }

  private Route start() {
    Schema body =
        Schema.fields()
            .needs("goal", Schema.text("what the run is for; it holds until it ends"))
            .may("criteria", Schema.list(Schema.text("what must be true in the end")));
    return receipt(Verb.POST, "/tasks/{id}/run", TAG, "Start the run of a task")
        .takes(body, JsonText.object("{\"goal\": \"people can log in\", \"criteria\": []}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              return reply(
                  rooms
                      .states()
                      .start(
                          request.task(),
                          asked.text("goal"),
                          asked.texts("criteria"),
                          request.call()));
            });
  }

  private Route plan() {
    Schema answer =
        Schema.fields()
            .needs("plan", Schema.list(Schema.open("a step")))
            .may("current_step", Schema.number("the place of the step at work, from 0"));
    return Route.get("/tasks/{id}/plan", TAG, "The steps of a task")
        .gives(
            answer,
            JsonText.object(
                "{\"plan\": [{\"label\": \"write tests\", \"status\": \"todo\"}], \"current_step\": 0}"))
        .by(
            request -> {
              JsonObject all = TaskStateJson.show(rooms.states().load(request.task()));
              return Reply.ok(
                  JsonObject.of("plan", all.list("plan"), "current_step", all.get("current_step")));
            });
  }

  private Route setPlan() {
    Schema body = Schema.fields().needs("steps", Schema.list(Schema.text("a step's label")));
    return receipt(Verb.PUT, "/tasks/{id}/plan", TAG, "Set the steps; unchanged ones keep status")
        .takes(body, JsonText.object("{\"steps\": [\"write tests\", \"make them pass\"]}"))
        .by(
            request ->
                reply(
                    rooms
                        .states()
                        .setPlan(request.task(), request.body().texts("steps"), request.call())));
  }

  private Route moveStep() {
    Schema body =
        Schema.fields()
            .needs(
                "status",
                Schema.oneOf("how it stands", "todo", "active", "done", "failed", "skipped"))
            .may("note", Schema.text("why it failed or was skipped"));
    return receipt(Verb.PATCH, "/tasks/{id}/plan/{number}", TAG, "Move a step, counted from 1")
        .takes(body, JsonText.object("{\"status\": \"done\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              return reply(
                  rooms
                      .states()
                      .moveStep(
                          request.task(),
                          request.place("number"),
                          StepStatus.parse(asked.text("status")),
                          asked.textOrNull("note"),
                          request.call()));
            });
  }

  private Route criteria() {
    return Route.get("/tasks/{id}/criteria", TAG, "What must be true in the end, and what of it is")
        .gives(
            Schema.fields().needs("criteria", Schema.list(Schema.open("a criterion"))),
            JsonText.object("{\"criteria\": [{\"text\": \"tests pass\", \"met\": false}]}"))
        .by(
            request -> {
              var all = rooms.evidence().criteria(request.task());
              return Reply.ok(JsonObject.of("criteria", all.stream().map(Judged::toJson).toList()));
            });
  }

  private Route addCriterion() {
    Schema body =
        Schema.fields()
            .needs("text", Schema.text("what must be true in the end"))
            .may("check", Schema.text("met only when this command was seen to end with 0"));
    return receipt(Verb.POST, "/tasks/{id}/criteria", TAG, "Add a criterion")
        .takes(body, JsonText.object("{\"text\": \"the API is documented\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              return reply(
                  rooms
                      .states()
                      .addCriterion(
                          request.task(),
                          asked.text("text"),
                          asked.textOrNull("check"),
                          request.call()));
            });
  }

  private Route meet() {
    return receipt(Verb.PUT, "/tasks/{id}/criteria/{number}/met", TAG, "Say that it is met")
        .takes(
            Schema.fields().may("note", Schema.text("where that can be seen")),
            JsonText.object("{\"note\": \"see docs/api.md\"}"))
        .by(
            request ->
                reply(
                    rooms
                        .states()
                        .meetCriterion(
                            request.task(),
                            request.place("number"),
                            request.body().textOrNull("note"),
                            request.call())));
  }

  private Route reopen() {
    return receipt(
            Verb.DELETE, "/tasks/{id}/criteria/{number}/met", TAG, "Take back that it is met")
        .by(
            request ->
                reply(
                    rooms
                        .states()
                        .reopenCriterion(request.task(), request.place("number"), request.call())));
  }
}
