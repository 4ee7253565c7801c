package dev.mainstay.domain;

import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Screen;
import dev.mainstay.domain.Sighting.Signal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an agent stands. Facts come first: its process, its exit code, its hooks and calls. The
 * screen fills in where they are silent, and only what is on it below our last text, once it stands
 * still, can say that this was answered.
 */
public record ScreenStatus(State state, String why, List<String> lastLines) {
  public static final int LAST_LINES_MAX = 20;

  /** A sign of work further up than these lines is a rest of what was. */
  private static final int BUSY_LINES_MAX = 15;

  public enum State {
    BUSY,
    /** It takes input, and nothing of ours is open. */
    READY,
    /** A person must answer something on its screen; nothing may be typed into that. */
    WAITING_FOR_PERSON,
    /** What it was last sent is answered. */
    DONE,
    /** Its program ended as it should. */
    ENDED,
    /** Its program ended with a fault, or nobody knows how. */
    CRASHED,
    /** Nothing says how it stands; look again. */
    UNKNOWN
  }

  public ScreenStatus {
    lastLines = List.copyOf(lastLines);
  }

  public static ScreenStatus judge(Provider provider, Sighting sighting) {
    if (!sighting.process().alive()) return ended(sighting);
    ScreenStatus shown = new Look(provider, sighting).status();
    Signal signal = sighting.currentSignal();
    if (signal == null) return shown;
    boolean later = sighting.screen().unchangedSince().isAfter(signal.at());
    boolean still = sighting.screen().stoodStillFor(provider.manners().settle());
    return switch (signal.kind()) {
      case FINISHED ->
          // What began after it, at work or with a question, is no longer finished.
          later && (shown.state == State.BUSY || shown.state == State.WAITING_FOR_PERSON)
              ? shown
              : of(sighting.mark() == null ? State.READY : State.DONE, "it said that it finished");
      // A call says that it was at work then. A later screen that stands still knows better.
      case WORKING -> later && still && shown.isCertain() ? shown : of(State.BUSY, "it is at work");
      case ASKING ->
          later && (still || shown.state == State.BUSY) && shown.isCertain()
              ? shown
              : of(State.WAITING_FOR_PERSON, "it said that it waits for a person");
    };
  }

  private boolean isCertain() {
    return state != State.UNKNOWN;
  }

  private static ScreenStatus of(State state, String why) {
    return new ScreenStatus(state, why, List.of());
  }

  /** A crash is told with what is known of it, never as a wait that was too long. */
  private static ScreenStatus ended(Sighting sighting) {
    Integer exit = sighting.process().exit();
    List<String> last = new ArrayList<>(sighting.screen().lines());
    last.removeIf(String::isBlank);
    last = last.subList(Math.max(0, last.size() - LAST_LINES_MAX), last.size());
    if (exit == null) return new ScreenStatus(State.CRASHED, "it vanished", last);
    if (exit != 0) {
      return new ScreenStatus(State.CRASHED, Phrase.of("it ended with exit code %d", exit), last);
    }
    String open = sighting.mark() == null ? "" : " before it answered";
    return new ScreenStatus(State.ENDED, "it ended" + open, last);
  }

  /** One look at a screen. */
  private static final class Look {
    private final ScreenSigns signs;
    private final Screen screen;
    private final Sighting sighting;
    private final boolean still;

    Look(Provider provider, Sighting sighting) {
      this.signs = provider.signs();
      this.sighting = sighting;
      this.screen = sighting.screen();
      this.still = screen.stoodStillFor(provider.manners().settle());
    }

    ScreenStatus status() {
      int ready = last(signs.ready());
      int busy = busy(ready);
      ScreenStatus asks = asking(signs.dialogs(), busy, ready);
      if (asks == null) asks = asking(signs.waiting(), busy, ready);
      if (asks != null) return asks;
      if (busy >= 0) return of(State.BUSY, "its screen shows that it is at work");
      if (ready < 0) return of(State.UNKNOWN, "nothing on its screen says how it stands");
      if (!still) return of(State.BUSY, "its screen is still being drawn");
      Mark mark = sighting.mark();
      return mark == null ? of(State.READY, "it takes input") : answered(mark, ready);
    }

    /** The lowest sign wins: a question above a prompt that takes input was answered before. */
    private @Nullable ScreenStatus asking(List<Sign> questions, int busy, int ready) {
      for (int i = screen.lines().size() - 1; i > ready && i >= busy; i--) {
        for (Sign sign : questions) {
          if (sign.mayBeIn(screen.lines().get(i)))
            return of(State.WAITING_FOR_PERSON, sign.meaning());
        }
      }
      return null;
    }

    private ScreenStatus answered(Mark mark, int ready) {
      if (!screen.unchangedSince().isAfter(mark.placedAt())) {
        return of(State.UNKNOWN, "its screen has not changed since it was sent something");
      }
      int from = mark.firstLine(screen);
      if (from < 0 && !mark.seen()) {
        return of(State.UNKNOWN, "what it was sent is not on its screen yet");
      }
      if (ready <= from) return of(State.UNKNOWN, "what it was sent is not taken yet");
      // On the same line, it is an answer that quotes our text, which itself scrolled away.
      // With our text gone and no answer left, somebody cleared the screen.
      boolean cleared = from < 0 && last(signs.answered()) < 0;
      if (!cleared && !signs.answered().isEmpty() && last(signs.answered()) < Math.max(0, from)) {
        return of(State.BUSY, "it has not answered yet");
      }
      return of(State.DONE, "it answered and takes input");
    }

    private int busy(int ready) {
      int lines = 0;
      int answer = firstAnswer(ready);
      for (int i = screen.lines().size() - 1; i >= 0 && lines < BUSY_LINES_MAX; i--) {
        String line = screen.lines().get(i);
        if (line.isBlank()) continue;
        if (i > answer && any(signs.busy(), line, true)) return i;
        lines++;
      }
      return -1;
    }

    /**
     * Where the answer to our text begins; -1 while there is none. What stands above it is our
     * text, which may speak of work without being a sign of it.
     */
    private int firstAnswer(int ready) {
      Mark mark = sighting.mark();
      int from = mark == null ? -1 : mark.firstLine(screen);
      if (from < 0) return -1;
      for (int i = from + 1; i < ready; i++) {
        if (any(signs.answered(), screen.lines().get(i), false)) return i;
      }
      return -1;
    }

    private int last(List<Sign> some) {
      for (int i = screen.lines().size() - 1; i >= 0; i--) {
        if (any(some, screen.lines().get(i), false)) return i;
      }
      return -1;
    }

    private static boolean any(List<Sign> some, String line, boolean inDoubt) {
      return some.stream().anyMatch(s -> inDoubt ? s.mayBeIn(line) : s.isIn(line));
    }
  }
}
