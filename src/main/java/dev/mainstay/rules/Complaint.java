package dev.mainstay.rules;

import dev.cel.common.CelIssue;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What is wrong with a condition, in one sentence with its column, without CEL's own words. */
final class Complaint {
  private static final Pattern UNREADABLE = Pattern.compile("token recognition error at: '(.*)'");
  private static final Pattern UNEXPECTED =
      Pattern.compile(
          "(?:mismatched input|extraneous input|no viable alternative at input) '(.*?)'.*");
  private static final Pattern MISSING = Pattern.compile("missing '(.)' at .*");
  private static final Pattern MISTYPED =
      Pattern.compile("found no matching overload for '(.+?)' applied to '(.*?)\\((.*?)\\)'.*");

  private static final Map<String, String> SAID_OTHERWISE =
      Map.of("and", "&&", "or", "||", "is", "==", "not", "!", "AND", "&&", "OR", "||");
  private static final Map<String, String> TYPES =
      Map.of(
          "double", Figure.NUMBER.words(),
          "string", Figure.TEXT.words(),
          "bool", Figure.FLAG.words(),
          "null", "null",
          "bytes", "bytes");
  private static final Set<String> FUNCTIONS = Set.of("contains", "startsWith", "endsWith");

  private final Collection<String> figures;

  Complaint(Collection<String> figures) {
    this.figures = figures;
  }

  /** For an expression that could not be parsed. */
  Refusal unreadable(CelIssue issue, String expression) {
    String message = issue.getMessage();
    int column = issue.getSourceLocation().getColumn() + 1;
    if (message.contains("recursion limit")) {
      return Refusal.invalid(
          Phrase.of(
              "the condition goes deeper than %d levels of brackets or signs; make it simpler",
              CelExpression.NESTING_MAX));
    }
    if (message.contains("node count") || message.contains("node limit")) {
      return Refusal.invalid(
          Phrase.of(
              "the condition has more than %d parts; split it into several rules",
              CelExpression.NODES_MAX));
    }
    if (message.startsWith("reserved identifier: ")) {
      return at(column, Phrase.of("\"%s\" is a reserved word", message.substring(21)));
    }
    if (message.contains("For input string")) {
      return at(column, "the number is too large");
    }
    Matcher unreadable = UNREADABLE.matcher(message);
    if (unreadable.matches()) return unreadable(unreadable.group(1), column);
    Matcher missing = MISSING.matcher(message);
    if (missing.matches()) return at(column, Phrase.of("\"%s\" is missing", missing.group(1)));
    Matcher unexpected = UNEXPECTED.matcher(message);
    if (unexpected.matches()) return unexpected(unexpected.group(1), column, expression);
    return at(column, firstWords(message));
  }

  private static Refusal unreadable(String token, int column) {
    if (token.startsWith("\"") || token.startsWith("'")) {
      return at(column, "the text that begins here has no closing quote");
    }
    if (token.strip().equals("=")) return at(column, "\"=\" compares nothing; write ==");
    return at(column, Phrase.of("\"%s\" is not understood", token.strip()));
  }

  private static Refusal unexpected(String token, int column, String expression) {
    if (token.equals("<EOF>")) {
      return at(expression.length() + 1, "the condition ends where something must follow");
    }
    String better = SAID_OTHERWISE.get(token);
    return at(
        column,
        Phrase.of("\"%s\" is not expected there", token)
            + (better == null ? "" : "; write " + better));
  }

  /** Refuses what CEL has and a condition has not, before CEL says so in more words. */
  void refuseUnknownName(CelMutableExpr node, Map<Long, Integer> offsets) {
    int column = column(node.id(), offsets);
    switch (node.getKind()) {
      case IDENT -> refuseUnknownFigure(node.ident().name(), column);
      case SELECT, MAP, STRUCT, COMPREHENSION ->
          throw at(
              column,
              "there are no fields, maps or loops; write figures, numbers, texts and lists");
      case CALL, CONSTANT, LIST, NOT_SET -> {}
    }
  }

  private static int column(long node, Map<Long, Integer> offsets) {
    return offsets.getOrDefault(node, 0) + 1;
  }

  private void refuseUnknownFigure(String name, int column) {
    if (figures.contains(name)) return;
    throw at(
        column,
        Phrase.of("\"%s\" is no figure", name)
            + (figures.isEmpty() ? "" : Phrase.of("; %s", Nearest.guess(name, figures))));
  }

  /** Asked first: the name that a loop declares is no figure, but the loop is what is wrong. */
  void refuseUnknownFunction(CelMutableExpr node, Map<Long, Integer> offsets) {
    if (node.getKind() != Kind.CALL) return;
    String name = node.call().function();
    int column = column(node.id(), offsets);
    if (name.equals(Operator.INDEX.getFunction())) {
      throw at(column, "items cannot be picked out of a list; ask with in");
    }
    if (Operator.findReverse(name).isPresent() || FUNCTIONS.contains(name)) return;
    throw at(
        column,
        Phrase.of("\"%s\" is no function; there are contains, startsWith and endsWith", name));
  }

  /** For an expression whose parts do not fit together. */
  Refusal mistyped(CelIssue issue, Map<Long, Integer> offsets) {
    int column = column(issue.getExprId(), offsets);
    Matcher mistyped = MISTYPED.matcher(issue.getMessage());
    if (!mistyped.matches()) return at(column, firstWords(issue.getMessage()));
    String function = mistyped.group(1);
    String target = mistyped.group(2).replaceFirst("\\.$", "");
    String operands = (target.isEmpty() ? "" : target + ", ") + mistyped.group(3);
    String symbol =
        Operator.findReverse(function).isPresent()
            ? function.replace("_", " ").replace("@", "").strip()
            : function;
    return at(column, Phrase.of("\"%s\" cannot be used with %s", symbol, words(operands)));
  }

  private static String words(String types) {
    return Arrays.stream(types.split(", ?"))
        .filter(type -> !type.isEmpty())
        .map(type -> TYPES.getOrDefault(type, type.startsWith("list") ? "a list" : type))
        .collect(Collectors.joining(" and "));
  }

  Refusal noAnswer(String type) {
    return Refusal.invalid(
        Phrase.of(
            "the condition gives %s; it must come out true or false, as cost > 0.5 does",
            TYPES.getOrDefault(type, "a " + type)));
  }

  private static String firstWords(String message) {
    return message.lines().findFirst().orElse("it is not understood");
  }

  private static Refusal at(int column, String what) {
    return Refusal.invalid(Phrase.of("column %d of the condition: %s", column, what));
  }
}
