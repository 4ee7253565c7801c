package dev.mainstay.rules;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An expression over variables of any shape, written in CEL and checked before it is ever asked: it
 * is bounded in length, size, depth and rounds, and can be asked by many threads at once.
 */
public final class Expression {
  /** What came out, as JSON has it; or why nothing did. */
  public record Answer(@Nullable Object value, @Nullable String problem) {
    public boolean isTrue() {
      return Boolean.TRUE.equals(value);
    }
  }

  private Expression() {}

  /** The expression that the text says, or a refusal with the column of what is wrong. */
  public static Expression compile(String text) {
    throw new UnsupportedOperationException("being written: " + text);
  }

  public Answer ask(JsonObject variables) {
    throw new UnsupportedOperationException("being written: " + variables);
  }
}
