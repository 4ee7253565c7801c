package dev.mainstay.rules;

import dev.mainstay.rules.Expression.Question;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The expressions that nearly all are, asked without CEL: a variable or a field of one, the same
 * against one plain value, and one {@code &&} or {@code ||} between two such. To load CEL takes a
 * command up to a second. What is not exactly of these forms, or is wrong, is CEL's.
 */
final class PlainFormula {
  private static final String PATH = "[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*";
  private static final String VALUE =
      "-?[0-9]{1,15}(?:\\.[0-9]{1,15})?|\"[^\"\\\\\\p{Cntrl}]*\"|'[^'\\\\\\p{Cntrl}]*'|true|false|null";

  private static final Pattern TERM =
      Pattern.compile(
          " *(?:(?<not>!) *)?(?<path>"
              + PATH
              + ")"
              + "(?: *(?<sign>[=!<>]=|[<>]) *(?<value>"
              + VALUE
              + "))? *");

  /** Taken as a whole, so that what stands within a text joins nothing. */
  private static final String SIDE = "(?:[^&|\"']|\"[^\"]*\"|'[^']*')+";

  private static final Pattern BOTH =
      Pattern.compile("(?<left>" + SIDE + ")(?<sign>&&|\\|\\|)(?<right>" + SIDE + ")");

  /** Words that CEL keeps for itself, or that are values. */
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private PlainFormula() {}

  /** The question that the expression is; null if it takes CEL to tell what it is. */
  static @Nullable Question question(String text) {
    Question alone = term(text);
    if (alone != null) return alone;
    Matcher both = BOTH.matcher(text);
    if (!both.matches()) return null;
    Question left = term(both.group("left"));
    Question right = term(both.group("right"));
    if (left == null || right == null) return null;
    String sign = both.group("sign");
    return given -> connect(given, left, sign, right);
  }

  /** As CEL has it: one side that decides is enough, even if the other has no answer. */
  private static boolean connect(Given given, Question left, String sign, Question right) {
    boolean decisive = sign.equals("||");
    try {
      if (Values.flag(left.ask(given), sign) == decisive) return decisive;
    } catch (Unanswered unanswered) {
      if (isDecided(given, right, sign)) return decisive;
      throw unanswered;
    }
    return Values.flag(right.ask(given), sign);
  }

  private static boolean isDecided(Given given, Question side, String sign) {
    try {
      return Values.flag(side.ask(given), sign) == sign.equals("||");
    } catch (Unanswered unanswered) {
      return false;
    }
  }

  private static @Nullable Question term(String text) {
    Matcher form = TERM.matcher(text);
    if (!form.matches()) return null;
    List<String> path = List.of(form.group("path").split("\\."));
    if (path.stream().anyMatch(RESERVED::contains)) return null;
    String sign = form.group("sign");
    boolean not = form.group("not") != null;
    if (sign == null) {
      return not ? given -> !Values.flag(walk(given, path), "!") : given -> walk(given, path);
    }
    // "!a == b" is "(!a) == b", which hardly anybody means.
    if (not) return null;
    Object value = value(form.group("value"));
    boolean ordered = !sign.equals("==") && !sign.equals("!=");
    if (ordered && Values.isNull(value)) return null;
    return given -> compare(given, walk(given, path), sign, value);
  }

  private static Object value(String written) {
    char first = written.charAt(0);
    if (first == '"' || first == '\'') return written.substring(1, written.length() - 1);
    return switch (written) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> Values.NOTHING;
      default -> Double.valueOf(written);
    };
  }

  private static @Nullable Object walk(Given given, List<String> path) {
    String owner = path.get(0);
    Object value = given.variable(owner);
    for (String name : path.subList(1, path.size())) {
      value = Values.field(value, name, owner);
      owner += "." + name;
    }
    return value;
  }

  private static boolean compare(Given given, @Nullable Object one, String sign, Object other) {
    return switch (sign) {
      case "==" -> Values.equal(given, one, other);
      case "!=" -> !Values.equal(given, one, other);
      case "<" -> Values.compare(given, one, sign, other) < 0;
      case "<=" -> Values.compare(given, one, sign, other) <= 0;
      case ">" -> Values.compare(given, one, sign, other) > 0;
      case ">=" -> Values.compare(given, one, sign, other) >= 0;
      default -> throw new IllegalStateException(sign);
    };
  }
}
