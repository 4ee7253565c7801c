package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The description of the server in OpenAPI 3.1, generated from what is mounted. */
final class OpenApi {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");

  /** What stands in the places of a path; the same in every route. */
  static final Map<String, String> PATH_EXAMPLES =
      Map.ofEntries(
          Map.entry("id", "T-001"),
          Map.entry("other", "T-002"),
          Map.entry("number", "1"),
          Map.entry("name", "before-refactoring"),
          Map.entry("artifact", "1"),
          Map.entry("assignment", "1"),
          Map.entry("worker", "coder-2"),
          Map.entry("terminal", "coder-1"),
          Map.entry("message", "1"),
          Map.entry("flow", "nightly"),
          Map.entry("workflow", "release"),
          Map.entry("execution", "exec-0a1b2c3d"),
          Map.entry("type", "CODE"),
          Map.entry("workspace", "w-0a1b2c3d4e5f"),
          Map.entry("path", "src/App.java"),
          Map.entry("access", "tok-0a1b2c3d4e"));

  private static final JsonObject INFO =
      JsonObject.of("title", "Mainstay", "version", "1")
          .with("description", "Holds the state of AI agents outside their context windows.")
          .with("license", JsonObject.of("name", "Apache 2.0", "identifier", "Apache-2.0"));

  private static final Map<String, String> TAGS =
      Map.ofEntries(
          Map.entry("access", "tokens and whom they are for"),
          Map.entry("artifacts", "files and texts that came out of tasks"),
          Map.entry("assignments", "who holds a task, on what terms, and how it ended"),
          Map.entry("checkpoints", "named moments of a task to return to"),
          Map.entry("delegations", "work that one terminal gives another"),
          Map.entry("flows", "agents started by the calendar"),
          Map.entry("inbox", "messages between terminals"),
          Map.entry("journal", "everything that happened, in order"),
          Map.entry("overview", "what a person looks at"),
          Map.entry("plan", "goal, steps, criteria and directives of a task"),
          Map.entry("screens", "terminals with windows of tmux"),
          Map.entry("state", "what is known about a task, and was"),
          Map.entry("system", "the server itself, and signing in"),
          Map.entry("task types", "what tasks of a type need to be completed"),
          Map.entry("tasks", "units of work with dependencies"),
          Map.entry("terminals", "workers and what is known about them"),
          Map.entry("workflows", "processes drawn in BPMN, and their executions"),
          Map.entry("workspaces", "folders, their files, and who reserved them"));

  private OpenApi() {}

  /** Where the server is, and by which cookie browsers sign in there. */
  record Place(String scheme, String host, int port) {
    JsonObject server() {
      boolean bare = host.contains(":") && !host.startsWith("[");
      return JsonObject.of("url", scheme + "://" + (bare ? "[" + host + "]" : host) + ":" + port)
          .with("description", "this server");
    }
  }

  static JsonObject of(List<Route> routes, Place place) {
    Map<String, Map<String, Object>> paths = new TreeMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.target().path(), path -> new TreeMap<>())
          .put(verb(route), operation(route));
    }
    Map<String, Object> schemas = new LinkedHashMap<>();
    Schemas.NAMED.forEach((name, schema) -> schemas.put(name, schema.json()));
    JsonObject components =
        JsonObject.of("schemas", schemas, "securitySchemes", security(place.port()))
            .with("responses", OpenApiProblems.components());
    return JsonObject.of("openapi", "3.1.0", "paths", paths)
        .with("info", INFO)
        .with("servers", List.of(place.server()))
        .with("tags", tags(routes))
        .with("components", components);
  }

  private static List<JsonObject> tags(List<Route> routes) {
    return routes.stream()
        .map(route -> route.about().tag())
        .distinct()
        .sorted()
        .map(tag -> JsonObject.of("name", tag, "description", about(tag)))
        .toList();
  }

  private static String about(String tag) {
    String known = TAGS.get(tag);
    if (known == null) throw new IllegalStateException("nothing says what " + tag + " are");
    return known;
  }

  static String verb(Route route) {
    return route.target().verb().name().toLowerCase(Locale.ROOT);
  }

  private static JsonObject security(int port) {
    return JsonObject.of(
        "token",
        JsonObject.of("type", "http", "scheme", "bearer"),
        "signIn",
        JsonObject.of(
            "type",
            "apiKey",
            "in",
            "cookie",
            "name",
            SignIns.cookie(port),
            "description",
            "set by /sign-in; the number in its name is the port of the server; it is good only with the key given there, in the header "
                + SignIns.KEY));
  }

  private static JsonObject operation(Route route) {
    var roles = route.about().roles().stream().map(role -> role.typed()).sorted().toList();
    return JsonObject.of("summary", route.about().summary(), "tags", List.of(route.about().tag()))
        .with("description", description(route))
        .with("operationId", operationId(route))
        .with("parameters", parameters(route))
        .with("requestBody", requestBody(route))
        .with("responses", responses(route))
        .with("x-roles", roles)
        .with(
            "security",
            route.isOpen()
                ? List.of()
                : List.of(JsonObject.of("token", List.of()), JsonObject.of("signIn", List.of())));
  }

  private static String description(Route route) {
    if (route.isOpen()) return route.about().summary() + ". Needs no token.";
    String callers =
        route.about().roles().stream()
            .sorted()
            .map(role -> role.typed() + "s")
            .collect(Collectors.joining(" and "));
    return route.about().summary() + ". For " + callers + ".";
  }

  private static String operationId(Route route) {
    String path = route.target().path().replaceAll("[{}]", "").replaceAll("[^A-Za-z]+", "_");
    return verb(route) + (path.equals("_") ? "_root" : path);
  }

  private static List<JsonObject> parameters(Route route) {
    List<JsonObject> all = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(route.target().path());
    while (matcher.find()) {
      String name = matcher.group(1);
      all.add(
          parameter("path", name, Schema.text("which " + name))
              .with("required", true)
              .with("example", PATH_EXAMPLES.get(name)));
    }
    for (var query : route.taking().queries()) {
      all.add(parameter("query", query.name(), query.schema()));
    }
    if (route.isWrite() && !route.isOpen()) {
      all.add(
          parameter(
              "header",
              "Idempotency-Key",
              Schema.text("the same key and request again gets the same answer")));
      all.add(
          parameter("header", "Mainstay-Fence", Schema.number("the fence of the caller's claim")));
    }
    if (route.taking().matching()) {
      all.add(parameter("header", "If-Match", Schema.text("the ETag that is to be changed")));
    }
    return all;
  }

  private static JsonObject parameter(String in, String name, Schema schema) {
    return JsonObject.of("in", in, "name", name, "schema", schema.json());
  }

  private static @Nullable JsonObject requestBody(Route route) {
    Schema body = route.taking().body();
    if (body == null) return null;
    boolean required = !body.json().list("required").isEmpty();
    JsonObject media = JsonObject.of("schema", body.json(), "example", route.taking().example());
    return JsonObject.of("required", required, "content", JsonObject.of(Route.JSON, media));
  }

  private static JsonObject responses(Route route) {
    var giving = route.giving();
    JsonObject media = JsonObject.of("schema", giving.schema().json(), "example", giving.example());
    JsonObject well =
        JsonObject.of(
            "description", "all is well", "content", JsonObject.of(giving.mediaType(), media));
    return OpenApiProblems.of(route).with(Integer.toString(giving.status()), well);
  }
}
