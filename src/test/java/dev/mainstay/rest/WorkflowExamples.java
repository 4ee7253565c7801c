package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;

/** Workflows for tests, and their tasks done. */
final class WorkflowExamples {
  /** Built, then a person is asked; then a gateway that goes by the answer. */
  static final String SHIP =
      """
      {"name": "ship", "title": "Ship it", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "build", "kind": "service_task", "title": "Build {{branch}}"},
         {"id": "sure", "kind": "user_task", "title": "Ship {{branch}}?",
          "answers": ["yes", "no"]},
         {"id": "which", "kind": "exclusive_gateway"},
         {"id": "shipped", "kind": "end_event"}, {"id": "left", "kind": "end_event"}],
       "edges": [
         {"source": "start", "target": "build"}, {"source": "build", "target": "sure"},
         {"source": "sure", "target": "which"},
         {"source": "which", "target": "shipped", "condition": "answer == 'yes'"},
         {"source": "which", "target": "left", "default": true}]}""";

  /** The same as the examples of the routes speak of it. */
  static final String RELEASE =
      SHIP.replace("\"ship\"", "\"release\"")
          .replace("\"sure\"", "\"approve\"")
          .replace("\"yes\"", "\"approve\"")
          .replace("'yes'", "'approve'");

  /** The same, but begun each night. */
  static final String NIGHTLY =
      RELEASE.replace("\"start_event\"", "\"start_event\", \"timer\": {\"cycle\": \"0 2 * * *\"}");

  static final String HEARS =
      """
      {"name": "hears", "title": "", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "news", "kind": "receive_task", "message": {"name": "built"}},
         {"id": "end", "kind": "end_event"}],
       "edges": [{"source": "start", "target": "news"}, {"source": "news", "target": "end"}]}""";

  private WorkflowExamples() {}

  /** Gives somebody the task that an execution waits for, and ends it. */
  static void end(OnServer on, String execution, String how, String body) {
    JsonObject waits = on.get("/executions/" + execution).json().objects("waits_for").get(0);
    String assign = "/tasks/" + waits.text("about") + "/assign";
    OnServer.Answer given = on.send("PUT", assign, "{\"terminal\": \"coder-1\"}");
    long id = given.json().number("id");
    OnServer.Answer ended = on.send("PUT", "/assignments/" + id + "/" + how, body);
    if (ended.status() != 200) throw new AssertionError(ended.text());
  }

  /** An execution that stands as the example of a route needs it. */
  static String prepared(OnServer on, Route route) {
    String path = route.target().path();
    on.post("/workflows", RELEASE);
    if (path.endsWith("/migrate")) on.post("/workflows", RELEASE.replace("Ship it", "Ship it now"));
    String which = path.endsWith("/migrate") ? "release@1" : "release";
    String variables = "{\"variables\": {\"branch\": \"main\"}}";
    String id = on.post("/workflows/" + which + "/executions", variables).json().text("id");
    if (path.endsWith("/retry") || path.endsWith("/skip"))
      end(on, id, "fail", "{\"error\": \"no\"}");
    if (path.endsWith("/answer")) end(on, id, "complete", "{}");
    if (path.endsWith("/resume")) on.post("/executions/" + id + "/pause", "{}");
    return id;
  }
}
