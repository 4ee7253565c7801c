package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.overview.Graph;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.upkeep.Verification.Finding;
import dev.mainstay.upkeep.Verification.Report;
import java.util.List;

/** What a person looks at: who does what now, the graph of tasks, charts, what awaits a yes. */
final class OverviewRoutes {
  private static final String TAG = "overview";
  private static final int CHART_HOURS = 24;

  private final Rooms rooms;
  private final Places verifying =
      new Places(1, "the store is being verified already; come again when that is done");

  private OverviewRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    OverviewRoutes routes = new OverviewRoutes(rooms);
    return List.of(
        routes.now(),
        routes.graph(),
        routes.charts(),
        routes.files(),
        routes.proposals(),
        routes.settle("accept", "Allow what was proposed", true),
        routes.settle("decline", "Turn down what was proposed", false),
        routes.verify());
  }

  private Route now() {
    return Route.get("/now", TAG, "Who does what, what waits and for what, and what failed")
        .gives(OverviewSchemas.NOW, OverviewSchemas.NOW_EXAMPLE)
        .by(request -> Reply.ok(rooms.overview().now()));
  }

  private Route graph() {
    return Route.get("/tasks/graph", TAG, "The newest tasks, or those around one, and their order")
        .query("root", Schema.text("only what hangs together with this task; then no filter"))
        .query("status", Schema.text("only tasks that stand so, such as READY,FAILED"))
        .query("type", Schema.text("only tasks of this type"))
        .query("parent", Schema.text("only parts of this task"))
        .query("workflow", Schema.text("only tasks of this workflow"))
        .query("search", Schema.text("only tasks with each of these words in their text or id"))
        .query("limit", Schema.number("at most so many tasks (default 1,000)"))
        .gives(OverviewSchemas.GRAPH, OverviewSchemas.GRAPH_EXAMPLE)
        .by(
            request -> {
              Integer given = request.queryNumber("limit");
              int limit = given == null ? Graph.NODES : given;
              String root = request.query("root");
              Graph graph =
                  root == null
                      ? rooms.overview().graph(TaskRoutes.filter(request), limit)
                      : rooms.overview().graphAround(request.task(root), limit);
              return Reply.ok(graph.toJson());
            });
  }

  private Route charts() {
    return Route.get("/charts", TAG, "Figures by the hour: work done, prompts, writes")
        .query("hours", Schema.number("so far back (default 24)"))
        .gives(OverviewSchemas.CHARTS, OverviewSchemas.CHARTS_EXAMPLE)
        .by(
            request -> {
              Integer hours = request.queryNumber("hours");
              return Reply.ok(rooms.overview().charts(hours == null ? CHART_HOURS : hours));
            });
  }

  private Route files() {
    return Route.get("/tasks/{id}/files", TAG, "The files that a task changed, the last first")
        .gives(
            Schema.fields().needs("items", Schema.list(OverviewSchemas.FILE)),
            JsonObject.of("items", List.of(OverviewSchemas.FILE_EXAMPLE)))
        .by(request -> Reply.ok(JsonObject.of("items", rooms.overview().files(request.task()))));
  }

  private Route proposals() {
    return Route.get("/proposals", TAG, "What persons are asked to allow")
        .gives(
            Schema.fields().needs("items", Schema.list(OverviewSchemas.PROPOSAL)),
            JsonObject.of("items", List.of(OverviewSchemas.PROPOSAL_EXAMPLE)))
        .by(request -> Reply.ok(JsonObject.of("items", rooms.overview().proposals())));
  }

  private Route settle(String name, String summary, boolean accepted) {
    return Route.of(Verb.POST, "/tasks/{id}/proposals/{number}/" + name, TAG, summary)
        .only(Role.PERSON)
        .gives(
            RunRoutes.OUTCOME,
            Schemas.RECEIPT_EXAMPLE.with("notices", List.of()).with("review", false))
        .by(
            request -> {
              int number = request.place("number") + 1;
              return Reply.ok(
                  rooms
                      .executions()
                      .settle(request.task(), number, accepted, request.call())
                      .toJson());
            });
  }

  private Route verify() {
    return Route.of(Verb.POST, "/verify", TAG, "Check the whole store against its journal")
        .only(Role.PERSON)
        .gives(
            OverviewSchemas.VERIFIED,
            JsonText.object(
                """
                {"sound": true, "sentence": "all is well", "entries": 12, "streams": 3,
                 "seals": 0, "findings": [], "more": 0}"""))
        .by(request -> Reply.ok(verified()));
  }

  /** It reads everything there is, so one at a time is enough for all. */
  private JsonObject verified() {
    Places.Place place = verifying.take();
    try {
      Report report = rooms.upkeep().verify();
      return JsonObject.of("sound", report.isClean(), "sentence", report.sentence())
          .with("entries", report.entries())
          .with("streams", report.streams())
          .with("seals", report.seals())
          .with("findings", report.findings().stream().map(OverviewRoutes::finding).toList())
          .with("more", report.more());
    } finally {
      place.close();
    }
  }

  private static JsonObject finding(Finding found) {
    return JsonObject.of("where", found.where(), "problem", found.problem());
  }
}
