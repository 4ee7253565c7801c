package dev.mainstay.domain;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a flow, in which {@code [[name]]} stands for a value. A value is not searched for
 * names again. Two brackets that mean nothing are written {@code \[[}, and others are refused, so
 * that no mistyped name is ever sent to an agent.
 */
public final class FlowBody {
  public static final int NAME_CHARS_MAX = 64;

  private static final String LETTERS = "[A-Za-z_][A-Za-z0-9_.-]{0," + (NAME_CHARS_MAX - 1) + "}";
  private static final Pattern NAME = Pattern.compile(LETTERS);
  private static final Pattern PLACE =
      Pattern.compile("(?<escape>\\\\\\[\\[)|\\[\\[(?:[ \\t]*(?<name>" + LETTERS + ")[ \\t]*]])?");

  private FlowBody() {}

  /** A name that a variable can have. */
  public static String name(String typed) {
    if (NAME.matcher(typed).matches()) return typed;
    throw Refusal.invalid(
        Phrase.of(
            "a variable's name has letters, digits, _, . and -, at most %d, and begins with a letter or _; \"%s\" does not",
            NAME_CHARS_MAX, Graphemes.cut(typed, NAME_CHARS_MAX)));
  }

  /** The names that stand in a text, in their order; brackets that name nothing are refused. */
  public static Set<String> names(String body) {
    Set<String> names = new LinkedHashSet<>();
    each(
        body,
        name -> {
          names.add(name);
          return "";
        });
    return names;
  }

  /** The text with its values; one that is missing, or null, is refused by its name. */
  public static String fill(String body, JsonObject values) {
    return each(body, name -> text(name, values.get(name)));
  }

  private static String text(String name, @Nullable Object value) {
    if (value == null) {
      throw Refusal.invalid(
          Phrase.of(
              "the variable \"%s\" has no value; let the script give it in \"output\", or put it under \"variables\"",
              name));
    }
    return value instanceof String text ? text : CompactJson.of(value);
  }

  private static String each(String body, UnaryOperator<String> value) {
    StringBuilder filled = new StringBuilder();
    Matcher place = PLACE.matcher(body);
    int from = 0;
    while (place.find()) {
      filled.append(body, from, place.start());
      if (place.group("escape") != null) filled.append("[[");
      else filled.append(value.apply(named(body, place)));
      from = place.end();
    }
    return filled.append(body, from, body.length()).toString();
  }

  private static String named(String body, Matcher place) {
    String name = place.group("name");
    if (name != null) return name;
    long line = body.substring(0, place.start()).chars().filter(c -> c == '\n').count() + 1;
    throw Refusal.invalid(
        Phrase.of(
            "line %d of the text has [[ without a name and ]] behind it; write [[name]], or \\[[ for two brackets",
            line));
  }
}
