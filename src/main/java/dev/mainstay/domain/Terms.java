package dev.mainstay.domain;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * On what terms a task is done: how often it is tried, how long one attempt may take, what it and
 * everything below it may cost together, and what one attempt is expected to cost. Times are kept
 * in whole seconds.
 */
public record Terms(Retry retry, @Nullable Duration timeout, Amounts budget, Amounts estimate) {
  public static final int ATTEMPTS_MAX = 1_000;
  public static final Duration BACKOFF_MAX = Duration.ofDays(1);
  public static final Duration TIMEOUT_MAX = Duration.ofDays(30);

  /** Holders that vanish without a word are so many; then the task has failed. */
  public static final int LOST_ATTEMPTS_MAX = 5;

  private static final List<String> FIELDS =
      List.of("max_attempts", "backoff_seconds", "timeout_seconds", "budget", "estimate");

  public static final Terms NONE =
      new Terms(new Retry(null, Duration.ZERO), null, Amounts.NONE, Amounts.NONE);

  public Terms {
    if (timeout != null) timeout = timeout.truncatedTo(ChronoUnit.SECONDS);
    if (timeout != null
        && (timeout.isNegative() || timeout.isZero() || timeout.compareTo(TIMEOUT_MAX) > 0)) {
      throw Refusal.invalid("the timeout of an attempt lies between 1 second and 30 days");
    }
  }

  /**
   * How often a task is tried. Without a number, a holder that fails it ends it, and one that
   * vanishes does not; with a number both are followed by another attempt until there were so many.
   * The pause doubles from one attempt to the next.
   */
  public record Retry(@Nullable Integer attempts, Duration backoff) {
    public Retry {
      if (attempts != null && (attempts < 1 || attempts > ATTEMPTS_MAX)) {
        throw Refusal.invalid(
            Phrase.of("a task is tried between 1 and %,d times, not %,d", ATTEMPTS_MAX, attempts));
      }
      if (backoff.isNegative() || backoff.compareTo(BACKOFF_MAX) > 0) {
        throw Refusal.invalid("the pause before another attempt is at most 1 day");
      }
      backoff = backoff.truncatedTo(ChronoUnit.SECONDS);
    }

    public boolean againAfterFailure(int tried) {
      return attempts != null && tried < attempts;
    }

    public boolean againAfterLoss(int tried) {
      return tried < (attempts == null ? LOST_ATTEMPTS_MAX : attempts);
    }

    /** How long to wait after so many attempts. */
    public Duration pause(int tried) {
      if (backoff.isZero()) return backoff;
      int doublings = Math.min(Math.max(tried - 1, 0), 20);
      Duration pause = backoff.multipliedBy(1L << doublings);
      return pause.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : pause;
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /** Only what was said. */
  public JsonObject toJson() {
    return JsonObject.EMPTY
        .with("max_attempts", retry.attempts())
        .with("backoff_seconds", retry.backoff().isZero() ? null : retry.backoff().toSeconds())
        .with("timeout_seconds", timeout == null ? null : timeout.toSeconds())
        .with("budget", budget.isEmpty() ? null : budget.toJson())
        .with("estimate", estimate.isEmpty() ? null : estimate.toJson());
  }

  public static Terms fromJson(JsonObject json) {
    if (json.isEmpty()) return NONE;
    for (String field : json.asMap().keySet()) {
      if (!FIELDS.contains(field)) {
        throw Refusal.invalid(
            Phrase.of("terms have no field \"%s\"; %s", field, Nearest.guess(field, FIELDS)));
      }
    }
    Integer attempts = json.integerOrNull("max_attempts");
    Long backoff = json.numberOrNull("backoff_seconds");
    Long timeout = json.numberOrNull("timeout_seconds");
    return new Terms(
        new Retry(attempts, backoff == null ? Duration.ZERO : Duration.ofSeconds(backoff)),
        timeout == null ? null : Duration.ofSeconds(timeout),
        Amounts.fromJson(json.object("budget")),
        Amounts.fromJson(json.object("estimate")));
  }
}
