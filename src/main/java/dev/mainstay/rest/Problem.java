package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.Locale;

/** What went wrong, as RFC 9457 has it, with a code for programs. */
record Problem(int status, String code, String detail) {
  static final String MEDIA_TYPE = "application/problem+json";

  static Problem of(Refusal refusal) {
    String code = refusal.code().name().toLowerCase(Locale.ROOT);
    return new Problem(status(refusal.code()), code, refusal.sentence());
  }

  static Problem of(DoorRefusal refusal) {
    return new Problem(refusal.status(), refusal.code(), String.valueOf(refusal.getMessage()));
  }

  /** A bug: what it is stands in the server's log and nowhere else. */
  static Problem bug() {
    return new Problem(
        500,
        "fault",
        "an error that should not happen; the server's log says more, please report it");
  }

  static int status(
      Refusal.Code code) { // no default: a new code must not compile until it has a status
    return switch (code) {
      case INVALID -> 400;
      case NOT_FOUND -> 404;
      case CONFLICT, LEASE_LOST -> 409;
      case NOT_HOLDER -> 403;
      case TOO_LARGE -> 413;
      case STORE_UNAVAILABLE, READ_ONLY -> 503;
      case STORE_FULL -> 507;
    };
  }

  JsonObject toJson(String instance) {
    return JsonObject.of("type", "urn:mainstay:problem:" + code, "title", title())
        .with("status", status)
        .with("detail", detail)
        .with("instance", instance)
        .with("code", code);
  }

  private String title() {
    String words = code.replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
