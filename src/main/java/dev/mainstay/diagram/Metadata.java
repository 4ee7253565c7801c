package dev.mainstay.diagram;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an order in a file. What is plain is an attribute ({@code
 * mainstay:language="python"}); what no attribute can hold is a {@code mainstay:field} that says
 * what it is.
 */
final class Metadata {
  static final String FIELD = "field";

  /** Attributes that mean something else. */
  static final Set<String> TAKEN =
      Set.of(
          "type",
          "title",
          "description",
          "priority",
          "profile",
          "provider",
          "worktree",
          "answers",
          "result",
          "correlation",
          "content",
          "calls",
          "metadata");

  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,17}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

  private Metadata() {}

  /** What an attribute means: truth, a whole number, or a text. */
  static Object plain(String text) {
    if (text.equals("true") || text.equals("false")) return Boolean.valueOf(text);
    return WHOLE.matcher(text).matches() ? (Object) Long.valueOf(text) : text;
  }

  static JsonObject read(Tag node) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    node.own()
        .forEach(
            (name, value) -> {
              if (!TAKEN.contains(name)) fields.put(name, plain(value));
            });
    for (Tag each : node.ownExtensions(FIELD)) fields.put(name(each), value(each));
    return fields.isEmpty() ? JsonObject.EMPTY : JsonObject.copyOf(fields);
  }

  private static String name(Tag field) {
    return field.element().getAttribute("name");
  }

  private static @Nullable Object value(Tag field) {
    String text = field.text();
    return switch (field.element().getAttribute("is")) {
      case "flag" -> text.strip().equals("true");
      case "number" -> number(text.strip(), Long::valueOf);
      case "decimal" -> number(text.strip(), BigDecimal::new);
      case "nothing" -> null;
      case "list" -> {
        List<@Nullable Object> items = new ArrayList<>();
        for (Tag each : field.elements()) items.add(value(each));
        yield items;
      }
      case "object" -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (Tag each : field.elements()) fields.put(name(each), value(each));
        yield fields;
      }
      default -> text;
    };
  }

  /** What was written as a number and is none stays a text. */
  private static Object number(String text, Function<String, Object> parse) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException none) {
      return text;
    }
  }

  static void write(Pen node, JsonObject metadata) {
    metadata
        .asMap()
        .forEach(
            (name, value) -> {
              boolean free = NAME.matcher(name).matches() && !TAKEN.contains(name);
              if (free && value != null && plain(value.toString()).equals(value)) {
                node.own(name, value.toString());
              } else {
                write(node.extension(FIELD).set("name", name), value);
              }
            });
  }

  private static void write(Pen field, @Nullable Object value) {
    if (value == null) {
      field.set("is", "nothing");
    } else if (value instanceof JsonObject object) {
      field.set("is", "object");
      object.asMap().forEach((name, each) -> write(field.addOwn(FIELD).set("name", name), each));
    } else if (value instanceof List<?> items) {
      field.set("is", "list");
      for (Object each : items) write(field.addOwn(FIELD), each);
    } else {
      String is = "text";
      if (value instanceof Boolean) is = "flag";
      if (value instanceof Long) is = "number";
      if (value instanceof BigDecimal) is = "decimal";
      field.set("is", is).text(value.toString());
    }
  }
}
