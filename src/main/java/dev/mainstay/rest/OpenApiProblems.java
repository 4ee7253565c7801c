package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** The problems that a route may answer, by status, for the description of the server. */
final class OpenApiProblems {
  private static final String REF = "#/components/responses/";
  private static final String OTHER = "Problem";

  /** Names the answers in the description; the status is the key in a route. */
  private enum Named {
    INVALID(400, "the request is not valid; the detail says what to change"),
    UNAUTHORIZED(401, "there is no token, or it is not known, revoked or expired"),
    FORBIDDEN(403, "the caller may not do this"),
    NOT_FOUND(404, "something that the path or the body names does not exist"),
    TIMEOUT(408, "the body arrived too slowly"),
    CONFLICT(409, "the state does not allow it, or the lease is lost"),
    PRECONDITION(412, "the version is another than If-Match names"),
    TOO_LARGE(413, "the body, a text or a list is too large"),
    UNSUPPORTED(415, "the body is not JSON in UTF-8");

    private final int status;
    private final String description;

    Named(int status, String description) {
      this.status = status;
      this.description = description;
    }

    private boolean fits(Route route) {
      return switch (this) {
        case INVALID -> true;
        case UNAUTHORIZED -> !route.isOpen() || route.taking().body() != null;
        case FORBIDDEN -> true; // another Host or Origin
        case NOT_FOUND, CONFLICT, TOO_LARGE -> !route.isOpen();
        case PRECONDITION -> route.taking().matching();
        case TIMEOUT, UNSUPPORTED -> route.isWrite();
      };
    }

    private String component() {
      return OTHER + status;
    }
  }

  private OpenApiProblems() {}

  static JsonObject components() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Named each : Named.values()) all.put(each.component(), response(each.description));
    all.put(OTHER, response("another problem; the status and the code say which"));
    return JsonObject.copyOf(all);
  }

  /** What a route may answer beside what it gives when all is well. */
  static JsonObject of(Route route) {
    JsonObject all = JsonObject.of("default", ref(OTHER));
    for (Named each : Named.values()) {
      if (each.fits(route)) all = all.with(Integer.toString(each.status), ref(each.component()));
    }
    return all;
  }

  private static JsonObject ref(String component) {
    return JsonObject.of("$ref", REF + component);
  }

  private static JsonObject response(String description) {
    JsonObject media = JsonObject.of("schema", Schemas.PROBLEM.json());
    return JsonObject.of(
        "description", description, "content", JsonObject.of(Problem.MEDIA_TYPE, media));
  }
}
