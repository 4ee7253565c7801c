package dev.mainstay.access;

import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Actor;
import org.jspecify.annotations.Nullable;

/**
 * Who calls the server, and by which credential. Whatever is written is written as {@link #actor}.
 */
public record Caller(Role role, String name, @Nullable String terminal, String credential) {

  static Caller of(AccessToken token) {
    return new Caller(token.role(), token.name(), token.terminal(), token.id());
  }

  /** An agent is known by its terminal; a viewer writes nothing, so it is nobody's agent. */
  public Actor actor() {
    return switch (role) {
      case PERSON -> Actor.person(name);
      case AGENT -> Actor.agent(terminal == null ? name : terminal);
      case VIEWER -> Actor.agent("viewer-" + name);
    };
  }
}
