package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.terminal.Flows;
import java.util.List;

/**
 * {@code /flows}: agents that are started by the calendar. What runs programs on the server's
 * machine is made and taken away by persons alone.
 */
final class FlowRoutes {
  private static final String TAG = "flows";
  private static final String ONE = "/flows/{flow}";

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"name": "nightly", "schedule": "0 3 * * *", "zone": "Europe/Berlin", "missed": "run",
           "agent_profile": "reviewer", "variables": {"branch": "main"},
           "body": "Review what came to [[branch]] today.", "host": "build-1",
           "work_dir": "/srv/project", "enabled": true, "next_run": "2026-02-01T02:00:00.000000Z",
           "version": 1, "created_at": "2026-01-31T12:00:00.000000Z",
           "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  private static final JsonObject RUN_EXAMPLE =
      JsonText.object(
          """
          {"flow_name": "nightly", "due_at": "2026-01-31T12:00:01.000000Z", "by_hand": true,
           "status": "STARTED", "terminal_id": "reviewer-1",
           "started_at": "2026-01-31T12:00:01.000000Z",
           "completed_at": "2026-01-31T12:00:04.000000Z"}""");

  private static final String CONTENT_EXAMPLE =
      """
      ---
      name: nightly
      schedule: 0 3 * * *
      zone: Europe/Berlin
      profile: reviewer
      variables:
        branch: main
      ---
      Review what came to [[branch]] today.
      """;

  private final Rooms rooms;

  private FlowRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    FlowRoutes routes = new FlowRoutes(rooms);
    return List.of(
        routes.list(),
        routes.add(),
        routes.show(),
        routes.remove(),
        routes.run(),
        routes.enable(),
        routes.disable());
  }

  /** A flow, as all of these routes answer it. */
  static Schema schema() {
    return Schema.fields()
        .needs("name", Schema.text("its name"))
        .needs("schedule", Schema.text("five fields of cron, or a name such as @daily"))
        .needs("zone", Schema.text("the time zone of the schedule"))
        .needs("missed", Schema.oneOf("whether one run makes up for missed ones", "run", "skip"))
        .needs("agent_profile", Schema.text("the profile of its agent"))
        .may("provider", Schema.text("in place of the profile's own"))
        .may("script", Schema.text("the command that decides and gives values"))
        .needs("variables", Schema.open("values that the script need not give"))
        .needs("body", Schema.text("what its agent is told; [[name]] stands for a value"))
        .needs("host", Schema.text("the machine it runs on"))
        .needs("work_dir", Schema.text("the folder it works in"))
        .needs("enabled", Schema.truth("whether it runs by its schedule"))
        .may("next_run", Schema.text("when it runs next"))
        .needs("version", Schema.number("grows with each change"))
        .needs("created_at", Schema.text("when it was added"))
        .needs("updated_at", Schema.text("when it last changed"))
        .may("next_runs", Schema.list(Schema.text("when it will run")))
        .may("runs", Schema.list(Schemas.FLOW_RUN));
  }

  /** What became of one moment of a flow. */
  static Schema runSchema() {
    return Schema.fields()
        .needs("flow_name", Schema.text("the flow"))
        .needs("due_at", Schema.text("the moment it was due, or was run by hand"))
        .needs("by_hand", Schema.truth("whether somebody asked for it"))
        .needs(
            "status",
            Schema.oneOf("how it stands", "RUNNING", "STARTED", "DECLINED", "MISSED", "FAILED"))
        .may("reason", Schema.text("why it failed or was missed"))
        .may("terminal_id", Schema.text("where its agent is"))
        .needs("started_at", Schema.text("when it was begun"))
        .may("completed_at", Schema.text("when it was settled"));
  }

  private static String name(Request request) {
    return request.path("flow");
  }

  private Route list() {
    return Route.get("/flows", TAG, "Flows in the order of their names")
        .paged()
        .gives(Schemas.listOf(Schemas.FLOW), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              int limit = request.limit();
              // One more tells whether there are others; a page of the largest size cannot ask.
              int asked = Math.min(limit + 1, Flows.PAGE_MAX);
              List<Flow> found = rooms.flows().list(request.query("cursor"), asked);
              List<Flow> page = found.subList(0, Math.min(limit, found.size()));
              boolean more = asked > limit ? found.size() > limit : found.size() == limit;
              String next = more ? page.get(page.size() - 1).name() : null;
              return Reply.page(request, page.stream().map(Flow::toJson).toList(), next);
            });
  }

  private Route add() {
    Schema body =
        Schema.fields()
            .needs(
                "content",
                Schema.text("the flow as markdown; its script is a file of the server's project"));
    return Route.of(Verb.POST, "/flows", TAG, "Add a flow, or replace the one of its name")
        .only(Role.PERSON)
        .takes(body, JsonObject.of("content", CONTENT_EXAMPLE))
        .gives(201, Schemas.FLOW, EXAMPLE)
        .by(
            request -> {
              var wanted = rooms.flows().read(request.body().text("content"));
              Flow flow = rooms.flows().add(wanted, request.call());
              return Reply.ok(flow.toJson()).status(201).with("Location", "/flows/" + flow.name());
            });
  }

  private Route show() {
    JsonObject shown =
        EXAMPLE
            .with("next_runs", List.of("2026-02-01T02:00:00.000000Z"))
            .with("runs", List.of(RUN_EXAMPLE));
    return Route.get(ONE, TAG, "One flow, its next runs, and what became of its last")
        .gives(Schemas.FLOW, shown)
        .by(request -> Reply.ok(rooms.flows().show(name(request)).toJson()));
  }

  private Route remove() {
    return Route.of(Verb.DELETE, ONE, TAG, "Take a flow away; agents it started go on")
        .only(Role.PERSON)
        .gives(Schemas.FLOW, EXAMPLE)
        .by(request -> Reply.ok(rooms.flows().remove(name(request), request.call()).toJson()));
  }

  private Route run() {
    return Route.of(Verb.POST, ONE + "/run", TAG, "Run a flow now: ask its script, start its agent")
        .gives(Schemas.FLOW_RUN, RUN_EXAMPLE)
        .by(request -> Reply.ok(rooms.flows().run(name(request), request.call()).toJson()));
  }

  private Route enable() {
    return Route.of(Verb.PUT, ONE + "/enable", TAG, "Let a flow run by its schedule, from now on")
        .only(Role.PERSON)
        .gives(Schemas.FLOW, EXAMPLE)
        .by(request -> Reply.ok(rooms.flows().enable(name(request), request.call()).toJson()));
  }

  private Route disable() {
    return Route.of(Verb.PUT, ONE + "/disable", TAG, "Let a flow rest")
        .only(Role.PERSON)
        .gives(Schemas.FLOW, EXAMPLE)
        .by(request -> Reply.ok(rooms.flows().disable(name(request), request.call()).toJson()));
  }
}
