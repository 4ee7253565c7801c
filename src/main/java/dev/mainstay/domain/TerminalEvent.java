package dev.mainstay.domain;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What happened to a terminal and to what is known about it. */
public sealed interface TerminalEvent extends Event {
  /** What its entries are called in the journal, where messages stand between them. */
  Set<String> KINDS =
      Set.of(Registered.KIND, StateChanged.KIND, Checkpointed.KIND, Launched.KIND, Over.KIND);

  /** It was made known, with what it was told to begin with. */
  record Registered(String provider, @Nullable String profile, JsonObject told)
      implements TerminalEvent {
    public static final String KIND = "terminal.registered";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return told.with("provider", provider).with("agent_profile", profile);
    }
  }

  /** Fields of its state got other values, or none (null). */
  record StateChanged(JsonObject payload) implements TerminalEvent {
    public static final String KIND = "terminal.state_changed";

    @Override
    public String kind() {
      return KIND;
    }
  }

  /** Somebody asked for a checkpoint, perhaps before something risky. */
  record Checkpointed(JsonObject payload) implements TerminalEvent {
    public static final String KIND = "terminal.checkpointed";

    @Override
    public String kind() {
      return KIND;
    }
  }

  /** Somebody typed into it through Mainstay; long texts are kept by their beginning. */
  record TypedInto(String text) implements TerminalEvent {
    public static final String KIND = "terminal.typed";
    public static final int TEXT_CHARS_MAX = 4_096;

    public TypedInto {
      text = Graphemes.cut(text, TEXT_CHARS_MAX);
    }

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("text", text);
    }
  }

  /** A program was started in a window for it, for the first time or again. */
  record Launched(Seat.Window window, Seat.Begin begin) implements TerminalEvent {
    public static final String KIND = "terminal.launched";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("host", window.host(), "tmux_socket", window.socket())
          .with("tmux_session", window.session())
          .with("tmux_window", window.name())
          .with("work_dir", begin.folder())
          .with("caller_id", begin.caller())
          .with("conversation", begin.conversation());
    }
  }

  /** Its program ended, vanished, or was stopped. */
  record Over(Seat.Standing standing) implements TerminalEvent {
    public static final String KIND = "terminal.over";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("status", standing.status().name(), "reason", standing.why())
          .with("exit_code", standing.exit())
          .with("last_lines", standing.lastLines().isEmpty() ? null : standing.lastLines());
    }
  }
}
