package dev.mainstay.access;

import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Life;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.AccessTokenTable.Hashed;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tokens that let others call the server. A secret is told once, when it is made. */
public final class AccessTokens {
  public static final int TOKENS_MAX = 10_000;
  public static final Duration LIFE_MIN = Duration.ofSeconds(1);
  public static final Duration LIFE_MAX = Duration.ofDays(3_650);

  private final Store store;

  public AccessTokens(Store store) {
    this.store = store;
  }

  /** What somebody wants a token for; without a life it lasts until it is revoked. */
  public record Wanted(Role role, String name, @Nullable String terminal, @Nullable Duration life) {
    public Wanted {
      name = Redactor.DEFAULT.redact(name);
      boolean fits =
          life == null || (life.compareTo(LIFE_MIN) >= 0 && life.compareTo(LIFE_MAX) <= 0);
      if (!fits) throw Refusal.invalid("a token lasts between 1 second and 3,650 days");
    }
  }

  /** A new token and its secret, which nobody can ask for again. */
  public record Issued(AccessToken token, String secret) {
    public JsonObject toJson() {
      return token.toJson().with("token", secret);
    }
  }

  /** Makes a token; an agent's terminal is made with it when it is not known yet. */
  public Issued issue(Wanted wanted, Call call) {
    refuseAgent(call);
    if (!store.settings().isTrusted()) {
      throw Refusal.conflict(
          "no token of this store lets anybody in until a person has run 'mainstay trust --all'; run that first");
    }
    String id = Secret.id();
    String secret = Secret.token();
    // Not under a key: the stored answer would hold the secret. The id makes it repeatable.
    AccessToken made =
        store.inTransaction(
            Once.unkeyed(),
            tx -> {
              AccessToken token = token(tx, id, wanted);
              if (tx.accessTokens().count() >= TOKENS_MAX) {
                throw Refusal.tooLarge(
                    Phrase.of(
                        "there are %,d tokens, which is the most; revoke some first", TOKENS_MAX));
              }
              if (tx.accessTokens().insert(token, Secret.hash(secret))) {
                tx.journal()
                    .append(AccessEvent.STREAM, call, List.of(new AccessEvent.Issued(token)));
              }
              return token;
            });
    return new Issued(made, secret);
  }

  private static AccessToken token(Tx tx, String id, Wanted wanted) {
    Instant now = tx.now();
    Duration life = wanted.life();
    var span = new Life(now, life == null ? null : now.plus(life));
    return new AccessToken(id, wanted.role(), wanted.name(), wanted.terminal(), span);
  }

  /** Oldest first; those whose time is over are there until they are revoked. */
  public List<AccessToken> list() {
    return store.reading(tx -> tx.accessTokens().list());
  }

  /** Ends a token at once. */
  public AccessToken revoke(String id, Call call) {
    refuseAgent(call);
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          AccessToken token =
              tx.accessTokens()
                  .find(id)
                  .orElseThrow(
                      () ->
                          Refusal.notFound(
                              Phrase.of(
                                  "there is no token \"%s\"; 'mainstay token list' shows those there are",
                                  id)));
          tx.accessTokens().delete(id);
          tx.journal().append(AccessEvent.STREAM, call, List.of(new AccessEvent.Revoked(token)));
          return token;
        });
  }

  /** Whose secret it is; nobody's when it is unknown, revoked, or its time is over. */
  public Optional<Caller> who(String secret) {
    if (!store.settings().isTrusted()
        || secret.isEmpty()
        || secret.length() > Secret.SECRET_CHARS_MAX) return Optional.empty();
    String hash = Secret.hash(secret);
    return store.reading(
        tx ->
            tx.accessTokens()
                .findByHash(hash)
                .filter(found -> Secret.same(found.hash(), hash))
                .map(Hashed::token)
                .filter(token -> isAlive(token, tx.now()))
                .map(Caller::of));
  }

  /** Whether a token that let somebody in would let them in now. */
  boolean isAlive(String id) {
    return byId(id).isPresent();
  }

  /** Whom a token that let somebody in would let in now. */
  Optional<Caller> byId(String id) {
    if (!store.settings().isTrusted()) return Optional.empty();
    return store.reading(
        tx -> tx.accessTokens().find(id).filter(token -> isAlive(token, tx.now())).map(Caller::of));
  }

  private static boolean isAlive(AccessToken token, Instant now) {
    Instant end = token.life().expiresAt();
    return end == null || now.isBefore(end);
  }

  private static void refuseAgent(Call call) {
    if (call.actor().isAgent()) {
      throw Refusal.conflict("tokens are given and taken by persons alone; ask one to do it")
          .reserved();
    }
  }
}
