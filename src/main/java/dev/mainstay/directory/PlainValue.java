package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a value is spelled on a line: as it is where that comes back exactly, else as JSON. Reading
 * what was written gives the same value, whatever the value holds.
 */
final class PlainValue {
  private PlainValue() {}

  /** What a raw text on one line says: the text itself, or what a JSON string holds. */
  static String text(String raw) {
    String trimmed = trim(raw);
    if (!trimmed.startsWith("\"")) return trimmed;
    JsonSource.Node node = JsonSource.parseOrNull(trimmed);
    return node != null && node.value() instanceof String text ? text : trimmed;
  }

  /** The line that says this text. */
  static String line(String text) {
    return !text.isEmpty() && isPrintable(text) && text(text).equals(text) ? text : quoted(text);
  }

  /** What a raw text says where any value may stand: JSON where it is JSON, else the text. */
  static Object any(String raw) {
    String trimmed = trim(raw);
    JsonSource.Node node = JsonSource.parseOrNull(trimmed);
    return node == null ? trimmed : Items.plain(node.value());
  }

  /** The line that says this value where any value may stand. */
  static String anyLine(Object value) {
    if (!(value instanceof String text)) return json(value);
    return !text.isEmpty() && isPrintable(text) && any(text).equals(text) ? text : quoted(text);
  }

  /** Whether the text may stand on lines of its own, each indented, and come back exactly. */
  static boolean isParagraphs(String text) {
    if (text.indexOf('\n') < 0) return false;
    String[] lines = text.split("\n", -1);
    if (trim(lines[0]).isEmpty() || trim(lines[lines.length - 1]).isEmpty()) return false;
    for (String line : lines) {
      if (!line.isEmpty() && (!isPrintable(line) || isBlank(line.charAt(line.length() - 1)))) {
        return false;
      }
    }
    return true;
  }

  /** Without blanks and tabs at both ends; other blanks of Unicode are part of a text. */
  static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) start++;
    while (end > start && isBlank(text.charAt(end - 1))) end--;
    return text.substring(start, end);
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** No line ends, no controls but the tab, nothing that UTF-8 cannot hold. */
  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (mustEscape(text, i) && text.charAt(i) != '\t') return false;
    }
    return true;
  }

  private static boolean mustEscape(String text, int i) {
    char c = text.charAt(i);
    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\uFEFF') return true;
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int known = "\"\\\n\r\t".indexOf(c);
      if (known >= 0) out.append('\\').append("\"\\nrt".charAt(known));
      else if (mustEscape(text, i)) out.append(Phrase.of("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }

  /** JSON on one line, with a blank after each comma and colon. */
  static String json(@Nullable Object value) {
    if (value instanceof String text) return quoted(text);
    if (value instanceof BigDecimal number) return number.toPlainString();
    if (value instanceof List<?> items) {
      StringJoiner out = new StringJoiner(", ", "[", "]");
      for (Object item : items) out.add(json(item));
      return out.toString();
    }
    if (value instanceof JsonObject object) {
      StringJoiner out = new StringJoiner(", ", "{", "}");
      for (Map.Entry<String, @Nullable Object> each : object.asMap().entrySet()) {
        out.add(quoted(each.getKey()) + ": " + json(each.getValue()));
      }
      return out.toString();
    }
    return String.valueOf(value);
  }
}
