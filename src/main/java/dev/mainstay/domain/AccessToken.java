package dev.mainstay.domain;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A permission to call the server. The secret itself is nowhere in here; an agent's permission is
 * bound to its terminal, and nobody else's is.
 */
public record AccessToken(String id, Role role, String name, @Nullable String terminal, Life life) {

  /** What its bearer may do: everything a person may, what an agent may, or look only. */
  public enum Role {
    PERSON,
    AGENT,
    VIEWER;

    public static Role parse(String typed) {
      for (Role role : values()) if (role.typed().equalsIgnoreCase(typed.strip())) return role;
      throw Refusal.invalid("a role is person, agent or viewer, not \"" + typed + "\"");
    }

    public String typed() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** From when until when; without an end, until it is revoked. */
  public record Life(Instant createdAt, @Nullable Instant expiresAt) {}

  public AccessToken {
    name = Text.line("a token's name", name, Actor.NAME_CHARS_MAX);
    if (terminal != null) terminal = Text.line("a terminal", terminal, Actor.NAME_CHARS_MAX);
    if (role == Role.AGENT && terminal == null) {
      throw Refusal.invalid("an agent's token is bound to a terminal; name it");
    }
    if (role != Role.AGENT && terminal != null) {
      throw Refusal.invalid("only an agent's token is bound to a terminal; leave it out");
    }
  }

  public JsonObject toJson() {
    Instant end = life.expiresAt();
    return JsonObject.of("id", id, "role", role.typed(), "name", name, "terminal", terminal)
        .with("created_at", Times.write(life.createdAt()))
        .with("expires_at", end == null ? null : Times.write(end));
  }
}
