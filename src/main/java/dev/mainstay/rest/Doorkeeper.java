package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import io.javalin.http.Context;
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
  private static final String BEARER = "bearer ";

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
    String host = http.header("Host");
    if (host == null || !hosts(port).contains(host.toLowerCase(Locale.ROOT))) {
      throw DoorRefusal.forbidden(
          Phrase.of(
              "this server is not called \"%s\"; call it as 127.0.0.1:%d, or name it in serve.hosts",
              host == null ? "" : host, port));
    }
    String origin = http.header("Origin");
    if (origin != null && !origin.equalsIgnoreCase(http.scheme() + "://" + host)) {
      throw DoorRefusal.forbidden("pages of other origins may not call this server");
    }
  }

  private Set<String> hosts(int port) {
    Set<String> hosts = new TreeSet<>();
    for (String name : LOOPBACK) hosts.add(name + ":" + port);
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
    throw DoorRefusal.forbidden(
        Phrase.of("%s may not do this; ask with a token of %s", oneOf(caller.role()), allowed));
  }

  private static String oneOf(Role role) {
    return (role == Role.AGENT ? "an " : "a ") + role.typed();
  }

  private Caller who(Context http) {
    String header = http.header("Authorization");
    if (header != null) {
      boolean bearer = header.toLowerCase(Locale.ROOT).startsWith(BEARER);
      String secret = bearer ? header.substring(BEARER.length()).strip() : "";
      return callers
          .who(secret)
          .orElseThrow(
              () ->
                  DoorRefusal.unauthorized(
                      "the token is not known, revoked, or its time is over; get another with 'mainstay token issue'"));
    }
    String cookie = http.cookie(SignIns.cookie(http));
    if (cookie == null) {
      throw DoorRefusal.unauthorized(
          "a token is needed: send \"Authorization: Bearer TOKEN\" with the one of .mainstay/token");
    }
    return signIns
        .who(cookie)
        .orElseThrow(() -> DoorRefusal.unauthorized("the sign-in is over; sign in again"));
  }

  private static void checkQueries(Context http, Route route) {
    List<String> known = route.taking().queries().stream().map(Route.Query::name).toList();
    for (String name : http.queryParamMap().keySet()) {
      if (known.contains(name)) continue;
      if (known.isEmpty()) {
        throw Refusal.invalid(Phrase.of("%s takes no \"%s\"", route.target(), name));
      }
      throw Refusal.invalid(
          Phrase.of(
              "%s takes no \"%s\"; did you mean \"%s\"?",
              route.target(), name, Nearest.to(name, known)));
    }
  }
}
