package dev.mainstay.rest;

import dev.mainstay.json.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that Jetty itself refuses, such as those with a head that is too large, as a
 * problem like all others.
 */
final class ProblemPages extends ErrorHandler {
  private static final int PATH_CHARS_MAX = 200;

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    Answers.headers(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    response.getHeaders().put(HttpHeader.CONNECTION, "close"); // its body was not read
    String path = request.getHttpURI().getPath();
    String shown = path == null || path.length() > PATH_CHARS_MAX ? "/" : path;
    byte[] text = JsonText.write(problem(status).toJson(shown)).getBytes(StandardCharsets.UTF_8);
    response.write(true, ByteBuffer.wrap(text), callback);
  }

  private static Problem problem(int status) {
    return switch (status) {
      case HttpStatus.REQUEST_TIMEOUT_408 ->
          new Problem(status, "request_timeout", "the request arrived too slowly; send it again");
      case HttpStatus.URI_TOO_LONG_414 ->
          new Problem(status, "uri_too_long", "the address is too long; shorten its query");
      case HttpStatus.UPGRADE_REQUIRED_426 ->
          new Problem(status, "upgrade_required", "this server speaks HTTP/1.1; use that");
      case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
          new Problem(status, "headers_too_large", "the headers are too large; send fewer");
      case HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 ->
          new Problem(status, "version_not_supported", "this server speaks HTTP/1.1; use that");
      default ->
          status >= HttpStatus.INTERNAL_SERVER_ERROR_500
              ? Problem.bug()
              : new Problem(status, "invalid", "the request is not valid HTTP/1.1; correct it");
    };
  }
}
