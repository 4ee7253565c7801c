package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds a piece of JSON against a schema; what does not fit is refused with its place. */
final class Conformance {
  private Conformance() {}

  /** Refuses a body that has not the shape it should have. */
  static void check(String where, Schema schema, @Nullable Object value) {
    JsonObject shape = schema.resolved().json();
    List<String> types = types(shape);
    if (!types.isEmpty() && types.stream().noneMatch(type -> isA(type, value))) {
      throw Refusal.invalid(
          Phrase.of("%s must be %s", where, String.join(" or ", types).replace("string", "text")));
    }
    List<String> allowed = shape.texts("enum");
    if (!allowed.isEmpty() && value != null && !allowed.contains(String.valueOf(value))) {
      throw Refusal.invalid(Phrase.of("%s must be one of %s", where, String.join(", ", allowed)));
    }
    if (value instanceof JsonObject object) checkFields(where, shape, object);
    if (value instanceof List<?> items && shape.has("items")) {
      Schema of = new Schema(shape.object("items"));
      for (int i = 0; i < items.size(); i++) check(where + "[" + i + "]", of, items.get(i));
    }
  }

  private static void checkFields(String where, JsonObject shape, JsonObject object) {
    JsonObject known = shape.object("properties");
    boolean closed = Boolean.FALSE.equals(shape.get("additionalProperties"));
    for (String field : object.asMap().keySet()) {
      if (known.has(field)) {
        String place = Phrase.of("the field \"%s\"", field);
        check(place, new Schema(known.object(field)), object.get(field));
      } else if (closed && known.isEmpty()) {
        throw Refusal.invalid(Phrase.of("%s has no fields; leave out \"%s\"", where, field));
      } else if (closed) {
        throw Refusal.invalid(
            Phrase.of(
                "%s has no field \"%s\"; %s",
                where, field, Nearest.guess(field, known.asMap().keySet())));
      }
    }
    for (String field : shape.texts("required")) {
      if (!object.has(field)) throw Refusal.invalid("the field \"" + field + "\" is missing");
    }
  }

  private static List<String> types(JsonObject shape) {
    Object type = shape.get("type");
    if (type instanceof List<?>) return shape.texts("type");
    return type == null ? List.of() : List.of(type.toString());
  }

  private static boolean isA(String type, @Nullable Object value) {
    return switch (type) {
      case "object" -> value instanceof JsonObject;
      case "array" -> value instanceof List<?>;
      case "string" -> value instanceof String;
      case "integer" -> value instanceof Long;
      case "number" -> value instanceof Long || value instanceof BigDecimal;
      case "boolean" -> value instanceof Boolean;
      case "null" -> value == null;
      default -> throw new IllegalArgumentException("no type of JSON: " + type);
    };
  }
}
