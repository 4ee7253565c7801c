package dev.mainstay.rest;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run must not forget and what it went through: directives, actions, its contexts. */
final class TrailRoutes {
  private static final String TAG = "state";
  private final Rooms rooms;

  private TrailRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    TrailRoutes routes = new TrailRoutes(rooms);
    return List.of(
        routes.directives(),
        routes.addDirective(),
        routes.lift(),
        routes.actions(),
        routes.noteActions(),
        routes.compressions(),
        routes.logCompression(),
        routes.renew(),
        routes.history());
  }

  private Route directives() {
    Schema answer =
        Schema.fields()
            .needs("directives", Schema.list(Schema.open("a standing order")))
            .needs("dropped", Schema.number("how many were pushed out"));
    return Route.get("/tasks/{id}/directives", TAG, "The standing orders, newest last")
        .gives(answer, JsonText.object("{\"directives\": [], \"dropped\": 0}"))
        .by(
            request -> {
              JsonObject all = TaskStateJson.show(rooms.states().load(request.task()));
              return Reply.ok(
                  JsonObject.of(
                      "directives",
                      all.list("directives"),
                      "dropped",
                      all.get("directives_dropped")));
            });
  }

  private Route addDirective() {
    Schema body =
        Schema.fields()
            .needs("text", Schema.text("the order"))
            .may("binding", Schema.truth("nothing pushes it out; for persons alone"));
    return PlanRoutes.receipt(Verb.POST, "/tasks/{id}/directives", TAG, "Give a standing order")
        .takes(body, JsonText.object("{\"text\": \"do not touch the API\"}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              boolean binding = Boolean.TRUE.equals(asked.get("binding"));
              return PlanRoutes.reply(
                  rooms
                      .states()
                      .addDirective(request.task(), asked.text("text"), binding, request.call()));
            });
  }

  private Route lift() {
    return PlanRoutes.receipt(
            Verb.DELETE, "/tasks/{id}/directives/{number}", TAG, "End a standing order, from 1")
        .by(
            request -> {
              String item = Integer.toString(request.place("number") + 1);
              return PlanRoutes.reply(
                  rooms.states().liftDirective(request.task(), item, request.call()));
            });
  }

  private Route actions() {
    Schema answer =
        Schema.fields()
            .needs("actions", Schema.list(Schema.text("what tools did in one turn")))
            .needs("dropped", Schema.number("how many older ones there were"));
    return Route.get("/tasks/{id}/actions", TAG, "What tools were seen to do, newest last")
        .gives(answer, JsonText.object("{\"actions\": [\"ran the tests\"], \"dropped\": 0}"))
        .by(
            request -> {
              JsonObject all = TaskStateJson.show(rooms.states().load(request.task()));
              return Reply.ok(
                  JsonObject.of(
                      "actions",
                      all.list("recent_actions"),
                      "dropped",
                      all.get("recent_actions_dropped")));
            });
  }

  private Route noteActions() {
    return PlanRoutes.receipt(Verb.POST, "/tasks/{id}/actions", TAG, "Note what tools did")
        .takes(
            Schema.fields().needs("summary", Schema.text("what was done in this turn")),
            JsonText.object("{\"summary\": \"ran the tests: 12 passed\"}"))
        .by(
            request ->
                PlanRoutes.reply(
                    rooms
                        .states()
                        .noteActions(
                            request.task(), request.body().text("summary"), request.call())));
  }

  private Route compressions() {
    return Route.get("/tasks/{id}/compressions", TAG, "Every compression of a context there was")
        .paged()
        .gives(Schemas.listOf(Schemas.ENTRY), Schemas.listExample(Schemas.ENTRY_EXAMPLE))
        .by(
            request ->
                entries(
                    request,
                    rooms.states().compressions(request.task(), after(request), request.limit())));
  }

  private Route history() {
    return Route.get("/tasks/{id}/state/history", TAG, "Everything that was ever noted")
        .paged()
        .gives(Schemas.listOf(Schemas.ENTRY), Schemas.listExample(Schemas.ENTRY_EXAMPLE))
        .by(
            request ->
                entries(
                    request,
                    rooms.notebooks().history(request.task(), after(request), request.limit())));
  }

  /** A part is full when there may be more; then the last entry's number goes on. */
  private static Reply entries(Request request, List<JournalEntry> entries) {
    boolean full = entries.size() == request.limit();
    @Nullable String next =
        full ? Long.toString(entries.get(entries.size() - 1).place().number()) : null;
    return Reply.page(
        request, entries.stream().map(entry -> EntryJson.write(entry, null)).toList(), next);
  }

  private static long after(Request request) {
    String cursor = request.query("cursor");
    if (cursor == null) return 0;
    if (cursor.matches("\\d{1,18}")) return Long.parseLong(cursor);
    throw Refusal.invalid("the cursor is not one that a page before gave");
  }

  private Route logCompression() {
    Schema body =
        Schema.fields()
            .needs("action", Schema.text("what was done to the context"))
            .needs("summary", Schema.text("what is left of it"))
            .needs("tokens_before", Schema.number("its size before"))
            .needs("tokens_after", Schema.number("its size after"));
    return PlanRoutes.receipt(Verb.POST, "/tasks/{id}/compressions", TAG, "Log a compression")
        .takes(
            body,
            JsonText.object(
                """
                {"action": "summarise", "summary": "the first hour", "tokens_before": 90000,
                 "tokens_after": 12000}"""))
        .by(
            request -> {
              JsonObject asked = request.body();
              var seen =
                  new TaskStateEvent.Compressed(
                      asked.text("action"),
                      asked.text("summary"),
                      asked.number("tokens_before"),
                      asked.number("tokens_after"));
              return PlanRoutes.reply(
                  rooms.states().logCompression(request.task(), seen, request.call()));
            });
  }

  private Route renew() {
    Schema answer =
        Schemas.RECEIPT.resolved().needs("handover", Schema.text("what the next context is told"));
    return Route.of(Verb.POST, "/tasks/{id}/renewals", TAG, "Begin a new context for the same run")
        .takes(
            Schema.fields().may("reason", Schema.text("why")),
            JsonText.object("{\"reason\": \"the context is full\"}"))
        .gives(answer, Schemas.RECEIPT_EXAMPLE.with("handover", "# Goal"))
        .by(
            request -> {
              String reason = request.body().textOrNull("reason");
              var renewal =
                  rooms
                      .states()
                      .renew(request.task(), reason == null ? "" : reason, request.call());
              return Reply.ok(renewal.receipt().toJson().with("handover", renewal.handover()));
            });
  }
}
