package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value as JSON in one line without blanks, for a value that stands in the middle of a text. Here
 * and not in the room {@code json}, because the domain touches no library.
 */
public final class CompactJson {
  private static final int DECIMAL_SCALE_MAX = 1_000;

  private CompactJson() {}

  public static String of(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  private static void write(StringBuilder out, @Nullable Object value) {
    if (value instanceof JsonObject object) {
      String comma = "";
      out.append('{');
      for (Map.Entry<String, @Nullable Object> field : object.asMap().entrySet()) {
        out.append(comma);
        quote(out, field.getKey());
        out.append(':');
        write(out, field.getValue());
        comma = ",";
      }
      out.append('}');
    } else if (value instanceof Iterable<?> items) {
      String comma = "";
      out.append('[');
      for (Object item : items) {
        out.append(comma);
        write(out, item);
        comma = ",";
      }
      out.append(']');
    } else if (value instanceof BigDecimal number) {
      boolean plain = Math.abs(number.scale()) <= DECIMAL_SCALE_MAX;
      out.append(plain ? number.toPlainString() : number.toString());
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(out, value.toString());
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ') out.append(Phrase.of("\\u%04X", (int) c));
          else out.append(c);
        }
      }
    }
    out.append('"');
  }
}
