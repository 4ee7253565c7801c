package dev.mainstay.domain;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A window of tmux in which Mainstay started an agent, and how that agent stands. */
public record Seat(Window window, Begin begin, Standing standing) {
  public static final int REASON_CHARS_MAX = 500;
  public static final int LAST_LINES_MAX = 20;

  /** How a terminal stands; the first six are those of one whose program runs. */
  public enum Status {
    /** Its program was or will be started, and nothing was seen of it yet. */
    STARTING,
    READY,
    BUSY,
    WAITING_FOR_PERSON,
    DONE,
    UNKNOWN,
    /** Its program ended by itself, without a fault. */
    ENDED,
    /** Its program ended with a fault. */
    CRASHED,
    /** Its window is no longer there, and nobody saw how it ended. */
    GONE,
    /** Somebody stopped it. */
    STOPPED;

    private static final Set<Status> OVER = Set.of(ENDED, CRASHED, GONE, STOPPED);

    public boolean isLive() {
      return !OVER.contains(this);
    }

    /** Whether a new text is welcome. */
    public boolean takesInput() {
      return this == READY || this == DONE;
    }

    public static Status of(ScreenStatus.State state) {
      return valueOf(state.name());
    }
  }

  /** On which host, at which tmux socket, in which session, and by which name there. */
  public record Window(String host, String socket, String session, String name) {}

  /**
   * How it began: in which folder, for whom, with which conversation of the agent's own, and with
   * which program if it was not its provider's.
   */
  public record Begin(
      String folder, @Nullable String caller, @Nullable String conversation, List<String> program) {
    public Begin {
      program = List.copyOf(program);
    }
  }

  /** How it stands and why, how its program ended if it did, and when something last moved. */
  public record Standing(
      Status status,
      @Nullable String why,
      @Nullable Integer exit,
      Instant lastActive,
      List<String> lastLines) {
    public Standing {
      why = why == null ? null : reason(why);
      lastLines = List.copyOf(lastLines);
    }

    public static Standing starting(Instant now) {
      return new Standing(Status.STARTING, null, null, now, List.of());
    }

    /** One line of words, cut where it is too long. */
    private static String reason(String given) {
      return Graphemes.cut(given.replaceAll("\\p{Cntrl}+", " ").strip(), REASON_CHARS_MAX);
    }
  }

  public Status status() {
    return standing.status();
  }

  public boolean isLive() {
    return standing.status().isLive();
  }

  public Seat with(Standing next) {
    return new Seat(window, begin, next);
  }

  JsonObject onto(JsonObject terminal) {
    return terminal
        .with("host", window.host())
        .with("tmux_socket", window.socket())
        .with("tmux_session", window.session())
        .with("tmux_window", window.name())
        .with("work_dir", begin.folder())
        .with("caller_id", begin.caller())
        .with("conversation", begin.conversation())
        .with("program", begin.program().isEmpty() ? null : begin.program())
        .with("status", standing.status().name())
        .with("status_reason", standing.why())
        .with("exit_code", standing.exit())
        .with("last_active", Times.write(standing.lastActive()))
        .with("last_lines", standing.lastLines().isEmpty() ? null : standing.lastLines());
  }

  static @Nullable Seat from(JsonObject json) {
    if (json.textOrNull("tmux_session") == null) return null;
    return new Seat(
        new Window(
            json.text("host"),
            json.text("tmux_socket"),
            json.text("tmux_session"),
            json.text("tmux_window")),
        new Begin(
            json.text("work_dir"),
            json.textOrNull("caller_id"),
            json.textOrNull("conversation"),
            texts(json, "program")),
        new Standing(
            Status.valueOf(json.text("status")),
            json.textOrNull("status_reason"),
            json.has("exit_code") ? json.integer("exit_code") : null,
            Times.read(json.text("last_active")),
            texts(json, "last_lines")));
  }

  private static List<String> texts(JsonObject json, String field) {
    if (!json.has(field)) return List.of();
    return json.list(field).stream().map(String::valueOf).toList();
  }
}
