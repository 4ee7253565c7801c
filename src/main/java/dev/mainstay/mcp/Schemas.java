package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.List;

/** The few shapes of which the schemas of tools are made; {@link Strict} knows the same few. */
final class Schemas {
  private Schemas() {}

  /** An object with these fields and no others; names and schemas in turn. */
  static JsonObject object(List<String> required, Object... namesAndSchemas) {
    return JsonObject.of(
        "type",
        "object",
        "properties",
        JsonObject.of(namesAndSchemas),
        "required",
        required.isEmpty() ? null : required,
        "additionalProperties",
        false);
  }

  /** As long as whoever takes it allows. */
  static JsonObject text() {
    return JsonObject.of("type", "string");
  }

  static JsonObject text(int charsMax) {
    return JsonObject.of("type", "string", "maxLength", charsMax);
  }

  static JsonObject number() {
    return JsonObject.of("type", "integer");
  }

  static JsonObject number(long least, long most) {
    return JsonObject.of("type", "integer", "minimum", least, "maximum", most);
  }

  static JsonObject choice(String... values) {
    return JsonObject.of("type", "string", "enum", List.of(values));
  }

  static JsonObject flag() {
    return JsonObject.of("type", "boolean");
  }

  static JsonObject list(JsonObject items) {
    return JsonObject.of("type", "array", "items", items);
  }

  /** The same with a word about what it is for. */
  static JsonObject said(String description, JsonObject schema) {
    return schema.with("description", description);
  }
}
