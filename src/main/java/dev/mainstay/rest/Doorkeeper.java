package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets in whom the server was made for. Every page in a browser can send requests to this machine,
 * so a name that is not the server's, another page's origin, or no token ends them here.
 */
final class Doorkeeper {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
  private static final String BEARER = "bearer ";
  private static final String HTTPS = "https";

  private final Callers callers;
  private final SignIns signIns;
  private final List<String> names;

  /** Beside the loopback's names, the server answers to these. */
  Doorkeeper(Callers callers, SignIns signIns, List<String> names) {
    this.callers = callers;
    this.signIns = signIns;
    this.names = List.copyOf(names);
  }

  /** Refuses requests that were meant for somebody else, or come from another page. */
  void checkPlace(Context http, int port) {
    checkPlace(http.req(), port);
  }

  void checkPlace(HttpServletRequest http, int port) {
    String host = http.getHeader("Host");
    if (host == null || !hosts(port).contains(host.toLowerCase(Locale.ROOT))) {
      throw DoorRefusal.forbidden(
          Phrase.of(
              "this server is not called \"%s\"; call it as 127.0.0.1:%d, or name it in serve.hosts",
              host == null ? "" : host, port));
    }
    once(http, "Origin");
    once(http, "Authorization");
    String origin = http.getHeader("Origin");
    if (origin != null && !isOwn(origin, http.getScheme(), host, port)) {
      throw DoorRefusal.forbidden("pages of other origins may not call this server");
    }
  }

  /** Who says two things may have hidden one of them from whoever looked before us. */
  private static void once(HttpServletRequest http, String header) {
    if (Collections.list(http.getHeaders(header)).size() <= 1) return;
    throw DoorRefusal.forbidden(Phrase.of("the header %s is there twice; send it once", header));
  }

  /** A host that was named may be a proxy's, which speaks TLS where this server does not. */
  private boolean isOwn(String origin, String scheme, String host, int port) {
    if (origin.equalsIgnoreCase(scheme + "://" + host)) return true;
    return origin.equalsIgnoreCase(HTTPS + "://" + host)
        && named(port).contains(host.toLowerCase(Locale.ROOT));
  }

  /** Whether the browser speaks TLS, to this server or to a proxy before it. */
  static boolean isOverTls(Context http) {
    String origin = http.header("Origin");
    return http.scheme().equals(HTTPS)
        || (origin != null && origin.toLowerCase(Locale.ROOT).startsWith(HTTPS + "://"));
  }

  private Set<String> hosts(int port) {
    Set<String> hosts = named(port);
    for (String name : LOOPBACK) hosts.add(name + ":" + port);
    return hosts;
  }

  private Set<String> named(int port) {
    Set<String> hosts = new TreeSet<>();
    for (String name : names) {
      String lower = name.toLowerCase(Locale.ROOT);
      hosts.add(lower);
      hosts.add(lower + ":" + port);
    }
    return hosts;
  }

  /** Who calls, if the route's callers must be known; refused unless it is for them. */
  @Nullable Caller admit(Context http, Route route) {
    Caller caller = route.isOpen() ? null : who(http);
    if (caller != null) checkRole(route, caller);
    checkQueries(http, route);
    return caller;
  }

  private static void checkRole(Route route, Caller caller) {
    if (route.about().roles().contains(caller.role())) return;
    String allowed =
        route.about().roles().stream()
            .sorted()
            .map(Doorkeeper::oneOf)
            .collect(Collectors.joining(" or "));
    throw DoorRefusal.forbiddenTo(
        caller,
        Phrase.of("%s may not do this; ask with a token of %s", oneOf(caller.role()), allowed));
  }

  private static String oneOf(Role role) {
    return (role == Role.AGENT ? "an " : "a ") + role.typed();
  }

  private Caller who(Context http) {
    String header = http.header("Authorization");
    String cookie = header == null ? http.cookie(SignIns.cookie(http)) : null;
    if (cookie == null) return bearer(header);
    checkSite(http.header("Sec-Fetch-Site"));
    return signIns
        .who(cookie, http.header(SignIns.KEY))
        .orElseThrow(() -> DoorRefusal.unauthorized("the sign-in is over; sign in again"));
  }

  /** A browser says who let it ask; a cookie is good for the page itself alone. */
  private static void checkSite(@Nullable String site) {
    if (site == null || OWN_SITES.contains(site.toLowerCase(Locale.ROOT))) return;
    throw DoorRefusal.forbidden(
        "another site asked with the cookie of this one; open the page itself");
  }

  /** Whose token the header has; a door for programs alone takes no other sign. */
  Caller bearer(@Nullable String header) {
    if (header == null) {
      throw DoorRefusal.unauthorized(
          "a token is needed: send \"Authorization: Bearer TOKEN\" with the one of .mainstay/token");
    }
    boolean bearer = header.toLowerCase(Locale.ROOT).startsWith(BEARER);
    String secret = bearer ? header.substring(BEARER.length()).strip() : "";
    return callers
        .who(secret)
        .orElseThrow(
            () ->
                DoorRefusal.unauthorized(
                    "the token is not known, revoked, or its time is over; get another with 'mainstay token issue'"));
  }

  private static void checkQueries(Context http, Route route) {
    List<String> known = route.taking().queries().stream().map(Route.Query::name).toList();
    for (String name : http.queryParamMap().keySet()) {
      if (known.contains(name)) continue;
      if (known.isEmpty()) {
        throw Refusal.invalid(Phrase.of("%s takes no \"%s\"", route.target(), name));
      }
      throw Refusal.invalid(
          Phrase.of("%s takes no \"%s\"; %s", route.target(), name, Nearest.guess(name, known)));
    }
  }
}
