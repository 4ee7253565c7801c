package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.workflow.WorkflowJson;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workflow.Workflows.Imported;
import dev.mainstay.workflow.Workflows.Summary;
import java.util.List;

/** {@code /workflows}: processes as they are drawn. Persons decide which there are. */
final class WorkflowRoutes {
  static final String TAG = "workflows";
  static final String ONE = "/workflows/{workflow}";

  private static final String BPMN_EXAMPLE =
      """
      <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="release">
        <process id="release" name="Release with approval" isExecutable="true">
          <startEvent id="start"/>
          <serviceTask id="build" name="Build"/>
          <userTask id="approve" name="Release it?"/>
          <endEvent id="end"/>
          <sequenceFlow id="f1" sourceRef="start" targetRef="build"/>
          <sequenceFlow id="f2" sourceRef="build" targetRef="approve"/>
          <sequenceFlow id="f3" sourceRef="approve" targetRef="end"/>
        </process>
      </definitions>
      """;

  private final Rooms rooms;

  private WorkflowRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    WorkflowRoutes routes = new WorkflowRoutes(rooms);
    return List.of(
        routes.list(),
        routes.add(),
        routes.check(),
        routes.show(),
        routes.bpmn(),
        routes.schedule(),
        routes.reschedule());
  }

  private Route list() {
    return Route.get("/workflows", TAG, "The newest version of each workflow, by name")
        .paged()
        .gives(
            Schemas.listOf(WorkflowSchemas.WORKFLOW),
            Schemas.listExample(WorkflowSchemas.EXAMPLE.with("live", 1)))
        .by(
            request -> {
              int limit = request.limit();
              // One more tells whether there are others; a page of the largest size cannot ask.
              int asked = Math.min(limit + 1, Workflows.PAGE_MAX);
              List<Summary> found = rooms.workflows().list(request.query("cursor"), asked);
              List<Summary> page = found.subList(0, Math.min(limit, found.size()));
              boolean more = asked > limit ? found.size() > limit : found.size() == limit;
              String next = more ? page.get(page.size() - 1).workflow().name() : null;
              return Reply.page(request, page.stream().map(WorkflowJson::write).toList(), next);
            });
  }

  private Route add() {
    Schema body =
        Schema.fields()
            .may("bpmn", Schema.text("a file of BPMN 2.0; or else the same in these fields:"))
            .may("name", Schema.text("by which it is started"))
            .may("title", Schema.text("what people call it"))
            .may("nodes", Schema.list(Schema.open("a node")))
            .may("edges", Schema.list(Schema.open("a way from one node to another")));
    return Route.of(Verb.POST, "/workflows", TAG, "Take in workflows, each as a new version")
        .takes(body, JsonObject.of("bpmn", BPMN_EXAMPLE))
        .gives(
            201,
            Schemas.listOf(WorkflowSchemas.WORKFLOW),
            Schemas.listExample(WorkflowSchemas.EXAMPLE.with("new", true).with("notes", List.of())))
        .by(
            request -> {
              List<Imported> taken = taken(request);
              List<JsonObject> items = taken.stream().map(WorkflowJson::write).toList();
              return Reply.ok(JsonObject.of("items", items).withAny("next", null))
                  .status(201)
                  .with("Location", "/workflows/" + taken.get(0).workflow().id());
            });
  }

  private Route check() {
    Schema body = Schema.fields().needs("bpmn", Schema.text("a file of BPMN 2.0"));
    JsonObject example =
        JsonObject.of("element", "approve", "problem", "nothing leads out of it")
            .with("advice", "draw a sequence flow from it")
            .with("fatal", true);
    return Route.of(Verb.POST, "/workflows/check", TAG, "What speaks against a drawing")
        .takes(body, JsonObject.of("bpmn", BPMN_EXAMPLE))
        .gives(
            Schema.fields()
                .needs("runs", Schema.truth("whether it can be taken in as it is"))
                .needs("problems", Schema.list(WorkflowSchemas.PROBLEM)),
            JsonObject.of("runs", false, "problems", List.of(example)))
        .by(request -> Reply.ok(WorkflowJson.check(request.body().text("bpmn"))));
  }

  private List<Imported> taken(Request request) {
    JsonObject body = request.body();
    String bpmn = body.textOrNull("bpmn");
    if (bpmn == null) return List.of(rooms.workflows().importJson(body, request.call()));
    if (body.asMap().size() > 1) {
      throw Refusal.invalid("a workflow comes as bpmn or in fields; leave out one of them");
    }
    return rooms.workflows().importBpmn(bpmn, request.call());
  }

  private Route show() {
    JsonObject example =
        WorkflowSchemas.EXAMPLE
            .with("nodes", List.of(JsonObject.of("id", "start", "kind", "start_event")))
            .with("edges", List.of(JsonObject.of("id", "f1", "source", "start", "target", "end")));
    return Route.get(ONE, TAG, "A workflow with its nodes, by id, name or name@version")
        .gives(WorkflowSchemas.WORKFLOW, example)
        .by(
            request ->
                Reply.ok(WorkflowJson.write(rooms.workflows().show(request.path("workflow")))));
  }

  private Route bpmn() {
    return Route.get(ONE + "/bpmn", TAG, "A workflow as BPMN 2.0 with its diagram")
        .givesText("application/xml", "the file")
        .by(
            request ->
                Reply.text("application/xml", rooms.workflows().export(request.path("workflow"))));
  }

  private static Route starting(Route route) {
    JsonObject example =
        JsonObject.of("node", "night", "fired", 3, "next", "2026-01-31T02:00:00.000000Z");
    return route.gives(
        Schemas.listOf(Schema.open("a start event with its next moment or its message")),
        Schemas.listExample(example));
  }

  private static Reply starts(Request request, List<WorkflowStart> starts) {
    return Reply.page(request, starts.stream().map(WorkflowStart::toJson).toList(), null);
  }

  private Route schedule() {
    return starting(Route.get(ONE + "/schedule", TAG, "What starts a workflow by itself"))
        .by(request -> starts(request, rooms.workflows().schedule(request.path("workflow"))));
  }

  private Route reschedule() {
    Schema body = Schema.fields().needs("on", Schema.truth("whether anything starts it by itself"));
    return starting(
            Route.of(Verb.POST, ONE + "/schedule", TAG, "End or resume what starts it by itself")
                .only(Role.PERSON)
                .takes(body, JsonObject.of("on", false)))
        .by(
            request -> {
              boolean on = Boolean.TRUE.equals(request.body().get("on"));
              return starts(
                  request,
                  rooms.workflows().schedule(request.path("workflow"), on, request.call()));
            });
  }
}
