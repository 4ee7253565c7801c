package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.Locale;

/** Sums of money and spans of time: exact, never negative, written as the files write them. */
public final class Amount {
  public static final BigDecimal MAX = new BigDecimal("1000000000");
  private static final int SCALE_MAX = 9;

  private Amount() {}

  /** One form for one value, so that equal amounts are equal. */
  public static BigDecimal of(String what, BigDecimal amount) {
    if (amount.signum() < 0) throw Refusal.invalid(what + " cannot be negative");
    if (amount.compareTo(MAX) > 0) {
      throw Refusal.invalid(Phrase.of("%s is at most %s", what, MAX.toPlainString()));
    }
    BigDecimal plain = amount.stripTrailingZeros();
    if (plain.scale() > SCALE_MAX) {
      throw Refusal.invalid(Phrase.of("%s has at most %d decimals", what, SCALE_MAX));
    }
    return plain.scale() < 0 ? plain.setScale(0) : plain;
  }

  public static BigDecimal dollars(String what, String typed) {
    String text = typed.strip();
    String digits = text.startsWith("$") ? text.substring(1) : text;
    return number(what, digits, typed, "an amount such as $0.50");
  }

  /** {@code 90}, {@code 90s}, {@code 90 seconds} and {@code 1.5 minutes} are the same. */
  public static BigDecimal seconds(String what, String typed) {
    String text = typed.strip().toLowerCase(Locale.ROOT);
    String digits =
        text.replaceFirst("\\s*(s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)$", "");
    BigDecimal number = number(what, digits, typed, "a time such as 90s or 300 seconds");
    String unit = text.substring(digits.length()).strip();
    int factor = unit.startsWith("m") ? 60 : unit.startsWith("h") ? 3600 : 1;
    return of(what, number.multiply(BigDecimal.valueOf(factor)));
  }

  private static BigDecimal number(String what, String digits, String typed, String wanted) {
    if (!digits.strip().matches("[0-9]{1,12}(\\.[0-9]{1,12})?")) {
      throw Refusal.invalid(
          Phrase.of("%s must be %s, not \"%s\"", what, wanted, Graphemes.cut(typed, 100)));
    }
    return of(what, new BigDecimal(digits.strip()));
  }

  /** With at least two decimals: {@code 0.50}. */
  public static String plain(BigDecimal amount) {
    return (amount.scale() < 2 ? amount.setScale(2) : amount).toPlainString();
  }
}
