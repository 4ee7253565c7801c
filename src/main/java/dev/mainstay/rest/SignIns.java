package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.access.Secret;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that signed in. A cookie holds a pass and never the token; it is good while the token
 * is, also after a restart, and only together with the key that the page keeps: browsers send a
 * cookie to every port of a host, a page's storage to none. Those who signed out are remembered as
 * long as this server runs.
 */
final class SignIns {
  private static final String COOKIE = "mainstay_";

  /** The header in which a page sends its key. */
  static final String KEY = "Mainstay-Page";

  static final int KEY_CHARS_MIN = 32;
  static final int ENDED_MAX = 10_000;
  static final Duration SIGN_IN_LIFE = Duration.ofHours(12);

  private final Callers callers;

  private final Map<String, Boolean> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > ENDED_MAX;
        }
      };

  SignIns(Callers callers) {
    this.callers = callers;
  }

  /** Browsers do not tell the ports of a host apart, so the name of a server's cookie does. */
  static String cookie(int port) {
    return COOKIE + port;
  }

  static String cookie(Context http) {
    return cookie(http.req().getLocalPort());
  }

  /** What the cookie holds. */
  String begin(Caller caller, String key) {
    if (key.length() < KEY_CHARS_MIN || key.length() > Secret.SECRET_CHARS_MAX) {
      throw Refusal.invalid(
          Phrase.of(
              "a page's key has %d to %d random characters",
              KEY_CHARS_MIN, Secret.SECRET_CHARS_MAX));
    }
    return callers.pass(caller, key, Instant.now().plus(SIGN_IN_LIFE));
  }

  /** Nobody's without the page's own key. */
  Optional<Caller> who(String pass, @Nullable String key) {
    if (key == null || isEnded(pass)) return Optional.empty();
    return callers.byPass(pass, key, Instant.now());
  }

  private synchronized boolean isEnded(String pass) {
    return ended.containsKey(Secret.hash(pass));
  }

  /** Only what was a sign-in is remembered, so that nobody fills the memory with what was none. */
  void end(String pass, @Nullable String key) {
    if (who(pass, key).isEmpty()) return;
    synchronized (this) {
      ended.put(Secret.hash(pass), true);
    }
  }
}
