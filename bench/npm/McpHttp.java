import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/** A client of MCP over HTTP, in one session and one connection that is kept. */
final class McpHttp {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI address;
  private final Optional<String> token;
  private Optional<String> session = Optional.empty();
  private long id;

  McpHttp(URI address, Optional<String> token) {
    this.address = address;
    this.token = token;
  }

  void begin() throws IOException, InterruptedException {
    ask(
        "initialize",
        JsonObject.of("protocolVersion", "2025-06-18", "capabilities", JsonObject.EMPTY)
            .with("clientInfo", JsonObject.of("name", "bench", "version", "1")));
    post(JsonObject.of("jsonrpc", "2.0", "method", "notifications/initialized"));
  }

  String call(String tool, JsonObject arguments) throws IOException, InterruptedException {
    JsonObject result = ask("tools/call", JsonObject.of("name", tool, "arguments", arguments));
    String text = result.objects("content").get(0).text("text");
    if (Boolean.TRUE.equals(result.get("isError"))) throw new IOException(tool + ": " + text);
    return text;
  }

  private JsonObject ask(String method, JsonObject params)
      throws IOException, InterruptedException {
    String body =
        post(JsonObject.of("jsonrpc", "2.0", "id", ++id, "method", method, "params", params));
    // Some answer with a stream of one event.
    String json = body.startsWith("{") ? body : body.substring(body.indexOf("data: ") + 6).strip();
    JsonObject answer = JsonText.object(json);
    if (answer.has("error")) throw new IOException(method + ": " + answer.get("error"));
    return answer.object("result");
  }

  private String post(JsonObject message) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2025-06-18")
            .POST(HttpRequest.BodyPublishers.ofString(JsonText.write(message)));
    token.ifPresent(each -> request.header("Authorization", "Bearer " + each));
    session.ifPresent(each -> request.header("Mcp-Session-Id", each));
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(response.statusCode() + ": " + response.body());
    }
    if (session.isEmpty()) session = response.headers().firstValue("Mcp-Session-Id");
    return response.body();
  }
}
