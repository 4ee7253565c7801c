package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent works: a window of tmux, or a worker that Mainstay did not start and knows by its
 * name alone, whose provider is {@code external}.
 */
public record Terminal(
    String id, String provider, @Nullable String profile, @Nullable Seat seat, Instant since) {
  public static final String EXTERNAL = "external";
  public static final int ID_CHARS_MAX = Actor.NAME_CHARS_MAX;
  public static final int PROVIDER_CHARS_MAX = 64;
  public static final int PROFILE_CHARS_MAX = 128;

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

  /** Its window; a worker that Mainstay did not start is refused. */
  public Seat seated() {
    if (seat != null) return seat;
    throw Refusal.invalid(
        Phrase.of(
            "%s was not started by Mainstay, so it has no window; 'mainstay inbox send %s' reaches it",
            id, id));
  }

  public boolean isLive() {
    return seat != null && seat.isLive();
  }

  /** The journal stream of the terminal. */
  public static String stream(String id) {
    return "terminal/" + id;
  }

  public JsonObject toJson() {
    JsonObject known =
        JsonObject.of("id", id, "provider", provider, "agent_profile", profile)
            .with("created_at", Times.write(since));
    return seat == null ? known : seat.onto(known);
  }

  public static Terminal fromJson(JsonObject json) {
    return new Terminal(
        json.text("id"),
        json.text("provider"),
        json.textOrNull("agent_profile"),
        Seat.from(json),
        Times.read(json.text("created_at")));
  }
}
