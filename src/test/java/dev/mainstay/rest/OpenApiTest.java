package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenApiTest extends OnServer {
  /** A title with characters beyond Latin-1, so that no route spoils them unnoticed. */
  private static final String TITLE = "Add login für 日本 ✓";

  private static final Pattern BINARY_OR_JSON =
      Pattern.compile("application/(octet-stream|json|problem\\+json)(;.*)?");

  OpenApiTest() {
    super(Databases.SQLITE);
  }

  @Test
  void what_is_mounted_is_described_and_nothing_else() {
    Answer answer = get("/openapi.json");
    JsonObject paths = answer.json().object("paths");
    Set<String> described = new TreeSet<>();
    for (String path : paths.asMap().keySet()) {
      for (String verb : paths.object(path).asMap().keySet()) {
        described.add(verb.toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    assertThat(answer.json().text("openapi")).isEqualTo("3.1.0");
    Set<String> mounted = new TreeSet<>(server.mounted());
    for (String each : server.mounted()) {
      // HEAD is GET without its body, and is described by it.
      if (!each.startsWith("HEAD ")) continue;
      assertThat(described).contains("GET " + each.substring("HEAD ".length()));
      mounted.remove(each);
    }
    assertThat(described).isEqualTo(mounted);
  }

  /** Whoever asks for it again and again and reads nothing must not make it again each time. */
  @Test
  void the_description_is_made_once_and_shared() {
    assertThat(server.description()).isSameAs(server.description());
    assertThat(get("/openapi.json").json()).isEqualTo(server.openApi());
  }

  @Test
  void every_route_says_what_it_is_and_has_a_name_of_its_own() {
    Set<String> ids = new TreeSet<>();
    JsonObject paths = server.openApi().object("paths");
    for (String path : paths.asMap().keySet()) {
      JsonObject verbs = paths.object(path);
      for (String verb : verbs.asMap().keySet()) {
        JsonObject operation = verbs.object(verb);
        assertThat(operation.text("summary")).isNotBlank();
        assertThat(operation.list("tags")).hasSize(1);
        assertThat(ids.add(operation.text("operationId"))).as(path).isTrue();
      }
    }
  }

  @Test
  void every_example_fits_its_schema_and_is_accepted_as_described() {
    for (Route route : server.routes()) {
      if (!needsWindow(route)) check(route);
    }
  }

  @Test
  void every_example_about_a_window_is_accepted_as_described() {
    TestRooms.assumeTmux();
    for (Route route : server.routes()) {
      if (needsWindow(route)) check(route);
    }
  }

  private static boolean needsWindow(Route route) {
    return route.about().tag().equals(ScreenRoutes.TAG);
  }

  private void check(Route route) {
    String name = route.target().toString();
    var giving = route.giving();
    if (giving.example() != null) {
      assertThatCode(() -> Conformance.check("the example", giving.schema(), giving.example()))
          .as(name)
          .doesNotThrowAnyException();
    }
    // It does not end; EventsTest and ScreenStreamTest read it.
    if (giving.mediaType().equals(ScreenRoutes.EVENT_STREAM)) return;
    Answer answer = asked(route);
    assertThat(answer.status()).as(name + ": " + answer.text()).isEqualTo(giving.status());
    assertThat(answer.header("Content-Type")).as(name).startsWith(giving.mediaType());
    checkEncoding(name, answer);
    if (!giving.mediaType().equals(Route.JSON)) return;
    assertThatCode(() -> Conformance.check("the answer", giving.schema(), answer.json()))
        .as(name + ": " + answer.text())
        .doesNotThrowAnyException();
  }

  /** JSON is UTF-8 by definition; other text must say that it is. */
  private static void checkEncoding(String name, Answer answer) {
    String type = answer.header("Content-Type");
    if (!BINARY_OR_JSON.matcher(type).matches()) {
      assertThat(type).as(name).matches(".*; ?charset=utf-8");
    }
    String text = answer.text().replace(TITLE, "");
    assertThat(text).as(name).doesNotContain("Add login f").doesNotContain("\uFFFD");
  }

  /** By JSON Schema's own rules "additionalProperties" does not see what a reference describes. */
  @Test
  void a_reference_stands_alone_so_that_its_fields_are_allowed() {
    checkReferences(server.openApi(), "the document");
  }

  private static void checkReferences(@Nullable Object part, String where) {
    if (part instanceof JsonObject object) {
      if (object.has("$ref")) assertThat(object.asMap()).as(where).hasSize(1);
      object.asMap().forEach((key, value) -> checkReferences(value, where + "/" + key));
    } else if (part instanceof List<?> list) {
      list.forEach(each -> checkReferences(each, where));
    }
  }

  /** Generators of types take an object without fields and without this word for an empty one. */
  @Test
  void an_open_object_says_that_it_takes_any_field() {
    JsonObject schemas = server.openApi().object("components").object("schemas");
    JsonObject metadata = schemas.object("Task").object("properties").object("metadata");
    assertThat(metadata.get("additionalProperties")).isEqualTo(true);
    checkObjects(server.openApi(), "the document");
  }

  private static void checkObjects(@Nullable Object part, String where) {
    if (part instanceof JsonObject object) {
      if ("object".equals(object.get("type")) && !object.has("properties")) {
        assertThat(object.get("additionalProperties")).as(where).isEqualTo(true);
      }
      object.asMap().forEach((key, value) -> checkObjects(value, where + "/" + key));
    } else if (part instanceof List<?> list) {
      list.forEach(each -> checkObjects(each, where));
    }
  }

  @Test
  void the_document_names_this_server_its_cookie_and_the_refusals_of_each_route() {
    JsonObject document = server.openApi();
    assertThat(document.objects("servers").get(0).text("url"))
        .isEqualTo("http://127.0.0.1:" + server.port());
    JsonObject signIn = document.object("components").object("securitySchemes").object("signIn");
    assertThat(signIn.text("name")).isEqualTo("mainstay_" + server.port());
    JsonObject paths = document.object("paths");
    JsonObject patch = paths.object("/tasks/{id}").object("patch").object("responses");
    assertThat(patch.asMap().keySet())
        .contains("200", "400", "401", "403", "404", "409", "412", "413", "415", "default");
    assertThat(paths.object("/health").object("get").object("responses").asMap().keySet())
        .contains("200", "400", "403", "default")
        .doesNotContain("401", "409");
  }

  @Test
  void a_body_that_the_document_does_not_know_is_refused() {
    assertThat(post("/verify", "{\"quick\": true}").status()).isEqualTo(400);
    assertThat(post("/verify", "{}").status()).isEqualTo(200);
    assertThat(post("/verify", "").status()).isEqualTo(200);
  }

  @Test
  void a_problem_shows_the_characters_of_the_request() {
    Answer refused = post("/tasks", "{\"title\": \"x\", \"größe 日本\": 1}");
    assertThat(refused.json().text("detail")).contains("größe 日本");
  }

  /** Sends the example about a task for which it makes sense. */
  private Answer asked(Route route) {
    String path = route.target().path();
    String id = prepared(route);
    String other = task("other");
    if (route.target().verb() == Route.Verb.DELETE) {
      if (path.endsWith("/dependencies/{other}")) {
        send("PUT", "/tasks/" + id + "/dependencies/" + other, "{}");
      }
      if (path.endsWith("/met")) send("PUT", "/tasks/" + id + "/criteria/1/met", "{}");
    }
    String workspace = workspace();
    String artifact = artifact(id);
    String token = rooms.access().issue(new Wanted(Role.VIEWER, "x", null, null), ADA).token().id();
    String concrete =
        path.replace("{id}", id)
            .replace("{other}", other)
            .replace("{access}", token)
            .replace("{workspace}", workspace)
            .replace("{artifact}", artifact)
            .replace("{assignment}", assignment(route, id))
            .replace("{message}", message(route))
            .replace("{terminal}", needsWindow(route) ? window(route) : "coder-1")
            .replace("{flow}", flow(route))
            .replace("{workflow}", workflow(route))
            .replace("{execution}", execution(route))
            .replace("{type}", "CODE")
            .replaceAll("\\{([a-z]+)}", "\0$1\0");
    for (var example : OpenApi.PATH_EXAMPLES.entrySet()) {
      concrete = concrete.replace("\0" + example.getKey() + "\0", example.getValue());
    }
    if (path.equals("/artifacts")) concrete += "?tasks=" + id;
    if (path.endsWith("/reservations")) {
      reserve(id, workspace);
      boolean release = route.target().verb() == Route.Verb.DELETE;
      if (release) concrete += "?pattern=" + id + "&workspace=" + workspace;
    }
    Object example = route.taking().example();
    String body = example == null ? "" : JsonText.write(example);
    body = body.replace(OpenApi.PATH_EXAMPLES.get("workspace"), workspace);
    if (path.equals("/sign-in") && example != null) {
      body = JsonText.write(JsonText.object(body).with("token", person));
    }
    return send(route.target().verb().name(), concrete, body);
  }

  private String prepared(Route route) {
    String id = task(TITLE);
    String path = "/tasks/" + id;
    String asked = route.target().path();
    // What is to be completed must have nothing open.
    if (route.target().toString().equals("POST /tasks/{id}/run") || asked.contains("{assignment}"))
      return id;
    if (asked.matches("/tasks/\\{id}/(accept|start|heartbeat|complete|fail|release|helpers/.*)")) {
      assign(id);
      if (route.target().verb() == Route.Verb.DELETE) {
        send("PUT", path + "/helpers/" + OpenApi.PATH_EXAMPLES.get("worker"), "");
      }
      return id;
    }
    if (asked.equals("/delegations/{id}")) {
      post("/delegations", "{\"agent_profile\": \"developer\", \"task_id\": \"" + id + "\"}");
    }
    if (asked.contains("{terminal}")) post("/terminals", "{\"id\": \"coder-1\"}");
    if (asked.endsWith("/spending") || asked.endsWith("{terminal}/task")) assign(id);
    if (asked.endsWith("/retry")) send("DELETE", path, "");
    post(path + "/run", "{\"goal\": \"people can log in\", \"criteria\": [\"tests pass\"]}");
    send("PUT", path + "/plan", "{\"steps\": [\"write tests\", \"make them pass\"]}");
    post(path + "/directives", "{\"text\": \"be brief\"}");
    post(path + "/state", "{\"open_issues\": [\"login fails on Mondays\"]}");
    post(path + "/checkpoints", "{\"name\": \"before-refactoring\"}");
    post(path + "/actions", "{\"summary\": \"looked around\"}");
    if (route.target().path().endsWith("/resume")) {
      post(path + "/run/suspend", "{\"what\": \"Which port?\"}");
    }
    rooms.executions().begin(new Beginning(TaskId.parse(id), null, null, null), ADA);
    if (asked.contains("/proposals/")) {
      rooms.executions().set(TaskId.parse(id), Setting.MAX_FILE_OPERATIONS, 1_000, BOT);
    }
    return id;
  }

  /** A terminal with a window of its own, or one that had one. */
  private String window(Route route) {
    if (!route.target().path().contains("{terminal}")) return "0";
    String body = "{\"agent_profile\": \"developer\", \"provider\": \"shell\"}";
    String id = post("/terminals/launch", body).json().text("id");
    if (route.target().path().endsWith("/restore")) send("DELETE", "/terminals/" + id, "");
    return id;
  }

  private String workspace() {
    try {
      Path work = Files.createDirectories(folder.resolve("work"));
      return rooms.workspace(work).workspace().id();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private String artifact(String id) {
    String body = "{\"artifact_type\": \"LOG\", \"content\": \"12 passed\"}";
    return Long.toString(post("/tasks/" + id + "/artifacts", body).json().number("id"));
  }

  /** Most urgent of all, so that this very task is claimed. */
  private void reserve(String id, String workspace) {
    send("PATCH", "/tasks/" + id, "{\"priority\": 99}");
    post("/tasks/claim", "{\"worker\": \"" + id + "\"}");
    post(
        "/tasks/" + id + "/reservations",
        "{\"workspace\": \"" + workspace + "\", \"patterns\": [\"" + id + "\"]}");
  }

  /** The assignment of a task that was given away for it. */
  private String assignment(Route route, String id) {
    if (!route.target().path().contains("{assignment}")) return "0";
    return Long.toString(assign(id).json().number("id"));
  }

  /** A message that was pulled for it. */
  private String message(Route route) {
    if (!route.target().path().contains("{message}")) return "0";
    post("/terminals", "{\"id\": \"coder-1\"}");
    Answer sent = post("/terminals/coder-1/inbox", "{\"message\": \"hello\"}");
    post("/terminals/coder-1/inbox/pull", "{}");
    return Long.toString(sent.json().number("id"));
  }

  /** A flow that was just added. */
  private String flow(Route route) {
    if (!route.target().path().contains("{flow}")) return "none";
    String text = "---\nname: nightly\nschedule: 0 3 * * *\nprofile: reviewer\n---\nReview.";
    return post("/flows", JsonText.write(JsonObject.of("content", text))).json().text("name");
  }

  /** A workflow that is there. */
  private String workflow(Route route) {
    if (!route.target().path().contains("{workflow}")) return "none";
    post("/workflows", WorkflowExamples.RELEASE);
    boolean scheduled = route.target().path().endsWith("/schedule");
    if (scheduled) post("/workflows", WorkflowExamples.NIGHTLY);
    return "release";
  }

  /** An execution that stands as the route needs it. */
  private String execution(Route route) {
    if (!route.target().path().contains("{execution}")) return "none";
    return WorkflowExamples.prepared(this, route);
  }

  private Answer assign(String id) {
    return send("PUT", "/tasks/" + id + "/assign", "{\"terminal\": \"coder-1\"}");
  }
}
