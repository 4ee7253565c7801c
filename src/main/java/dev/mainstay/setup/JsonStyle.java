package dev.mainstay.setup;

import dev.mainstay.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a file is laid out, so that what is added looks as if its owner had written it. */
record JsonStyle(String newline, String unit, boolean oneLine) {
  private static final Pattern FIRST_INDENT = Pattern.compile("[{\\[]\\s*?\\r?\\n([ \\t]+)\\S");

  static JsonStyle of(String text) {
    Matcher first = FIRST_INDENT.matcher(text);
    String content = text.strip();
    return new JsonStyle(
        newline(text),
        first.find() ? first.group(1) : "  ",
        content.indexOf('\n') < 0 && content.length() > 2);
  }

  /** The line break a text has, or the usual one. */
  static String newline(String text) {
    int first = text.indexOf('\n');
    return first > 0 && text.charAt(first - 1) == '\r' ? "\r\n" : "\n";
  }

  /** The value over several lines, those after the first indented by at least {@code base}. */
  String write(@Nullable Object value, String base) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      String inner = base + unit;
      StringJoiner members = joiner("{", "}", base);
      map.forEach((name, item) -> members.add(inner + member(String.valueOf(name), item, inner)));
      return members.toString();
    }
    if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
      String inner = base + unit;
      StringJoiner items = joiner("[", "]", base);
      for (Object item : list) items.add(inner + write(item, inner));
      return items.toString();
    }
    return compact(value);
  }

  private StringJoiner joiner(String open, String close, String base) {
    return new StringJoiner("," + newline, open + newline, newline + base + close);
  }

  String member(String name, @Nullable Object value, String base) {
    return JsonText.write(name) + ": " + (oneLine ? compact(value) : write(value, base));
  }

  /** The value on one line, with the blanks that people put. */
  static String compact(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      StringJoiner members = new StringJoiner(", ", "{", "}");
      map.forEach((name, item) -> members.add(JsonText.write(name) + ": " + compact(item)));
      return members.toString();
    }
    if (value instanceof List<?> list) {
      StringJoiner items = new StringJoiner(", ", "[", "]");
      for (Object item : list) items.add(compact(item));
      return items.toString();
    }
    return JsonText.write(value);
  }
}
