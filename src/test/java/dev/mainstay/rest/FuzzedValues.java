package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random parts of requests for an OpenAPI document: mostly right, sometimes wrong in one place. */
final class FuzzedValues {
  private static final int KNOWN_MAX = 200;
  private static final int DEPTH_MAX = 4;

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          " leading and trailing ",
          "x",
          "T-001",
          "T-999999999999999999",
          "-1",
          "0",
          "2147483648",
          "1e9",
          "#1",
          "#0",
          "null",
          "größe 日本 🙂",
          "\u0000",
          "\ud800",
          "a\u202eb\u200b",
          "line\nline",
          "2026-01-31T12:00:00Z",
          "+1000000000-01-01T00:00:00Z",
          "PT1H",
          "P9999999Y",
          "R/PT0S",
          "0.50",
          "-0.000000000000000001",
          "99999999999999999999",
          "../../etc/passwd",
          "/",
          "<?xml version=\"1.0\"?><a/>",
          "${x} {{x}} %s",
          "x".repeat(300),
          "x".repeat(70_000));

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "-1",
          "2",
          "1000000",
          "1000001",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "9007199254740993",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "1.5",
          "1e400");

  private final Random random;
  private final List<String> known = new ArrayList<>();

  FuzzedValues(Random random) {
    this.random = random;
  }

  /** Names that exist, to be used in paths and bodies. */
  void know(String... names) {
    for (String name : names) {
      if (known.size() < KNOWN_MAX) known.add(name);
      else known.set(random.nextInt(KNOWN_MAX), name);
    }
  }

  /** Takes the id of what was made or changed. */
  void learn(OnServer.Answer answer) {
    if (answer.status() >= 300 || !answer.header("Content-Type").startsWith("application/json"))
      return;
    Object id = answer.json().get("id");
    if (id != null) know(id.toString());
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  String path(String template, JsonObject operation) {
    String path = template;
    List<String> query = new ArrayList<>();
    for (JsonObject parameter : operation.objects("parameters")) {
      String name = parameter.text("name");
      if (parameter.text("in").equals("path")) {
        path = path.replace("{" + name + "}", encoded(place(parameter)));
      } else if (parameter.text("in").equals("query") && oneIn(3)) {
        query.add(encoded(name) + "=" + encoded(queried(name, parameter.object("schema"))));
      }
    }
    return query.isEmpty() ? path : path + "?" + String.join("&", query);
  }

  private String place(JsonObject parameter) {
    if (oneIn(8)) return any(TEXTS.subList(3, 22));
    return oneIn(2) ? parameter.text("example") : any(known);
  }

  /** Long polls return soon. */
  private String queried(String name, JsonObject schema) {
    if (name.equals("wait")) return "0";
    List<String> allowed = schema.texts("enum");
    if (!allowed.isEmpty() && !oneIn(4)) return any(allowed);
    if ("integer".equals(schema.get("type"))) return any(NUMBERS);
    return oneIn(2) ? any(known) : any(TEXTS.subList(0, TEXTS.size() - 1));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Map<String, String> headers(JsonObject operation) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (JsonObject parameter : operation.objects("parameters")) {
      if (!parameter.text("in").equals("header") || !oneIn(6)) continue;
      String value =
          switch (parameter.text("name")) {
            case "If-Match" -> any(List.of("*", "\"1\"", "\"2\"", "x", "\"99999999999999999999\""));
            case "Mainstay-Fence" -> any(List.of("0", "1", "2", "-1", "99999999999999999999"));
            default -> any(List.of("k", "k-" + random.nextInt(50), "k".repeat(300)));
          };
      headers.put(parameter.text("name"), value);
    }
    return headers;
  }

  /** The example of the document with some fields changed, or a body made of its schema alone. */
  String body(JsonObject media) {
    if (oneIn(40)) return any(List.of("{", "[]", "null", "\"x\"", "{\"a\": 1, \"a\": 2}"));
    JsonObject schema = resolved(media.object("schema"));
    Map<String, String> fields = new LinkedHashMap<>();
    JsonObject example =
        media.get("example") instanceof JsonObject given ? given : JsonObject.EMPTY;
    boolean fromExample = !oneIn(3);
    if (fromExample) {
      example.asMap().forEach((field, value) -> fields.put(field, JsonText.write(value)));
    }
    JsonObject properties = schema.object("properties");
    for (String field : properties.asMap().keySet()) {
      boolean required = schema.texts("required").contains(field);
      if (fromExample ? oneIn(5) : required || oneIn(3)) {
        fields.put(field, value(properties.object(field), 0));
      }
    }
    if (!fields.isEmpty() && oneIn(12)) fields.remove(fields.keySet().iterator().next());
    if (oneIn(20)) fields.put("surprise", "1");
    return object(fields);
  }

  private static String object(Map<String, String> fields) {
    List<String> all = new ArrayList<>();
    fields.forEach((field, value) -> all.add(JsonText.write(field) + ": " + value));
    return "{" + String.join(", ", all) + "}";
  }

  private static JsonObject resolved(JsonObject schema) {
    return new Schema(schema).resolved().json();
  }

  private String value(JsonObject given, int depth) {
    JsonObject schema = resolved(given);
    if (oneIn(15)) return any(List.of("null", "1", "\"x\"", "true", "[]", "{}", "[[]]", "[null]"));
    List<String> allowed = schema.texts("enum");
    if (!allowed.isEmpty() && !oneIn(5)) return JsonText.write(any(allowed));
    return switch (type(schema)) {
      case "string" -> text();
      case "integer", "number" -> any(NUMBERS);
      case "boolean" -> oneIn(2) ? "true" : "false";
      case "array" -> array(schema.object("items"), depth);
      case "object" -> nested(schema, depth);
      default -> oneIn(2) ? text() : "[" + text() + "]";
    };
  }

  private String text() {
    String text = oneIn(3) ? any(known) : any(TEXTS);
    // Half a pair of surrogates can only be sent as an escape.
    return text.equals("\ud800") ? "\"\\ud800\"" : JsonText.write(text);
  }

  private static String type(JsonObject schema) {
    Object type = schema.get("type");
    if (type instanceof List<?> types) return types.get(0).toString();
    return type == null ? "" : type.toString();
  }

  private String array(JsonObject items, int depth) {
    List<String> all = new ArrayList<>();
    int count = depth >= DEPTH_MAX ? 0 : random.nextInt(4);
    for (int i = 0; i < count; i++) all.add(value(items, depth + 1));
    return "[" + String.join(", ", all) + "]";
  }

  private String nested(JsonObject schema, int depth) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (depth >= DEPTH_MAX) return "{}";
    JsonObject properties = schema.object("properties");
    for (String field : properties.asMap().keySet()) {
      if (oneIn(2)) fields.put(field, value(properties.object(field), depth + 1));
    }
    boolean open = !Boolean.FALSE.equals(schema.get("additionalProperties"));
    if (open && oneIn(2)) fields.put(any(List.of("a", "T-001", "", "größe")), any(NUMBERS));
    return object(fields);
  }
}
