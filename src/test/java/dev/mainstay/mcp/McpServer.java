package dev.mainstay.mcp;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.access.Callers;
import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Mounted;
import dev.mainstay.rest.RestServer;
import dev.mainstay.rest.ServerSettings;
import dev.mainstay.rest.Surroundings;
import dev.mainstay.rest.Wakeups;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A real server with the door of MCP, and raw requests to it. */
final class McpServer implements AutoCloseable {
  static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final HttpDoor door;
  final RestServer server;
  final String person;
  private final Mainstay mainstay;
  private final LocalToken local;

  McpServer(Registry registry, Path folder) {
    mainstay = Mainstay.open(folder.resolve("store.sqlite3").toString());
    local = new LocalToken(folder.resolve(".mainstay"), "ada");
    person = local.get();
    Callers callers = new Callers(local, mainstay.access());
    door = new HttpDoor(registry, "1.2.3", Path.of("/project"), callers::isAlive);
    server =
        RestServer.start(
            mainstay,
            callers,
            ServerSettings.on("127.0.0.1", 0),
            new Surroundings(
                Wakeups.polling(),
                OpenTelemetry.noop(),
                List.of(Mounted.forCallers(HttpDoor.PATH, door, door::close))));
  }

  String token(Role role) {
    String terminal = role == Role.AGENT ? "coder-1" : null;
    return mainstay
        .access()
        .issue(
            new AccessTokens.Wanted(role, "x", terminal, null),
            Call.by(Actor.person("ada"), "test"))
        .secret();
  }

  /** The secret of a token is worth nothing from now on. */
  void revoke(String secret) {
    String id = new Callers(local, mainstay.access()).who(secret).orElseThrow().credential();
    mainstay.access().revoke(id, Call.by(Actor.person("ada"), "test"));
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.port() + HttpDoor.PATH);
  }

  /** What came back; for events, the messages in them. */
  record Answer(int status, HttpResponse<String> http) {
    String header(String name) {
      return http.headers().firstValue(name).orElse("");
    }

    List<JsonObject> messages() {
      if (!header("Content-Type").startsWith("text/event-stream")) {
        return List.of(JsonText.object(http.body()));
      }
      return http.body()
          .lines()
          .filter(line -> line.startsWith("data:"))
          .map(line -> JsonText.object(line.substring(5).strip()))
          .toList();
    }

    JsonObject last() {
      List<JsonObject> all = messages();
      return all.get(all.size() - 1);
    }

    JsonObject result() {
      return last().object("result");
    }

    long code() {
      return last().object("error").number("code");
    }
  }

  HttpRequest.Builder request(String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri())
            .timeout(Duration.ofSeconds(30))
            .setHeader("Authorization", "Bearer " + person)
            .setHeader("Content-Type", "application/json")
            .setHeader("Accept", "application/json, text/event-stream");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    return request;
  }

  Answer send(HttpRequest request) {
    try {
      HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Begins an answer whose body is read while it comes. */
  HttpResponse<InputStream> open(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofInputStream());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  Answer post(String body, String... headers) {
    return send(request(headers).POST(BodyPublishers.ofString(body)).build());
  }

  Answer ask(Object id, String method, JsonObject params, String... headers) {
    return post(message(id, method, params), headers);
  }

  static String message(Object id, String method, JsonObject params) {
    return JsonText.write(
        JsonObject.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
  }

  /** The id of a new session. */
  String begin(String... headers) {
    JsonObject client = JsonObject.of("name", "codex-mcp-client", "version", "1");
    JsonObject params =
        JsonObject.of("protocolVersion", "2025-11-25", "capabilities", JsonObject.EMPTY)
            .with("clientInfo", client);
    Answer begun = ask(0, "initialize", params, headers);
    String session = begun.header("Mcp-Session-Id");
    String notice =
        JsonText.write(JsonObject.of("jsonrpc", "2.0", "method", "notifications/initialized"));
    String[] more = java.util.Arrays.copyOf(headers, headers.length + 2);
    more[headers.length] = "Mcp-Session-Id";
    more[headers.length + 1] = session;
    post(notice, more);
    return session;
  }

  /** A request that stands for itself, with the headers that repeat it. */
  Answer alone(Object id, String method, JsonObject params, String... headers) {
    return send(aloneRequest(id, method, params, headers).build());
  }

  HttpRequest.Builder aloneRequest(Object id, String method, JsonObject params, String... headers) {
    JsonObject meta = StdioStatelessTest.meta(Revision.STATELESS);
    if (params.get("_meta") instanceof JsonObject more) {
      for (var entry : more.asMap().entrySet()) meta = meta.with(entry.getKey(), entry.getValue());
    }
    HttpRequest.Builder request =
        request("MCP-Protocol-Version", Revision.STATELESS, "Mcp-Method", method);
    Object name = params.get("name") != null ? params.get("name") : params.get("uri");
    if (name != null) request.setHeader("Mcp-Name", name.toString());
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    return request.POST(BodyPublishers.ofString(message(id, method, params.with("_meta", meta))));
  }

  @Override
  public void close() {
    server.close();
    mainstay.close();
  }
}
