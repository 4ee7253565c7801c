package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent works: a window of tmux, or a worker that Mainstay did not start and knows by its
 * name alone, whose provider is {@code external}.
 */
public record Terminal(
    String id, String provider, @Nullable String profile, @Nullable Window window, Instant since) {
  public static final String EXTERNAL = "external";
  public static final int ID_CHARS_MAX = Actor.NAME_CHARS_MAX;
  public static final int PROVIDER_CHARS_MAX = 64;
  public static final int PROFILE_CHARS_MAX = 128;

  /** Where it is shown. */
  public record Window(String session, String name) {}

  public Terminal {
    id = id(id);
    provider = provider(provider);
    profile = profile(profile);
  }

  public static String id(String typed) {
    return Text.line("a terminal's id", typed, ID_CHARS_MAX);
  }

  public static String provider(String typed) {
    return Text.line("a terminal's provider", typed, PROVIDER_CHARS_MAX);
  }

  public static @Nullable String profile(@Nullable String typed) {
    return typed == null ? null : Text.line("an agent profile's name", typed, PROFILE_CHARS_MAX);
  }

  /** The journal stream of the terminal. */
  public static String stream(String id) {
    return "terminal/" + id;
  }

  public JsonObject toJson() {
    return JsonObject.of("id", id, "provider", provider, "agent_profile", profile)
        .with("tmux_session", window == null ? null : window.session())
        .with("tmux_window", window == null ? null : window.name())
        .with("created_at", Times.write(since));
  }

  public static Terminal fromJson(JsonObject json) {
    String session = json.textOrNull("tmux_session");
    return new Terminal(
        json.text("id"),
        json.text("provider"),
        json.textOrNull("agent_profile"),
        session == null ? null : new Window(session, json.text("tmux_window")),
        Times.read(json.text("created_at")));
  }
}
