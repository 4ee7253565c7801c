package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;

/**
 * How much of a screen is wanted.
 *
 * @param linesMax from its end; 0 for the visible part alone
 * @param escapes whether colours stay in it, as escape sequences
 */
public record Capture(int linesMax, boolean escapes) {
  public static final int LINES_MAX = 20_000;

  public Capture {
    if (linesMax < 0 || linesMax > LINES_MAX) {
      throw Refusal.invalid("between 1 and " + LINES_MAX + " lines of a terminal can be had");
    }
  }

  /** All that is kept. */
  public static Capture full() {
    return new Capture(LINES_MAX, false);
  }

  public static Capture last(int lines) {
    return new Capture(Math.max(1, lines), false);
  }

  /** What somebody who looks at it sees. */
  public static Capture visible() {
    return new Capture(0, false);
  }

  public Capture withEscapes() {
    return new Capture(linesMax, true);
  }
}
