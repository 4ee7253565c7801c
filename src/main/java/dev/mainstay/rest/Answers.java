package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import io.javalin.http.Context;

/** Writes what a route or the door answers. */
final class Answers {
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none';"
          + " form-action 'self'";

  private Answers() {}

  /** What every answer says to a browser. */
  static void headers(Context http) {
    http.header("X-Content-Type-Options", "nosniff");
    http.header("Cache-Control", "no-store");
    http.header("Content-Security-Policy", POLICY);
    http.header("Referrer-Policy", "no-referrer");
  }

  static void write(Context http, Reply reply) {
    reply.headers().forEach(http::header);
    http.status(reply.status()).contentType(reply.mediaType());
    if (reply.body() instanceof SystemRoutes.Streaming stream) {
      http.future(() -> stream.apply(http));
    } else if (reply.mediaType().equals(Route.JSON)) {
      http.result(JsonText.write(reply.body()));
    } else {
      http.result(reply.body().toString());
    }
  }

  static void write(Context http, Problem problem) {
    if (problem.status() == 401) http.header("WWW-Authenticate", "Bearer realm=\"mainstay\"");
    http.status(problem.status()).contentType(Problem.MEDIA_TYPE);
    http.result(JsonText.write(problem.toJson(http.path())));
  }
}
