package dev.mainstay.page;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A crew in the middle of building a web service: what the pages show to people is from here. */
final class Story {
  private final PageServer server;

  /** The task that the pictures are of. */
  private String main = "";

  private String creation = "";

  /** The execution that waits for an answer. */
  private String release = "";

  /** The one that is held up. */
  private String stuck = "";

  private Story(PageServer server) {
    this.server = server;
  }

  static Story tell(PageServer server) {
    Story story = new Story(server);
    story.beginRelease();
    story.before();
    story.write();
    story.writeBeside();
    story.fail();
    story.ask();
    return story;
  }

  String main() {
    return main;
  }

  String release() {
    return release;
  }

  String stuck() {
    return stuck;
  }

  String workflow() {
    return server.get("/workflows/release").text("id");
  }

  /** An agent with a token of its own, and the task in its hands. */
  private record Agent(PageServer server, String token, JsonObject held) {
    String id() {
      return held.text("id");
    }

    JsonObject send(String verb, String path, Object... fields) {
      return server.send(
          verb,
          path.replace("{id}", id()),
          JsonObject.of(fields),
          "Authorization",
          "Bearer " + token,
          "Mainstay-Fence",
          Long.toString(held.number("fence")));
    }

    void begin() {
      long number =
          server.get("/tasks/" + id() + "/assignments").objects("items").get(0).number("id");
      send("PUT", "/assignments/" + number + "/start");
    }
  }

  /** Takes the most urgent task there is. */
  private Agent agent(String name, String profile) {
    server.post("/terminals", "id", name, "provider", "claude_code", "agent_profile", profile);
    String token =
        server.post("/tokens", "role", "agent", "name", name, "terminal", name).text("token");
    Agent agent = new Agent(server, token, server.claim(name));
    agent.begin();
    return agent;
  }

  private void before() {
    for (String title : List.of("Choose a web framework", "Design the users API")) {
      server.task(title, "task_type", "ANALYZE", "priority", 50);
      server.complete(server.claim("architect-1"), JsonObject.of("sum", "see docs/api.md"));
    }
    server.send(
        "DELETE", "/tasks/" + server.task("Support XML answers") + "?reason=nobody+asked", null);
  }

  private void write() {
    main =
        server.task(
            "Write GET /users with paging",
            "priority",
            40,
            "description",
            "List users, 50 a page, by cursor. Deleted users are not shown.");
    server.post(
        "/tasks/" + main + "/run",
        "goal",
        "GET /users lists every user that is not deleted, page by page");
    server.post("/tasks/" + main + "/criteria", "text", "all tests pass", "check", "mvn -q test");
    server.post("/tasks/" + main + "/criteria", "text", "a page of 50 users takes less than 20 ms");
    server.post("/tasks/" + main + "/criteria", "text", "docs/api.md shows an example");
    server.post(
        "/tasks/" + main + "/directives",
        "text",
        "Do not change the table of users",
        "binding",
        true);
    server.post("/tasks/" + main + "/directives", "text", "Page by cursor, not by offset");
    plan(agent("developer-1", "developer"));
    server.put("/tasks/" + main + "/criteria/3/met", "note", "docs/api.md, section Users");
  }

  private static void plan(Agent ada) {
    ada.send(
        "PUT",
        "/tasks/{id}/plan",
        "steps",
        List.of(
            "Read the schema and the routes there are",
            "Write the tests of paging",
            "Write the query with a cursor",
            "Measure a page of 50 users",
            "Show an example in docs/api.md"));
    for (int step : new int[] {1, 2})
      ada.send("PATCH", "/tasks/{id}/plan/" + step, "status", "done");
    ada.send("PATCH", "/tasks/{id}/plan/3", "status", "active");
    ada.send(
        "POST",
        "/tasks/{id}/state",
        "decisions",
        List.of(
            "The cursor is the id of the last user, encoded as base64url",
            "An unknown cursor is 400, not an empty page"),
        "open_issues",
        List.of("Shall a page be stable while users are added?"),
        "hypotheses",
        List.of("The index on (deleted_at, id) serves the query alone"));
    ada.send(
        "PATCH", "/tasks/{id}/run", "progress", "tests are written and red; the query is next");
    ada.send(
        "POST",
        "/tasks/{id}/actions",
        "summary",
        "ran UserPagingTest: 6 tests, 4 failed as expected");
    ada.send("POST", "/tasks/{id}/actions", "summary", "edited UserQueries.java");
  }

  private void writeBeside() {
    creation =
        server.task(
            "Write POST /users",
            "priority",
            39,
            "terms",
            JsonObject.of("budget", JsonObject.of("tokens", 200_000, "cost", "4.00")));
    Agent bob = agent("developer-2", "developer");
    bob.send(
        "POST",
        "/tasks/{id}/run",
        "goal",
        "POST /users makes a user once, however often it is sent");
    bob.send(
        "PUT",
        "/tasks/{id}/plan",
        "steps",
        List.of("Write the tests", "Take an Idempotency-Key", "Refuse what is no address"));
    bob.send("PATCH", "/tasks/{id}/plan/1", "status", "active");
    bob.send("POST", "/tasks/{id}/actions", "summary", "wrote UserCreationTest");
  }

  private void fail() {
    String removal = server.task("Write DELETE /users/{id}", "priority", 38);
    server.post("/tasks/" + removal + "/run", "goal", "a deleted user is gone for readers");
    server.fail(
        server.claim("developer-3"),
        "the migration needs a right that the test database does not give: CREATE INDEX CONCURRENTLY");
    String review =
        server.task(
            "Review the users API", "task_type", "REVIEW", "dependencies", List.of(main, creation));
    server.task("Deploy to staging", "task_type", "DEPLOY", "dependencies", List.of(review));
    server.task("Announce it to the pilot users", "dependencies", List.of(review));
    server.task("Load test at 500 requests a second", "task_type", "TEST", "priority", 5);
    server.task("Write the user guide", "task_type", "DOCS", "priority", 2);
  }

  private void ask() {
    String regions = server.task("Choose the regions", "task_type", "ANALYZE", "priority", 1);
    server.post("/tasks/" + regions + "/run", "goal", "the service runs where its users are");
    server.post(
        "/tasks/" + regions + "/run/suspend",
        "what",
        "May users of the pilot be served from Ireland?");
    server.post(
        "/terminals/developer-2/inbox",
        "message",
        "Please take the key from the header, not from the body.");
  }

  private void beginRelease() {
    try {
      server.post("/workflows", "bpmn", Files.readString(Path.of("examples/release.bpmn")));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    JsonObject variables = JsonObject.of("version", "1.4.0");
    release = server.post("/workflows/release/executions", "variables", variables).text("id");
    server.complete(
        server.claim("builder-1"), JsonObject.of("notes", "paging, and users made once"));
    variables = JsonObject.of("version", "1.3.9");
    stuck = server.post("/workflows/release/executions", "variables", variables).text("id");
    server.fail(server.claim("builder-2"), "no network: repo.example cannot be resolved");
  }
}
