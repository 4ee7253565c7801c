package dev.mainstay.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * So many tokens, so much money, so much time: a limit, an estimate or what was spent. What is null
 * is not said. Money is counted in millionths of a dollar, so that sums are exact.
 */
public record Amounts(@Nullable Long tokens, @Nullable Long costMicros, @Nullable Long seconds) {
  public static final long AMOUNT_MAX = 1_000_000_000_000_000L;
  public static final Amounts NONE = new Amounts(null, null, null);
  private static final int MICROS_DIGITS = 6;

  public Amounts {
    check("tokens", tokens);
    check("cost", costMicros);
    check("seconds", seconds);
  }

  private static void check(String what, @Nullable Long amount) {
    if (amount != null && (amount < 0 || amount > AMOUNT_MAX)) {
      throw Refusal.invalid(
          Phrase.of("%s lie between 0 and %,d, not at %,d", what, AMOUNT_MAX, amount));
    }
  }

  /** The amounts by name; cost in dollars. */
  public static Amounts fromJson(JsonObject json) {
    Object cost = json.get("cost");
    return new Amounts(
        json.numberOrNull("tokens"),
        cost == null ? null : micros(String.valueOf(cost)),
        json.numberOrNull("seconds"));
  }

  /** Dollars as millionths; what is finer is rounded up, so that nothing costs less than it did. */
  public static long micros(String dollars) {
    return Amount.dollars("a cost", dollars)
        .movePointRight(MICROS_DIGITS)
        .setScale(0, RoundingMode.CEILING)
        .longValueExact();
  }

  public JsonObject toJson() {
    return JsonObject.EMPTY
        .with("tokens", tokens)
        .with("cost", costMicros == null ? null : dollars(costMicros))
        .with("seconds", seconds);
  }

  /** Millionths as dollars, in a text without exponent. */
  public static String dollars(long micros) {
    return Amount.plain(
        Amount.of("a cost", BigDecimal.valueOf(micros).movePointLeft(MICROS_DIGITS)));
  }

  public boolean isEmpty() {
    return tokens == null && costMicros == null && seconds == null;
  }

  /** These, and where they say nothing, the others. */
  public Amounts or(Amounts others) {
    return new Amounts(
        tokens == null ? others.tokens : tokens,
        costMicros == null ? others.costMicros : costMicros,
        seconds == null ? others.seconds : seconds);
  }
}
