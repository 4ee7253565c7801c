package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** {@code /tasks/ID/run} once it has begun, and the limits of a task's execution. */
final class RunRoutes {
  private static final String TAG = "plan";
  private static final String PATH = "/tasks/{id}/run";

  private static final Map<String, RunPhase> ENDS =
      Map.of(
          "finished", RunPhase.FINISHED,
          "no-progress", RunPhase.NO_PROGRESS,
          "abandoned", RunPhase.ABANDONED);

  /** What a change of an execution came to. */
  static final Schema OUTCOME =
      Schemas.RECEIPT
          .resolved()
          .needs("notices", Schema.list(Schema.text("what followed")))
          .needs("review", Schema.truth("whether a person is asked for something"));

  private final Rooms rooms;

  private RunRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    RunRoutes routes = new RunRoutes(rooms);
    return List.of(
        routes.update(), routes.suspend(), routes.resume(), routes.end(), routes.constrain());
  }

  private Route update() {
    Schema any = new Schema(JsonObject.of("description", "labels, or objects with label, status"));
    Schema body =
        Schema.fields()
            .may("plan", any)
            .may("current_step", Schema.number("the place of the step at work, from 0"))
            .may("progress", Schema.text("how far it is"))
            .may("scratchpad", Schema.text("whatever the run wants to keep for a while"))
            .may("blocked_on", Schema.list(Schema.text("what it cannot go on without")))
            .may("preserved_refs", Schema.list(Schema.text("what must be there when renewed")));
    return PlanRoutes.receipt(Verb.PATCH, PATH, TAG, "Change what a run writes about itself")
        .takes(body, JsonText.object("{\"progress\": \"half of it\", \"blocked_on\": []}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              if (asked.isEmpty()) throw Refusal.invalid("nothing to change; name a field");
              var update = TaskUpdate.fromJson(asked);
              return PlanRoutes.reply(
                  rooms.states().update(request.task(), update, request.call()));
            });
  }

  private Route suspend() {
    Schema body =
        Schema.fields()
            .needs("what", Schema.text("what it waits for"))
            .may("on", Schema.oneOf("of which kind that is", "question", "child", "barrier"));
    return PlanRoutes.receipt(Verb.POST, PATH + "/suspend", TAG, "Let a run wait for something")
        .takes(body, JsonText.object("{\"what\": \"Which port?\", \"on\": \"question\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              String on = asked.has("on") ? asked.text("on") : "question";
              var waiting =
                  new Waiting(Waiting.On.valueOf(on.toUpperCase(Locale.ROOT)), asked.text("what"));
              return PlanRoutes.reply(
                  rooms.states().suspend(request.task(), waiting, request.call()));
            });
  }

  private Route resume() {
    return PlanRoutes.receipt(Verb.POST, PATH + "/resume", TAG, "Let a waiting run go on")
        .takes(
            Schema.fields().may("answer", Schema.text("what came of what it waited for")),
            JsonText.object("{\"answer\": \"port 7717\"}"))
        .by(
            request -> {
              String answer = request.body().textOrNull("answer");
              return PlanRoutes.reply(
                  rooms
                      .states()
                      .resume(request.task(), answer == null ? "" : answer, request.call()));
            });
  }

  private Route end() {
    Schema body =
        Schema.fields()
            .may("how", Schema.oneOf("how it ends", "finished", "no-progress", "abandoned"))
            .may("reason", Schema.text("why"));
    return PlanRoutes.receipt(
            Verb.POST, PATH + "/end", TAG, "End the run; the task itself stays as it is")
        .takes(body, JsonText.object("{\"how\": \"abandoned\", \"reason\": \"not needed\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              String how = asked.has("how") ? asked.text("how") : "finished";
              String reason = asked.textOrNull("reason");
              return PlanRoutes.reply(
                  rooms
                      .checks()
                      .end(
                          request.task(),
                          Objects.requireNonNull(ENDS.get(how)),
                          reason == null ? "" : reason,
                          request.call()));
            });
  }

  private Route constrain() {
    Schema body = Schema.fields();
    for (Setting setting : Setting.values()) {
      body = body.may(setting.key(), new Schema(JsonObject.of("description", "its new value")));
    }
    return Route.of(
            Verb.PATCH,
            "/tasks/{id}/constraints",
            "state",
            "Give one constraint another value; an agent's looser one is a proposal")
        .takes(body, JsonText.object("{\"max_cost_per_task\": \"0.25\"}"))
        .gives(OUTCOME, Schemas.RECEIPT_EXAMPLE.with("notices", List.of()).with("review", false))
        .by(
            request -> {
              JsonObject asked = request.body();
              String key = only(asked);
              Object value = asked.get(key);
              if (value == null) throw Refusal.invalid(key + " needs a value");
              var outcome =
                  rooms.executions().set(request.task(), Setting.of(key), value, request.call());
              return Reply.ok(outcome.toJson());
            });
  }

  /** Several would be several transactions, of which the first could be made and the next not. */
  private static String only(JsonObject asked) {
    if (asked.asMap().size() == 1) return asked.asMap().keySet().iterator().next();
    throw Refusal.invalid("one request changes one constraint; name exactly one field");
  }
}
