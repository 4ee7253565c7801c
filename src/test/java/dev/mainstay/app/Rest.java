package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Somebody with a token who asks servers that may die while they answer. */
record Rest(String token) {
  static final Duration PATIENCE = Duration.ofSeconds(ServerProcess.PATIENCE_SECONDS);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What a server answered. */
  record Answer(int status, JsonObject json) {
    /** Whether another server, or the same one later, may do better. */
    boolean isBusy() {
      return status == 503;
    }
  }

  Answer post(ServerProcess server, String path, JsonObject body, String... headers)
      throws IOException {
    return send(server, "POST", path, JsonText.write(body), headers);
  }

  Answer get(ServerProcess server, String path) throws IOException {
    return send(server, "GET", path, "");
  }

  Answer send(ServerProcess server, String verb, String path, String body, String... headers)
      throws IOException {
    HttpRequest.Builder request = request(server, path);
    request.method(verb, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    try {
      HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      boolean json = type.contains("json"); // a server that stops may have only a page to say so
      return new Answer(
          answer.statusCode(), json ? JsonText.object(answer.body()) : JsonObject.EMPTY);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** What happens after an event, or ever since; it goes on until somebody closes it. */
  InputStream events(ServerProcess server, String lastId) throws IOException {
    HttpRequest.Builder request = request(server, "/events?after=start");
    if (!lastId.isEmpty()) request.setHeader("Last-Event-ID", lastId);
    try {
      HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
      if (answer.statusCode() == 200) return answer.body();
      answer.body().close();
      throw new IOException("no events: " + answer.statusCode());
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }

  private HttpRequest.Builder request(ServerProcess server, String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path))
        .timeout(PATIENCE)
        .setHeader("Authorization", "Bearer " + token);
  }

  /** A token that some server gave, for whoever is described. */
  Rest issue(ServerProcess server, JsonObject wanted) throws IOException {
    Answer issued = post(server, "/tokens", wanted);
    if (issued.status() != 201) throw new IllegalStateException(issued.toString());
    return new Rest(issued.json().text("token"));
  }
}
