package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds arguments to a tool's own schema. Each no is a sentence that says what to write instead, as
 * a model reads it and tries again.
 */
final class Strict {
  /** A list without a limit of its own has this one. */
  static final int ITEMS_MAX = 100;

  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private Strict() {}

  /** The arguments as they are meant: a field that is null is one that was left out. */
  static JsonObject checked(String tool, JsonObject schema, JsonObject arguments) {
    return object(tool, schema, arguments);
  }

  private static JsonObject object(String where, JsonObject schema, JsonObject given) {
    JsonObject known = schema.object("properties");
    Map<String, @Nullable Object> kept = new TreeMap<>();
    given
        .asMap()
        .forEach(
            (name, value) -> {
              if (value == null) return;
              if (!known.has(name)) throw unknown(where, name, known);
              kept.put(name, value(named(where, name), known.object(name), value));
            });
    for (String needed : schema.texts("required")) {
      if (!kept.containsKey(needed)) {
        throw Refusal.invalid(Phrase.of("%s needs \"%s\"; call it again with that", where, needed));
      }
    }
    return JsonObject.copyOf(kept);
  }

  /** What a person alone decides has no argument anywhere; who tries it nevertheless is noted. */
  private static final Set<String> RESERVED =
      Stream.concat(
              Stream.of(
                  "goal", "binding", "settings", "actor", "role", "override", "budget_tokens"),
              Arrays.stream(Setting.values()).map(Setting::key))
          .collect(Collectors.toUnmodifiableSet());

  private static Refusal unknown(String where, String name, JsonObject known) {
    Refusal refusal = noSuch(where, name, known);
    return RESERVED.contains(name) ? refusal.reserved() : refusal;
  }

  private static Refusal noSuch(String where, String name, JsonObject known) {
    var names = known.asMap().keySet();
    if (names.isEmpty()) return Refusal.invalid(Phrase.of("%s takes no arguments", where));
    return Refusal.invalid(
        Phrase.of(
            "%s has no argument \"%s\"; it takes %s%s",
            where, cut(name), String.join(", ", names), Nearest.hint(cut(name), names)));
  }

  private static Object value(String where, JsonObject schema, Object value) {
    if (schema.has("enum")) return oneOf(where, schema.texts("enum"), value);
    return switch (schema.text("type")) {
      case "string" -> text(where, schema, value);
      case "integer" -> number(where, schema, value);
      case "boolean" -> {
        if (value instanceof Boolean) yield value;
        throw wrong(where, "true or false", value);
      }
      case "array" -> list(where, schema, value);
      case "object" -> {
        if (value instanceof JsonObject object) yield object(where, schema, object);
        throw wrong(where, "an object", value);
      }
      default -> throw new IllegalStateException("no such type: " + schema.text("type"));
    };
  }

  private static Object oneOf(String where, List<String> choices, Object value) {
    if (value instanceof String text && choices.contains(text)) return text;
    throw Refusal.invalid(
        Phrase.of("%s is one of %s, not %s", where, String.join(", ", choices), shown(value)));
  }

  private static Object text(String where, JsonObject schema, Object value) {
    if (!(value instanceof String text)) throw wrong(where, "text in quotes", value);
    Long most = schema.numberOrNull("maxLength");
    if (most == null || text.length() <= most) return text;
    throw Refusal.tooLarge(
        Phrase.of("%s has %,d characters; at most %,d are taken", where, text.length(), most));
  }

  private static Object number(String where, JsonObject schema, Object value) {
    Long whole = whole(value);
    if (whole == null) throw wrong(where, "a whole number without quotes", value);
    Long least = schema.numberOrNull("minimum");
    Long most = schema.numberOrNull("maximum");
    boolean fits = (least == null || whole >= least) && (most == null || whole <= most);
    if (fits) return whole;
    throw Refusal.invalid(
        Phrase.of("%s lies between %d and %d, not %d", where, least, most, whole));
  }

  /** Some clients write 5 as 5.0. */
  private static @Nullable Long whole(Object value) {
    if (value instanceof Long number) return number;
    if (!(value instanceof BigDecimal decimal) || decimal.stripTrailingZeros().scale() > 0) {
      return null;
    }
    if (decimal.precision() - decimal.scale() > 19) return null; // too many digits to write out
    BigInteger whole = decimal.toBigIntegerExact();
    boolean fits = whole.compareTo(LONG_MIN) >= 0 && whole.compareTo(LONG_MAX) <= 0;
    return fits ? whole.longValueExact() : null;
  }

  private static Object list(String where, JsonObject schema, Object value) {
    if (!(value instanceof List<?> items)) throw wrong(where, "a list in brackets", value);
    if (items.size() > ITEMS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("%s has %d items; at most %d are taken", where, items.size(), ITEMS_MAX));
    }
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Object item = items.get(i);
      String place = Phrase.of("item %d of %s", i + 1, where);
      if (item == null) throw wrong(place, "a value", "null");
      kept.add(value(place, schema.object("items"), item));
    }
    return kept;
  }

  private static Refusal wrong(String where, String wanted, Object value) {
    return Refusal.invalid(Phrase.of("%s is %s, not %s", where, wanted, shown(value)));
  }

  private static String shown(Object value) {
    if (value instanceof String text) return "\"" + cut(text) + "\"";
    if (value instanceof List<?>) return "a list";
    if (value instanceof JsonObject) return "an object";
    return cut(value.toString());
  }

  private static String named(String where, String name) {
    return Phrase.of("\"%s\" of %s", name, where);
  }

  private static String cut(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
