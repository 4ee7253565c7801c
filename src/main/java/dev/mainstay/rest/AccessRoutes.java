package dev.mainstay.rest;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import java.time.Duration;
import java.util.List;

/** {@code /tokens}: who may call; for persons alone. */
final class AccessRoutes {
  private static final String TAG = "access";

  private static final Schema TOKEN =
      Schema.fields()
          .needs("id", Schema.text("what it is called"))
          .needs("role", Schema.oneOf("what its bearer may do", "person", "agent", "viewer"))
          .needs("name", Schema.text("whose it is"))
          .may("terminal", Schema.text("the terminal an agent's is bound to"))
          .needs("created_at", Schema.text("when it was made"))
          .may("expires_at", Schema.text("until when it is good"));

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": "tok-0a1b2c3d4e", "role": "viewer", "name": "wall",
           "created_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;

  private AccessRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    AccessRoutes routes = new AccessRoutes(rooms);
    return List.of(routes.list(), routes.issue(), routes.revoke());
  }

  private Route list() {
    return Route.get("/tokens", TAG, "The tokens there are, without their secrets")
        .only(Role.PERSON)
        .gives(Schemas.listOf(TOKEN), Schemas.listExample(EXAMPLE))
        .by(
            request ->
                Reply.page(
                    request,
                    rooms.access().list().stream().map(AccessToken::toJson).toList(),
                    null));
  }

  private Route issue() {
    Schema body =
        Schema.fields()
            .needs("role", Schema.oneOf("what its bearer may do", "person", "agent", "viewer"))
            .needs("name", Schema.text("whose it is"))
            .may("terminal", Schema.text("the terminal of an agent"))
            .may("terminal_id", Schema.text("the same"))
            .may("life_seconds", Schema.number("how long it is good (default: until revoked)"));
    return Route.of(Verb.POST, "/tokens", TAG, "Make a token; its secret is told this once")
        .only(Role.PERSON)
        .takes(body, JsonText.object("{\"role\": \"viewer\", \"name\": \"wall\"}"))
        .gives(201, TOKEN.needs("token", Schema.text("the secret")), EXAMPLE.with("token", "..."))
        .by(
            request -> {
              JsonObject asked = request.body();
              Long life = asked.numberOrNull("life_seconds");
              var wanted =
                  new AccessTokens.Wanted(
                      Role.parse(asked.text("role")),
                      asked.text("name"),
                      request.terminal(),
                      life == null ? null : Duration.ofSeconds(life));
              refuseKey(request);
              return Reply.ok(rooms.access().issue(wanted, request.call()).toJson()).status(201);
            });
  }

  /** An answer kept under its key would keep the secret. */
  private static void refuseKey(Request request) {
    if (request.call().key() != null) {
      throw Refusal.invalid(
          "a token's secret is told once and not kept, so this takes no Idempotency-Key");
    }
  }

  private Route revoke() {
    return Route.of(Verb.DELETE, "/tokens/{access}", TAG, "End a token at once")
        .only(Role.PERSON)
        .gives(TOKEN, EXAMPLE)
        .by(
            request ->
                Reply.ok(rooms.access().revoke(request.path("access"), request.call()).toJson()));
  }
}
