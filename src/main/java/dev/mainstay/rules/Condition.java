package dev.mainstay.rules;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question about figures, written in CEL and checked against them before it is ever asked. It is
 * bounded in length, size and depth, has no loops, and can be asked by many threads at once.
 *
 * <p>All numbers are decimals, so {@code 2} and {@code 2.0} are the same wherever they stand. There
 * are comparisons, arithmetic, {@code && || !}, {@code ? :}, {@code in} over lists, and {@code
 * contains}, {@code startsWith} and {@code endsWith} of texts; nothing else of CEL is there.
 */
public final class Condition {
  public static final int EXPRESSION_CHARS_MAX = 1_000;

  /** The same few rules are asked after every event. */
  static final int COMPILED_MAX = 256;

  /** How it came out; a condition that could not be worked out does not hold, and says why. */
  public record Outcome(boolean holds, @Nullable String problem) {}

  /** What was compiled. Behind an interface, so that whoever has no rules never loads CEL. */
  @FunctionalInterface
  interface Question {
    Outcome ask(Map<String, Object> values);
  }

  /** By expression and figures; a list, since a record's first hash costs a command 10 ms. */
  private static final Map<List<Object>, Condition> COMPILED =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Object>, Condition> eldest) {
          return size() > COMPILED_MAX;
        }
      };

  private final String expression;
  private final Map<String, Figure> figures;
  private final Question question;

  private Condition(String expression, Map<String, Figure> figures, Question question) {
    this.expression = expression;
    this.figures = figures;
    this.question = question;
  }

  /** The condition that the expression says, or a refusal with the column of what is wrong. */
  public static Condition compile(String expression, Map<String, Figure> figures) {
    if (expression.length() > EXPRESSION_CHARS_MAX) {
      throw Refusal.invalid(
          Phrase.of(
              "a condition has at most %d characters, and this one has %d; split it into several rules",
              EXPRESSION_CHARS_MAX, expression.length()));
    }
    if (expression.isBlank()) {
      throw Refusal.invalid("the condition is empty; write one such as cost > 0.5");
    }
    if (expression.indexOf('\n') >= 0 || expression.indexOf('\r') >= 0) {
      throw Refusal.invalid("a condition stands on one line; take the line breaks out");
    }
    Map<String, Figure> declared = Map.copyOf(figures);
    List<Object> key = List.of(expression, declared);
    synchronized (COMPILED) {
      Condition known = COMPILED.get(key);
      if (known != null) return known;
    }
    // Outside the lock: two threads may compile the same, which is cheaper than waiting for others.
    Question question = PlainComparison.question(expression, declared);
    if (question == null) question = CelExpression.compile(expression, declared);
    Condition made = new Condition(expression, declared, question);
    synchronized (COMPILED) {
      COMPILED.put(key, made);
    }
    return made;
  }

  public String expression() {
    return expression;
  }

  /** Whether it holds for these values. Every declared figure must have one of its kind. */
  public Outcome ask(Map<String, ?> values) {
    Map<String, Object> given = new HashMap<>();
    figures.forEach((name, figure) -> given.put(name, value(name, figure, values.get(name))));
    return question.ask(given);
  }

  /** The same without the reason: what could not be worked out does not hold. */
  public boolean holds(Map<String, ?> values) {
    return ask(values).holds();
  }

  private static Object value(String name, Figure figure, @Nullable Object value) {
    Object fit =
        switch (figure) {
          case NUMBER -> value instanceof Number number ? number.doubleValue() : null;
          case TEXT -> value instanceof String ? value : null;
          case FLAG -> value instanceof Boolean ? value : null;
        };
    if (fit == null) {
      throw new IllegalArgumentException(name + " is " + value + " and not " + figure.words());
    }
    return fit;
  }

  @Override
  public String toString() {
    return expression;
  }
}
