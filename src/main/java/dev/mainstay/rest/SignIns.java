package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.access.Secret;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Browsers that signed in. A cookie holds a secret of its own and never the token; it is good while
 * the token is, and on this server alone.
 */
final class SignIns {
  private static final String COOKIE = "mainstay_";
  static final int SIGN_INS_MAX = 1_000;
  static final Duration SIGN_IN_LIFE = Duration.ofHours(12);

  private final Callers callers;
  private final Map<String, SignIn> byHash = new LinkedHashMap<>();

  private record SignIn(Caller caller, long sinceNanos) {
    boolean isOver() {
      return System.nanoTime() - sinceNanos > SIGN_IN_LIFE.toNanos();
    }
  }

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

  /** The cookie's secret; the oldest sign-in makes room when there are too many. */
  synchronized String begin(Caller caller) {
    byHash.values().removeIf(SignIn::isOver);
    Iterator<String> oldest = byHash.keySet().iterator();
    if (byHash.size() >= SIGN_INS_MAX) {
      oldest.next();
      oldest.remove();
    }
    String secret = Secret.random();
    byHash.put(Secret.hash(secret), new SignIn(caller, System.nanoTime()));
    return secret;
  }

  Optional<Caller> who(String secret) {
    SignIn found;
    synchronized (this) {
      found = byHash.get(Secret.hash(secret));
    }
    if (found == null || found.isOver()) return Optional.empty();
    return Optional.of(found.caller()).filter(callers::isAlive);
  }

  synchronized void end(String secret) {
    byHash.remove(Secret.hash(secret));
  }
}
