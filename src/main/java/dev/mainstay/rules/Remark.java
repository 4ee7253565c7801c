package dev.mainstay.rules;

import dev.cel.common.CelIssue;
import dev.cel.common.Operator;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What is wrong with an expression, in one sentence with its column. */
final class Remark {
  private static final Pattern MISTYPED =
      Pattern.compile("found no matching overload for '(.+?)' applied to '(.*?)\\((.*)\\)'.*");
  private static final Map<String, String> TYPES =
      Map.of(
          "double", Figure.NUMBER.words(),
          "string", Figure.TEXT.words(),
          "bool", Figure.FLAG.words(),
          "null", "null",
          "dyn", "a variable");

  private final String text;

  Remark(String text) {
    this.text = text;
  }

  /**
   * For an expression that could not be parsed; what can be wrong is the same as in a condition.
   */
  Refusal unreadable(CelIssue issue) {
    Refusal refusal = new Complaint(Set.of()).unreadable(issue, text);
    return Refusal.invalid(
        refusal
            .sentence()
            .replaceFirst("of the condition:", "of the expression:")
            .replaceFirst("^the condition", "the expression")
            .replaceFirst(": the condition ends", ": the expression ends")
            .replaceFirst("; split it into several rules$", "; make it simpler"));
  }

  /** For an expression whose parts do not fit together. */
  Refusal mistyped(CelIssue issue, Map<Long, Integer> offsets) {
    int column = offsets.getOrDefault(issue.getExprId(), 0) + 1;
    String message = issue.getMessage().lines().findFirst().orElse("it is not understood");
    Matcher mistyped = MISTYPED.matcher(message);
    if (!mistyped.matches()) return at(column, message);
    String function = mistyped.group(1);
    String target = mistyped.group(2).replaceFirst("\\.$", "");
    List<String> operands = new ArrayList<>();
    if (!target.isEmpty()) operands.add(target);
    // What is within brackets tells what a list is made of, and has commas of its own.
    String outer = mistyped.group(3);
    for (String next = ""; !next.equals(outer); outer = outer.replaceAll("\\([^()]*\\)", "")) {
      next = outer;
    }
    for (String operand : outer.split(", ?")) if (!operand.isEmpty()) operands.add(operand);
    String sign =
        Operator.findReverse(function).isPresent()
            ? function.replace("_", " ").replace("@", "").strip().replaceAll("\\s+", " ")
            : function;
    String words = operands.stream().map(Remark::words).collect(Collectors.joining(" and "));
    return at(column, Phrase.of("\"%s\" cannot be used with %s", sign, words));
  }

  private static String words(String type) {
    if (type.startsWith("list")) return "a list";
    if (type.startsWith("map")) return "a map";
    return TYPES.getOrDefault(type, type);
  }

  Refusal at(int column, String what) {
    return Refusal.invalid(Phrase.of("column %d of the expression: %s", column, what));
  }
}
