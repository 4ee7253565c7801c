package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a task and everything below it may cost, what was spent, and what is promised to those who
 * work on it now.
 */
public record Budget(TaskId task, Amounts max, Totals spent, Totals reserved) {

  /** Sums; what was not said counts as nothing. */
  public record Totals(long tokens, long costMicros, long seconds) {
    public static final Totals NONE = new Totals(0, 0, 0);

    public static Totals of(Amounts amounts) {
      return new Totals(
          orZero(amounts.tokens()), orZero(amounts.costMicros()), orZero(amounts.seconds()));
    }

    private static long orZero(@Nullable Long amount) {
      return amount == null ? 0 : amount;
    }

    public Totals plus(Totals other) {
      return new Totals(
          Math.addExact(tokens, other.tokens),
          Math.addExact(costMicros, other.costMicros),
          Math.addExact(seconds, other.seconds));
    }

    /** Never less than nothing. */
    public Totals minus(Totals other) {
      return new Totals(
          Math.max(0, tokens - other.tokens),
          Math.max(0, costMicros - other.costMicros),
          Math.max(0, seconds - other.seconds));
    }

    public boolean isNothing() {
      return equals(NONE);
    }
  }

  /**
   * What to put aside for an attempt, or nothing when it does not fit any more. An attempt that
   * says nothing about what it costs gets all that is left, so that the limit holds whatever it
   * does.
   */
  public Optional<Totals> toReserve(Amounts estimate) {
    Long tokens = part(max.tokens(), spent.tokens() + reserved.tokens(), estimate.tokens());
    Long cost =
        part(max.costMicros(), spent.costMicros() + reserved.costMicros(), estimate.costMicros());
    Long seconds = part(max.seconds(), spent.seconds() + reserved.seconds(), estimate.seconds());
    if (tokens == null || cost == null || seconds == null) return Optional.empty();
    return Optional.of(new Totals(tokens, cost, seconds));
  }

  private static @Nullable Long part(@Nullable Long max, long taken, @Nullable Long wanted) {
    if (max == null) return 0L;
    long left = max - taken;
    if (left <= 0) return wanted != null && wanted == 0 ? 0L : null;
    if (wanted == null) return left;
    return wanted <= left ? wanted : null;
  }

  /** Whether so much was spent that nothing more may be. */
  public boolean isUsedUp() {
    return over(max.tokens(), spent.tokens())
        || over(max.costMicros(), spent.costMicros())
        || over(max.seconds(), spent.seconds());
  }

  private static boolean over(@Nullable Long max, long spent) {
    return max != null && spent > max;
  }

  public JsonObject toJson() {
    return JsonObject.of("task_id", task.value())
        .with("max", max.toJson())
        .with("spent", json(spent))
        .with("reserved", json(reserved));
  }

  private static JsonObject json(Totals totals) {
    // Sums may pass what one amount may be.
    return JsonObject.of("tokens", totals.tokens(), "seconds", totals.seconds())
        .with(
            "cost", Amount.plain(BigDecimal.valueOf(totals.costMicros(), 6).stripTrailingZeros()));
  }
}
