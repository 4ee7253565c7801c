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

  private OpenApi() {}

  static JsonObject of(List<Route> routes, String version) {
    Map<String, Map<String, Object>> paths = new TreeMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.target().path(), path -> new TreeMap<>())
          .put(verb(route), operation(route));
    }
    Map<String, Object> schemas = new LinkedHashMap<>();
    Schemas.NAMED.forEach((name, schema) -> schemas.put(name, schema.json()));
    return JsonObject.of("openapi", "3.1.0", "paths", paths)
        .with("info", JsonObject.of("title", "Mainstay", "version", version))
        .with("components", JsonObject.of("schemas", schemas, "securitySchemes", security()));
  }

  static String verb(Route route) {
    return route.target().verb().name().toLowerCase(Locale.ROOT);
  }

  private static JsonObject security() {
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
            SignIns.cookie(ServerSettings.PORT),
            "description",
            "set by /sign-in; the number in its name is the port of the server; it is good only with the key given there, in the header "
                + SignIns.KEY));
  }

  private static JsonObject operation(Route route) {
    var roles = route.about().roles().stream().map(role -> role.typed()).sorted().toList();
    return JsonObject.of("summary", route.about().summary(), "tags", List.of(route.about().tag()))
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
    JsonObject problem =
        JsonObject.of(
            "description",
            "a problem, as RFC 9457 has it",
            "content",
            JsonObject.of(Problem.MEDIA_TYPE, JsonObject.of("schema", Schemas.PROBLEM.json())));
    return JsonObject.of(Integer.toString(giving.status()), well, "default", problem);
  }
}
