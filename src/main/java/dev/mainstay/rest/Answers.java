package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Writes what a route or the door answers. */
final class Answers {
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none';"
          + " form-action 'self'";

  static final String CHALLENGE = "Bearer realm=\"mainstay\"";

  private static final String READ = Answers.class.getName() + ".read";

  private Answers() {}

  /** What every answer says to a browser. */
  static void headers(Context http) {
    headers(http::header);
  }

  static void headers(BiConsumer<String, String> header) {
    header.accept("X-Content-Type-Options", "nosniff");
    header.accept("Cache-Control", "no-store");
    header.accept("Content-Security-Policy", POLICY);
    header.accept("Referrer-Policy", "no-referrer");
  }

  static void write(Context http, Reply reply) {
    reply.headers().forEach(http::header);
    http.status(reply.status()).contentType(reply.mediaType());
    if (reply.body() instanceof SystemRoutes.Streaming stream) {
      http.future(() -> stream.apply(http));
    } else if (reply.body() instanceof byte[] written) {
      http.result(written);
    } else if (reply.body() instanceof Reply.Sending sending) {
      sending.to(http);
    } else if (reply.mediaType().equals(Route.JSON)) {
      http.result(bytes(JsonText.write(reply.body())));
    } else {
      http.result(bytes(reply.body().toString()));
    }
  }

  /** Without this the servlet's default charset, ISO-8859-1, would decide. */
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static boolean hasBody(HttpServletRequest http) {
    return http.getContentLengthLong() > 0 || http.getHeader("Transfer-Encoding") != null;
  }

  /** The body was read whole, so that the connection can be kept whatever is answered. */
  static void noteRead(Context http) {
    http.attribute(READ, true);
  }

  /** A connection that still holds a part of a body is closed, and its client has to know. */
  static void write(Context http, Problem problem) {
    if (hasBody(http.req()) && http.attribute(READ) == null) http.header("Connection", "close");
    if (problem.status() == 401) http.header("WWW-Authenticate", CHALLENGE);
    http.status(problem.status()).contentType(Problem.MEDIA_TYPE);
    http.result(bytes(JsonText.write(problem.toJson(http.path()))));
  }
}
