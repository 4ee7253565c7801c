package dev.mainstay.directory;

import dev.mainstay.domain.Phrase;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A known field of a block: its name, what its value is, and whether its line stays there when it
 * is empty, as in the document's templates.
 */
record Field(String name, Kind kind, boolean always) {
  private static final int AMOUNT_CHARS_MAX = 60;
  private static final Pattern AMOUNT = Pattern.compile("(-?\\d+(?:\\.\\d+)?)[ \\t]*([a-z]*)");

  /** How a value is spelled. */
  enum Kind {
    /** Text on one line. */
    WORD,
    /** Text, perhaps on several lines. */
    TEXT,
    /** Text in double quotes. */
    QUOTED,
    NUMBER,
    /** Dollars, as {@code $0.10}. */
    MONEY,
    /** Dollars without their sign, as {@code 0.50}. */
    DECIMAL,
    /** As {@code 12s}. */
    SECONDS,
    /** As {@code 300 seconds}. */
    DURATION,
    LIST,
    /** A list of named values, each on a line below. */
    PARAMETERS
  }

  static Field of(String name, Kind kind) {
    return new Field(name, kind, true);
  }

  static Field extra(String name, Kind kind) {
    return new Field(name, kind, false);
  }

  static Field named(List<Field> fields, String name) {
    return fields.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  boolean takesLines() {
    return kind == Kind.TEXT || kind == Kind.PARAMETERS;
  }

  /** What the field's lines say; null if nothing. Says why when that cannot be. */
  @Nullable Object read(FieldLine line, List<String> more) throws Wrong {
    if (kind == Kind.TEXT) return text(line.rest(), more);
    String rest = line.rest();
    if (rest.isEmpty()) return null;
    return switch (kind) {
      case NUMBER -> whole(rest);
      case MONEY, DECIMAL -> amount(rest.startsWith("$") ? rest.substring(1) : rest, false);
      case SECONDS, DURATION -> amount(rest, true);
      case LIST -> list(rest);
      default -> PlainValue.text(rest);
    };
  }

  private static @Nullable Object text(String rest, List<String> more) {
    if (more.isEmpty()) return rest.isEmpty() ? null : PlainValue.text(rest);
    String lines = String.join("\n", more);
    if (!rest.isEmpty()) return rest + "\n" + lines;
    return more.size() == 1 ? PlainValue.text(lines) : lines;
  }

  private Object whole(String rest) throws Wrong {
    Object amount = amount(rest, false);
    if (amount instanceof Long) return amount;
    throw new Wrong(Phrase.of("%s must be a whole number, such as 3", name));
  }

  private Object amount(String rest, boolean time) throws Wrong {
    Matcher matcher = AMOUNT.matcher(rest);
    long factor = -1;
    if (rest.length() <= AMOUNT_CHARS_MAX && matcher.matches()) {
      factor = factor(String.valueOf(matcher.group(2)), time);
    }
    if (factor < 0) {
      String such = time ? "12s" : kind == Kind.MONEY ? "$0.10" : "3";
      throw new Wrong(Phrase.of("%s must be a number, such as %s", name, such));
    }
    return Items.number(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor)));
  }

  private static long factor(String unit, boolean time) {
    if (unit.isEmpty()) return 1;
    if (!time) return -1;
    return switch (unit) {
      case "s", "sec", "second", "seconds" -> 1;
      case "m", "min", "minute", "minutes" -> 60;
      case "h", "hour", "hours" -> 3600;
      default -> -1;
    };
  }

  private Object list(String rest) throws Wrong {
    JsonSource.Node node = JsonSource.parseOrNull(rest);
    if (node != null && node.value() instanceof List<?> list) return Items.plain(list);
    throw new Wrong(name + " must be a list in brackets, such as [\"Read\", \"Write\"]");
  }

  /** The lines that say this value; an absent one gives the bare name. */
  String write(@Nullable Object value, String ending) {
    String start = FieldLine.start(name);
    if (value == null) return start + ending;
    if (kind == Kind.TEXT && value instanceof String text && PlainValue.isParagraphs(text)) {
      StringBuilder out = new StringBuilder(start).append(ending);
      for (String each : text.split("\n", -1)) {
        out.append(each.isEmpty() ? "" : "  " + each).append(ending);
      }
      return out.toString();
    }
    return start + " " + spelled(value) + ending;
  }

  private String spelled(Object value) {
    if (value instanceof String text) {
      return kind == Kind.QUOTED ? PlainValue.quoted(text) : PlainValue.line(text);
    }
    if (!(value instanceof Number number)) return PlainValue.json(value);
    BigDecimal amount = new BigDecimal(number.toString());
    return switch (kind) {
      case MONEY -> "$" + cents(amount);
      case DECIMAL -> cents(amount);
      case SECONDS -> amount.toPlainString() + "s";
      case DURATION -> amount.toPlainString() + " seconds";
      default -> amount.toPlainString();
    };
  }

  private static String cents(BigDecimal amount) {
    return amount.setScale(Math.max(2, amount.scale())).toPlainString();
  }

  /** A value that the field cannot have. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    final String sentence;

    Wrong(String sentence) {
      super(sentence, null, false, false);
      this.sentence = sentence;
    }
  }
}
