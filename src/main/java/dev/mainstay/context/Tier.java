package dev.mainstay.context;

/**
 * What is done above which pressure, from the mildest up. Each tier works on the oldest first and
 * stops at {@link #TARGET}; the next one follows only if the pressure demands it.
 */
public enum Tier {
  /** Messages larger than a share of the window keep their head and tail. */
  SNIP(0.70, Integer.MAX_VALUE),
  /** Large tool results become short excerpts. */
  MICRO(0.80, Integer.MAX_VALUE),
  /** Older units are archived whole; a good many of the newest stay. */
  COLLAPSE(0.90, 8),
  /** As before, but only the last exchange stays. */
  AUTO(0.95, 2),
  /** A new context for the same task: a handover in place of the history. */
  RENEW(0.98, 0);

  /** The pressure that a compression aims at. */
  public static final double TARGET = 0.65;

  public static final int SNIP_WINDOW_PERCENT = 5;
  public static final int SNIP_TOKENS_MIN = 64;
  public static final int MICRO_TOKENS_MIN = 200;
  public static final int MICRO_EXCERPT_TOKENS_MAX = 100;

  private final double above;
  private final int unitsKept;

  Tier(double above, int unitsKept) {
    this.above = above;
    this.unitsKept = unitsKept;
  }

  /** The pressure above which it may be used. */
  public double above() {
    return above;
  }

  /** How many of the newest units it leaves alone. */
  public int unitsKept() {
    return unitsKept;
  }
}
