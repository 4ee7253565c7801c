package dev.mainstay;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Holds a property for many random cases. A failing case names its seed; {@code -Dseed=N} runs that
 * case alone, {@code -Dcases.times=N} runs N times as many as each build does, and {@code
 * -Dcases.most=N} no more than so many of each property, for whoever runs all of them thousands of
 * times.
 */
public final class Seeds {
  private Seeds() {}

  /** What must hold, whatever the random source gives. */
  @FunctionalInterface
  public interface Property {
    void holds(Random random) throws Exception;
  }

  public static void forAll(int cases, Property property) {
    Long replayed = Long.getLong("seed");
    if (replayed != null) {
      check(replayed, property);
      return;
    }
    for (long seed = 1; seed <= atMost(cases); seed++) check(seed, property);
  }

  /** Whether every case of each property is run, so that together they must have met everything. */
  public static boolean areAll() {
    return Long.getLong("seed") == null && Integer.getInteger("cases.most") == null;
  }

  /** So many cases, as often as is asked for, or as many as are allowed. */
  public static int atMost(int cases) {
    int all = Math.multiplyExact(cases, Integer.getInteger("cases.times", 1));
    return Math.min(all, Integer.getInteger("cases.most", all));
  }

  private static void check(long seed, Property property) {
    try {
      // Neighbouring seeds begin alike in java.util.Random, so they are spread first.
      property.holds(new Random(new SplittableRandom(seed).nextLong()));
    } catch (Exception | AssertionError failure) {
      throw new AssertionError(
          "seed " + seed + " (replay with -Dseed=" + seed + "): " + failure, failure);
    }
  }
}
