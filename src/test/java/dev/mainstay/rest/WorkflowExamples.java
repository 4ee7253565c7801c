package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;

/** Workflows for tests, and their tasks done. */
final class WorkflowExamples {
  /** Built, then a person is asked; then a gateway that goes by the answer. */
  static final String SHIP =
      """
      {"name": "ship", "title": "Ship it", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "build", "kind": "service_task", "title": "Build {{branch}}", "priority": 99},
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

  static final String HEARS =
      """
      {"name": "hears", "title": "", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "news", "kind": "receive_task", "message": {"name": "built"}},
         {"id": "end", "kind": "end_event"}],
       "edges": [{"source": "start", "target": "news"}, {"source": "news", "target": "end"}]}""";

  private WorkflowExamples() {}

  /** Claims the most urgent task and ends it. */
  static void end(OnServer on, String how, String body) {
    JsonObject task =
        on.post("/tasks/claim", "{\"worker\": \"coder-1\"}").json().objects("items").get(0);
    String id = task.text("id");
    OnServer.Answer ended = on.send("PUT", "/assignments/" + assignment(on, id) + "/" + how, body);
    if (ended.status() != 200) throw new AssertionError(ended.text());
  }

  private static long assignment(OnServer on, String task) {
    var all = on.get("/tasks/" + task + "/assignments").json().objects("items");
    return all.get(all.size() - 1).number("id");
  }

  /** An execution that stands as the example of a route needs it. */
  static String prepared(OnServer on, Route route) {
    String path = route.target().path();
    on.post("/workflows", RELEASE);
    if (path.endsWith("/migrate")) on.post("/workflows", RELEASE.replace("Ship it", "Ship it now"));
    String which = path.endsWith("/migrate") ? "release@1" : "release";
    String id = on.post("/workflows/" + which + "/executions", "{}").json().text("id");
    if (path.endsWith("/retry") || path.endsWith("/skip")) end(on, "fail", "{\"error\": \"no\"}");
    if (path.endsWith("/answer")) end(on, "complete", "{}");
    if (path.endsWith("/resume")) on.post("/executions/" + id + "/pause", "{}");
    return id;
  }
}
