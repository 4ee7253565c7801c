package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a task waits for before somebody can take it: others that are not done, open children, a
 * moment after a failed attempt, or room in a budget. Counted from other rows and the clock, so it
 * is no part of the journal.
 */
public record Waiting(
    int unmet, int openChildren, @Nullable Instant delayedUntil, boolean overBudget) {
  public static final Waiting NOTHING = new Waiting(0, 0, null, false);

  public Waiting {
    if (unmet < 0 || openChildren < 0) {
      throw new IllegalStateException(unmet + " unmet, " + openChildren + " open children");
    }
  }

  public boolean isNothing() {
    return unmet == 0 && openChildren == 0 && delayedUntil == null && !overBudget;
  }

  Waiting withUnmet(int count) {
    return new Waiting(count, openChildren, delayedUntil, overBudget);
  }

  Waiting until(@Nullable Instant moment) {
    return new Waiting(unmet, openChildren, moment, overBudget);
  }

  /** In words, for whoever asks why a task cannot be begun. */
  public String shown() {
    if (unmet > 0) return Phrase.of("waiting for %,d other task(s)", unmet);
    if (openChildren > 0) return Phrase.of("waiting for %,d open child(ren)", openChildren);
    if (delayedUntil != null) return "waiting until " + Times.write(delayedUntil);
    return overBudget ? "waiting for room in its budget" : "waiting for nothing";
  }
}
