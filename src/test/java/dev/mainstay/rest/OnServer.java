package dev.mainstay.rest;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.access.Callers;
import dev.mainstay.access.LocalToken;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.ServerSettings.Readers;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real server on a port that was free, and requests to it. */
abstract class OnServer extends OnDatabase {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;
  RestServer server;
  String person;
  TestRooms rooms;

  OnServer(Databases database) {
    super(database);
  }

  @BeforeEach
  void startServer() {
    rooms = new TestRooms(store, folder);
    LocalToken token = local();
    person = token.get();
    server = start(ServerSettings.READER_STALL_MAX);
  }

  RestServer start(Duration stall) {
    return start(new Readers(stall, ServerSettings.READERS_MAX));
  }

  RestServer start(Readers readers) {
    return start(ServerSettings.on("127.0.0.1", 0).with(readers));
  }

  RestServer start(ServerSettings settings) {
    var callers = new Callers(local(), new AccessTokens(store));
    return RestServer.start(rooms, callers, settings, Wakeups.polling(), OpenTelemetry.noop());
  }

  LocalToken local() {
    return new LocalToken(folder.resolve(".mainstay"), "ada");
  }

  @AfterEach
  void stopServer() {
    server.close();
    rooms.close();
  }

  String token(Role role) {
    String terminal = role == Role.AGENT ? "coder-1" : null;
    return rooms.access().issue(new AccessTokens.Wanted(role, "x", terminal, null), ADA).secret();
  }

  /** What the server answered. */
  record Answer(int status, String text, HttpResponse<String> http) {
    JsonObject json() {
      return JsonText.object(text);
    }

    String header(String name) {
      return http.headers().firstValue(name).orElse("");
    }

    String code() {
      return json().text("code");
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  /** With the person's token unless a header says otherwise. */
  Answer send(String verb, String path, String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
    request.method(verb, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    request.setHeader("Authorization", "Bearer " + person);
    if (!body.isEmpty()) request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    return send(request.build());
  }

  Answer send(HttpRequest request) {
    try {
      HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body(), answer);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  /** The id of a new task. */
  String task(String title) {
    return post("/tasks", "{\"title\": \"" + title + "\"}").json().text("id");
  }
}
