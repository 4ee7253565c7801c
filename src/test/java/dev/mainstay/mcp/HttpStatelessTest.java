package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.mcp.McpServer.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP, in the revision in which each request stands for itself. */
class HttpStatelessTest {
  private static final String VERSION = "MCP-Protocol-Version";

  @TempDir Path folder;
  private final TestOffer offer = new TestOffer();
  private McpServer server;

  @BeforeEach
  void start() {
    server = new McpServer(offer, folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static JsonObject call(String tool) {
    return JsonObject.of("name", tool, "arguments", JsonObject.of("words", "hi"));
  }

  @Test
  void a_request_needs_no_session_and_begins_none() {
    Answer found = server.alone(1, "server/discover", JsonObject.EMPTY);
    assertThat(found.status()).isEqualTo(200);
    assertThat(found.result().texts("supportedVersions")).contains("2026-07-28", "2025-11-25");
    assertThat(found.header("Mcp-Session-Id")).isEmpty();
    JsonObject known =
        server.alone(2, "tools/call", call("echo")).result().object("structuredContent");
    assertThat(known.text("agent")).isEqualTo("gemini");
    assertThat(known.has("key")).as("numbers of such requests are not their own").isFalse();
    assertThat(server.door.sessions()).isZero();
  }

  @Test
  void the_same_client_with_the_same_token_is_the_same_caller() {
    String agent = "Bearer " + server.token(Role.AGENT);
    String one = connection("Authorization", agent);
    assertThat(connection("Authorization", agent)).isEqualTo(one);
    assertThat(connection()).isNotEqualTo(one);
  }

  private String connection(String... headers) {
    return server
        .alone(1, "tools/call", call("echo"), headers)
        .result()
        .object("structuredContent")
        .text("connection");
  }

  @Test
  void headers_must_repeat_what_the_request_says() {
    assertThat(server.alone(1, "tools/list", JsonObject.EMPTY, "Mcp-Method", "x").code())
        .isEqualTo(WireError.HEADER_MISMATCH);
    Answer other = server.alone(2, "tools/call", call("echo"), "Mcp-Name", "change");
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.code()).isEqualTo(WireError.HEADER_MISMATCH);
    Answer version = server.alone(3, "tools/list", JsonObject.EMPTY, VERSION, "2025-11-25");
    assertThat(version.code()).isEqualTo(WireError.HEADER_MISMATCH);
    String encoded =
        "=?base64?"
            + Base64.getEncoder().encodeToString("echo".getBytes(StandardCharsets.UTF_8))
            + "?=";
    assertThat(server.alone(4, "tools/call", call("echo"), "Mcp-Name", encoded).status())
        .isEqualTo(200);
    assertThat(server.alone(5, "tools/call", call("echo"), "Mcp-Name", "=?base64?!?=").code())
        .isEqualTo(WireError.HEADER_MISMATCH);
  }

  @Test
  void what_each_request_must_say_is_asked_for() {
    String bare = McpServer.message(1, "tools/list", JsonObject.EMPTY);
    Answer answer = server.post(bare, VERSION, Revision.STATELESS, "Mcp-Method", "tools/list");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo(WireError.INVALID_PARAMS);
    assertThat(answer.last().get("id")).isEqualTo(1L);
  }

  @Test
  void an_unknown_version_is_answered_with_the_known_ones_wherever_it_stands() {
    JsonObject params = JsonObject.of("_meta", StdioStatelessTest.meta("v999"));
    Answer both = server.ask(1, "tools/list", params, VERSION, "v999", "Mcp-Method", "tools/list");
    Answer header = server.ask(2, "tools/list", JsonObject.EMPTY, VERSION, "v999");
    for (Answer answer : List.of(both, header)) {
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo(WireError.UNSUPPORTED_VERSION);
      JsonObject data = answer.last().object("error").object("data");
      assertThat(data.texts("supported")).isEqualTo(Revision.ALL);
      assertThat(data.text("requested")).isEqualTo("v999");
    }
  }

  @Test
  void methods_that_are_not_there_are_not_found() {
    for (String method : List.of("initialize", "ping", "resources/subscribe", "no/such")) {
      Answer answer = server.alone(1, method, JsonObject.EMPTY);
      assertThat(answer.status()).as(method).isEqualTo(404);
      assertThat(answer.code()).isEqualTo(WireError.METHOD_NOT_FOUND);
    }
  }

  @Test
  void an_answer_is_plain_unless_something_is_said_before_it() {
    assertThat(server.alone(1, "tools/call", call("report")).header("Content-Type"))
        .startsWith("application/json");
    JsonObject wanting =
        call("report")
            .with("_meta", JsonObject.of("progressToken", 4, Stateless.LOG_LEVEL, "info"));
    Answer answer = server.alone(2, "tools/call", wanting);
    assertThat(answer.header("Content-Type")).startsWith("text/event-stream");
    assertThat(answer.messages())
        .extracting(m -> m.textOrNull("method"))
        .containsExactly("notifications/progress", "notifications/message", null);
    assertThat(answer.result().text("resultType")).isEqualTo("complete");
  }

  @Test
  void a_subscription_hears_what_it_asked_for_until_the_server_stops() throws Exception {
    JsonObject wanted = JsonObject.of("resourceSubscriptions", List.of(TestOffer.NOTE));
    var stream =
        server.open(
            server
                .aloneRequest("s1", "subscriptions/listen", JsonObject.of("notifications", wanted))
                .build());
    try (var lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      assertThat(next(lines).text("method")).isEqualTo("notifications/subscriptions/acknowledged");
      assertThat(server.door.listeners()).isEqualTo(1);
      offer.changed("test://other");
      offer.changed(TestOffer.NOTE);
      JsonObject notice = next(lines).object("params");
      assertThat(notice.text("uri")).isEqualTo(TestOffer.NOTE);
      assertThat(notice.object("_meta").text(Stateless.SUBSCRIPTION)).isEqualTo("s1");
      server.close();
      assertThat(next(lines).text("id")).isEqualTo("s1");
      assertThat(lines.lines().filter(line -> line.startsWith("data:"))).isEmpty();
    }
  }

  @Test
  void who_listens_is_sent_away_once_his_token_is_worth_nothing() throws Exception {
    String viewer = server.token(Role.VIEWER);
    JsonObject wanted = JsonObject.of("resourceSubscriptions", List.of(TestOffer.NOTE));
    var stream =
        server.open(
            server
                .aloneRequest(
                    "s1",
                    "subscriptions/listen",
                    JsonObject.of("notifications", wanted),
                    "Authorization",
                    "Bearer " + viewer)
                .build());
    try (var lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      assertThat(next(lines).text("method")).isEqualTo("notifications/subscriptions/acknowledged");
      server.revoke(viewer);
      offer.changed(TestOffer.NOTE);
      offer.changed(TestOffer.NOTE);
      List<String> rest = lines.lines().filter(line -> line.startsWith("data:")).toList();
      assertThat(rest.get(rest.size() - 1)).contains("\"id\":\"s1\"");
    }
  }

  private static JsonObject next(BufferedReader lines) throws java.io.IOException {
    while (true) {
      String line = lines.readLine();
      assertThat(line).isNotNull();
      if (line.startsWith("data:")) return JsonText.object(line.substring(5).strip());
    }
  }

  @Test
  void who_lacks_what_a_tool_needs_is_told_what() {
    Answer lacking = server.alone(1, "tools/call", call("need"));
    assertThat(lacking.status()).isEqualTo(400);
    assertThat(lacking.code()).isEqualTo(WireError.MISSING_CAPABILITY);
    assertThat(lacking.last().object("error").object("data").object("requiredCapabilities"))
        .isEqualTo(JsonObject.of("sampling", JsonObject.EMPTY));
    JsonObject able = JsonObject.of("sampling", JsonObject.EMPTY);
    JsonObject capable = call("need").with("_meta", JsonObject.of(Stateless.CAPABILITIES, able));
    assertThat(server.alone(2, "tools/call", capable).status()).isEqualTo(200);
  }
}
