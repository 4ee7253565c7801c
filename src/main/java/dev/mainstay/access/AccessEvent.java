package dev.mainstay.access;

import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JsonObject;

/** What became of tokens; neither a secret nor its hash is told. */
sealed interface AccessEvent extends Event {
  /** A stream of its own, chained like any other and replayed into nothing. */
  String STREAM = "store/access";

  record Issued(AccessToken token) implements AccessEvent {
    @Override
    public String kind() {
      return "access.issued";
    }

    @Override
    public JsonObject payload() {
      return token.toJson();
    }
  }

  record Revoked(AccessToken token) implements AccessEvent {
    @Override
    public String kind() {
      return "access.revoked";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("id", token.id(), "role", token.role().typed(), "name", token.name());
    }
  }
}
