package dev.mainstay.rules;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An expression over variables of any shape, written in CEL and checked before it is ever asked: it
 * is bounded in length, size, depth and rounds, and can be asked by many threads at once.
 *
 * <p>There are comparisons, arithmetic, {@code && || !}, {@code ? :}, {@code in}, lists, maps,
 * fields, items, {@code size}, {@code contains}, {@code startsWith}, {@code endsWith}, {@code
 * string}, {@code has}, and the loops {@code all}, {@code exists}, {@code exists_one}, {@code
 * filter} and {@code map}. Numbers are worked with as decimals of double precision, so {@code 2}
 * and {@code 2.0} are the same; beyond 2^53 they are as exact as those are, but a variable that is
 * only passed on stays what it is, and two whole variables are compared exactly.
 */
public final class Expression {
  public static final int EXPRESSION_CHARS_MAX = 1_000;

  /** Of all loops of an expression together, each time it is asked. */
  public static final int ROUNDS_MAX = 10_000;

  /** The same few conditions are asked whenever an execution comes by. */
  static final int COMPILED_MAX = 512;

  /** What came out, as JSON has it; or why nothing did. */
  public record Answer(@Nullable Object value, @Nullable String problem) {
    public boolean isTrue() {
      return Boolean.TRUE.equals(value);
    }
  }

  /** What was compiled. Behind an interface, so that whoever asks plain things loads no CEL. */
  @FunctionalInterface
  interface Question {
    @Nullable Object ask(Given given);
  }

  private static final Map<String, Expression> COMPILED =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Expression> eldest) {
          return size() > COMPILED_MAX;
        }
      };

  private final String text;
  private final Question question;

  private Expression(String text, Question question) {
    this.text = text;
    this.question = question;
  }

  /** The expression that the text says, or a refusal with the column of what is wrong. */
  public static Expression compile(String text) {
    synchronized (COMPILED) {
      Expression known = COMPILED.get(text);
      if (known != null) return known;
    }
    String line = line(text);
    // Outside the lock: two threads may compile the same, which is cheaper than waiting for others.
    Question question = PlainFormula.question(line);
    if (question == null) question = CelFormula.compile(line);
    Expression made = new Expression(text, question);
    synchronized (COMPILED) {
      COMPILED.put(text, made);
    }
    return made;
  }

  /** The text on one line, so that a column says where in it something is. */
  private static String line(String text) {
    if (text.length() > EXPRESSION_CHARS_MAX) {
      throw Refusal.invalid(
          Phrase.of(
              "an expression has at most %d characters, and this one has %d; make it simpler",
              EXPRESSION_CHARS_MAX, text.length()));
    }
    if (text.isBlank()) {
      throw Refusal.invalid("the expression is empty; write one such as count > 2");
    }
    if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) return text;
    if (text.contains("//")) {
      throw Refusal.invalid("an expression with // in it stands on one line; join its lines");
    }
    return text.replace('\n', ' ').replace('\r', ' ');
  }

  /** What comes out for these variables. It never throws: what goes wrong is the answer. */
  public Answer ask(JsonObject variables) {
    return answer(question, variables);
  }

  static Answer answer(Question question, JsonObject variables) {
    try {
      Given given = new Given(variables);
      return new Answer(Values.json(given, question.ask(given)), null);
    } catch (Unanswered unanswered) {
      return new Answer(null, unanswered.sentence());
    } catch (Refusal refusal) {
      return new Answer(null, refusal.sentence());
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
