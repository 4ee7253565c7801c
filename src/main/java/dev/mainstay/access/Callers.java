package dev.mainstay.access;

import java.util.Optional;

/** Everybody who may call: the person of this place, and those who were given a token. */
public final class Callers {
  private final LocalToken local;
  private final AccessTokens tokens;

  public Callers(LocalToken local, AccessTokens tokens) {
    this.local = local;
    this.tokens = tokens;
  }

  /** Whose secret it is. */
  public Optional<Caller> who(String secret) {
    Optional<Caller> person = local.who(secret);
    return person.isPresent() ? person : tokens.who(secret);
  }

  /** Whether the credential by which somebody came in is still good. */
  public boolean isAlive(Caller caller) {
    return LocalToken.isLocal(caller.credential())
        ? local.isAlive(caller.credential())
        : tokens.isAlive(caller.credential());
  }
}
