package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what a route or the door answers. */
final class Answers {
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none';"
          + " form-action 'self'";

  static final String CHALLENGE = "Bearer realm=\"mainstay\"";

  private static final String READ = Answers.class.getName() + ".read";

  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

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
  static void noteRead(HttpServletRequest http) {
    http.setAttribute(READ, true);
  }

  static boolean isUnread(HttpServletRequest http) {
    return hasBody(http) && http.getAttribute(READ) == null;
  }

  static void write(Context http, Problem problem) {
    http.result(begun(http, problem));
  }

  /** Sends the answer before this returns, and not when the request is over. */
  static void writeNow(Context http, Problem problem) {
    byte[] text = begun(http, problem);
    try {
      http.res().setContentLength(text.length);
      if (http.method() != HandlerType.HEAD) http.res().getOutputStream().write(text);
      http.res().flushBuffer();
    } catch (IOException gone) {
      LOG.debug("an answer was not taken");
    }
  }

  private static byte[] begun(Context http, Problem problem) {
    if (problem.status() == 401) http.header("WWW-Authenticate", CHALLENGE);
    http.status(problem.status()).contentType(Problem.MEDIA_TYPE);
    return bytes(JsonText.write(problem.toJson(http.path())));
  }
}
