package dev.mainstay.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about an agent at one moment: its process, what it last said by itself, its screen,
 * and what of ours it has not answered yet.
 */
public record Sighting(
    Process process, @Nullable Signal signal, Screen screen, @Nullable Mark mark) {

  /** Whether the program runs; if not, how it ended, where that is known. */
  public record Process(boolean alive, @Nullable Integer exit) {
    public static final Process ALIVE = new Process(true, null);

    public static Process ended(@Nullable Integer exit) {
      return new Process(false, exit);
    }
  }

  /** What an agent said by a hook or a call of a tool, and when. */
  public record Signal(Kind kind, Instant at) {
    public enum Kind {
      WORKING,
      ASKING,
      FINISHED
    }
  }

  /** Its last lines, without escape sequences; since when they are so, and when they were read. */
  public record Screen(List<String> lines, Instant unchangedSince, Instant readAt) {
    public static final int LINES_MAX = 200;

    public Screen {
      int from = Math.max(0, lines.size() - LINES_MAX);
      lines = lines.subList(from, lines.size()).stream().map(String::stripTrailing).toList();
    }

    boolean stoodStillFor(Duration time) {
      return Duration.between(unchangedSince, readAt).compareTo(time) >= 0;
    }
  }

  /**
   * A text of ours that the agent has yet to answer, such as a message's id. Once it was seen on
   * the screen, it may scroll away.
   */
  public record Mark(String text, Instant placedAt, boolean seen) {
    public static final int TEXT_CHARS_MAX = 40;

    public Mark {
      text = Text.line("a mark", text, TEXT_CHARS_MAX);
    }

    /** The mark after a look at the screen. */
    public Mark after(Screen screen) {
      return seen || firstLine(screen) < 0 ? this : new Mark(text, placedAt, true);
    }

    /**
     * Where it stands first, counted from 0; -1 if it does not. An answer may quote it, so further
     * down it need not be our text.
     */
    int firstLine(Screen screen) {
      for (int i = 0; i < screen.lines().size(); i++) {
        if (screen.lines().get(i).contains(text)) return i;
      }
      return -1;
    }
  }

  /** A signal that is older than our text says nothing about how that was answered. */
  @Nullable Signal currentSignal() {
    if (signal == null || mark == null) return signal;
    return signal.at().isBefore(mark.placedAt()) ? null : signal;
  }
}
