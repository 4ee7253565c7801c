package dev.mainstay.rules;

import dev.mainstay.rules.Condition.Outcome;
import dev.mainstay.rules.Condition.Question;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that nearly all rules are, one figure against one value, asked without CEL: to
 * load CEL takes a command a quarter of a second or more, and the rules that every execution begins
 * with need none of it. What is not exactly of this form, or is wrong, is CEL's.
 */
final class PlainComparison {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?<figure>[a-z_]+)\\s*(?<sign>[=!<>]=|[<>])\\s*"
              + "(?:(?<number>[0-9]{1,15}(?:\\.[0-9]{1,15})?)(?:\\s*\\*\\s*(?<factor>[a-z_]+))?"
              + "|\"(?<text>[A-Za-z0-9_ -]*)\")\\s*");

  private PlainComparison() {}

  /** The comparison that the expression is; null if it takes CEL to tell what it is. */
  static @Nullable Question question(String expression, Map<String, Figure> figures) {
    Matcher form = FORM.matcher(expression);
    if (!form.matches()) return null;
    String figure = form.group("figure");
    String sign = form.group("sign");
    String text = form.group("text");
    if (text != null) {
      boolean compared = sign.equals("==") || sign.equals("!=");
      if (!compared || figures.get(figure) != Figure.TEXT) return null;
      return values -> answer(text.equals(values.get(figure)) == sign.equals("=="));
    }
    String factor = form.group("factor");
    boolean numbers =
        figures.get(figure) == Figure.NUMBER
            && (factor == null || figures.get(factor) == Figure.NUMBER);
    if (!numbers) return null;
    double number = Double.parseDouble(form.group("number"));
    return values -> {
      double limit = factor == null ? number : number * number(values, factor);
      return answer(compare(number(values, figure), sign, limit));
    };
  }

  private static double number(Map<String, Object> values, String figure) {
    return values.get(figure) instanceof Double number ? number : Double.NaN;
  }

  private static boolean compare(double left, String sign, double right) {
    return switch (sign) {
      case "==" -> left == right;
      case "!=" -> left != right;
      case ">=" -> left >= right;
      case "<=" -> left <= right;
      case ">" -> left > right;
      case "<" -> left < right;
      default -> throw new IllegalStateException(sign);
    };
  }

  private static Outcome answer(boolean holds) {
    return new Outcome(holds, null);
  }
}
