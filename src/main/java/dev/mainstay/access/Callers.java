package dev.mainstay.access;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Everybody who may call: the person of this place, and those who were given a token. */
public final class Callers {
  private static final Pattern PASS =
      Pattern.compile(
          "(?<said>(?<credential>[a-z0-9-]{1,80})\\.(?<until>\\d{1,12})\\.[\\w-]{43}"
              + "\\.(?<key>[0-9a-f]{64}))\\.(?<seal>[\\w-]{43})");

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

  /**
   * A text that stands for somebody until a moment, on every server of this place and also after a
   * restart: it says by which credential they came, and is sealed with the place's own token. It is
   * worth nothing without the key, of which it holds the hash alone.
   */
  public String pass(Caller caller, String key, Instant until) {
    String end = Long.toString(until.getEpochSecond());
    String said = String.join(".", caller.credential(), end, Secret.random(), Secret.hash(key));
    return said + "." + seal(said).orElseThrow(() -> new IllegalStateException("no token"));
  }

  /**
   * Whom a pass stands for; nobody when it is made up, over, another key's, or the credential is.
   */
  public Optional<Caller> byPass(String pass, String key, Instant now) {
    Matcher parts = PASS.matcher(pass);
    if (!parts.matches()) return Optional.empty();
    String given = parts.group("seal");
    boolean sound = seal(parts.group("said")).filter(seal -> Secret.same(seal, given)).isPresent();
    boolean over = now.getEpochSecond() >= Long.parseLong(parts.group("until"));
    boolean own = Secret.same(parts.group("key"), Secret.hash(key));
    if (!sound || over || !own) return Optional.empty();
    String credential = parts.group("credential");
    return LocalToken.isLocal(credential)
        ? local.byCredential(credential)
        : tokens.byId(credential);
  }

  private Optional<String> seal(String said) {
    return local.seal("sign-in " + said);
  }

  /** Whether the credential by which somebody came in is still good. */
  public boolean isAlive(Caller caller) {
    return LocalToken.isLocal(caller.credential())
        ? local.isAlive(caller.credential())
        : tokens.isAlive(caller.credential());
  }
}
