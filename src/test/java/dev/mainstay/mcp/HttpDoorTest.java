package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.mcp.McpServer.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP, in the revisions that have sessions. */
class HttpDoorTest {
  private static final String SESSION = "Mcp-Session-Id";
  private static final int CLIENTS = 50;

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
  void a_session_is_begun_used_and_ended() {
    String session = server.begin();
    JsonObject tools = server.ask(1, "tools/list", JsonObject.EMPTY, SESSION, session).result();
    assertThat(tools.objects("tools")).extracting(t -> t.text("name")).contains("echo");
    JsonObject known =
        server
            .ask(2, "tools/call", call("echo"), SESSION, session)
            .result()
            .object("structuredContent");
    assertThat(known.text("agent")).isEqualTo("codex");
    assertThat(known.text("connection")).isEqualTo(session);
    assertThat(known.text("folder")).isEqualTo("/project");
    assertThat(known.text("key")).isEqualTo(session + ":2");
    assertThat(server.door.sessions()).isEqualTo(1);
    var delete = server.request(SESSION, session).DELETE().build();
    assertThat(server.send(delete).status()).isEqualTo(200);
    assertThat(server.door.sessions()).isZero();
    assertThat(server.ask(3, "ping", JsonObject.EMPTY, SESSION, session).status()).isEqualTo(404);
  }

  @Test
  void nobody_comes_in_without_a_token_or_from_another_page() {
    String ping = McpServer.message(1, "ping", JsonObject.EMPTY);
    assertThat(server.post(ping, "Authorization", "Bearer wrong").status()).isEqualTo(401);
    assertThat(server.post(ping, "Origin", "http://evil.example.com").status()).isEqualTo(403);
    String own = "http://127.0.0.1:" + server.server.port();
    assertThat(server.post(ping, "Origin", own).status()).isEqualTo(400);
    var bare =
        java.net.http.HttpRequest.newBuilder(server.uri())
            .POST(BodyPublishers.ofString(ping))
            .build();
    Answer answer = server.send(bare);
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
  }

  @Test
  void its_requests_are_figures_like_all_others() {
    server.begin();
    server.post("{}", "Authorization", "Bearer wrong");
    server.send(server.request().method("MADEUP", BodyPublishers.noBody()).build());
    URI figures = URI.create("http://127.0.0.1:" + server.server.port() + "/metrics");
    String told = server.send(server.request().uri(figures).GET().build()).http().body();
    assertThat(told)
        .contains("method=\"POST\",route=\"/mcp\",status=\"200\"")
        .contains("method=\"POST\",route=\"/mcp\",status=\"401\"")
        .contains("method=\"\",route=\"/mcp\",status=\"405\"")
        .doesNotContain("MADEUP");
  }

  @Test
  void an_error_tells_what_to_do_and_nothing_of_the_program() {
    String session = server.begin();
    List<Answer> errors =
        List.of(
            server.ask(1, "tools/list", JsonObject.EMPTY),
            server.ask(2, "tools/list", JsonObject.EMPTY, SESSION, "none"),
            server.ask(3, "tools/list", JsonObject.EMPTY, SESSION, session, "Accept", "text/html"),
            server.post("{oops", SESSION, session),
            server.post("[]", SESSION, session),
            server.post("{}", SESSION, session),
            server.post("x", "Content-Type", "text/plain"),
            server.send(server.request().GET().build()),
            server.send(server.request(SESSION, "none").GET().build()),
            server.send(server.request().DELETE().build()));
    for (Answer error : errors) {
      assertThat(error.status()).as(error.http().body()).isBetween(400, 500);
      assertThat(error.http().body())
          .doesNotContain("stackTrace")
          .doesNotContain("Exception")
          .doesNotContain("io.modelcontextprotocol")
          .doesNotContain(".java");
      assertThat(error.last().object("error").text("message")).isNotBlank();
    }
    assertThat(errors.get(0).last().get("id")).isEqualTo(1L);
    assertThat(server.send(server.request().PUT(BodyPublishers.ofString("")).build()).status())
        .isEqualTo(405);
  }

  @Test
  void a_bug_in_a_tool_tells_nothing_of_itself() {
    String session = server.begin();
    Answer broken = server.ask(1, "tools/call", call("break"), SESSION, session);
    assertThat(broken.code()).isEqualTo(WireError.INTERNAL);
    assertThat(broken.http().body()).doesNotContain("secret detail").doesNotContain("Exception");
  }

  @Test
  void what_is_too_long_is_not_read() {
    String session = server.begin();
    String large = "x".repeat(HttpDoor.BODY_BYTES_MAX + 1);
    assertThat(server.post(large, SESSION, session).status()).isEqualTo(413);
  }

  @Test
  void progress_and_log_come_on_the_stream_of_their_request_without_ids() {
    String session = server.begin();
    JsonObject report = call("report").with("_meta", JsonObject.of("progressToken", "p"));
    Answer answer = server.ask(1, "tools/call", report, SESSION, session);
    assertThat(answer.messages())
        .extracting(m -> m.textOrNull("method"))
        .containsExactly("notifications/progress", "notifications/message", null);
    assertThat(answer.messages().get(0).object("params").text("progressToken")).isEqualTo("p");
    assertThat(answer.http().body().lines()).noneMatch(line -> line.startsWith("id:"));
  }

  @Test
  void a_session_belongs_to_the_token_that_began_it() {
    String agent = "Bearer " + server.token(Role.AGENT);
    String session = server.begin("Authorization", agent);
    assertThat(server.ask(1, "ping", JsonObject.EMPTY, SESSION, session).status()).isEqualTo(404);
    JsonObject known =
        server
            .ask(2, "tools/call", call("echo"), SESSION, session, "Authorization", agent)
            .result()
            .object("structuredContent");
    assertThat(known.text("terminal")).isEqualTo("coder-1");
  }

  @Test
  void a_viewer_may_only_look() {
    String viewer = "Bearer " + server.token(Role.VIEWER);
    String session = server.begin("Authorization", viewer);
    JsonObject refused =
        server
            .ask(1, "tools/call", call("change"), SESSION, session, "Authorization", viewer)
            .result();
    assertThat(refused.get("isError")).isEqualTo(true);
  }

  @Test
  void a_call_is_called_off_by_a_notice_in_its_session() throws Exception {
    String session = server.begin();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      threads.submit(() -> server.ask(7, "tools/call", call("wait"), SESSION, session));
      offer.waiting.await();
      String notice =
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}";
      assertThat(server.post(notice, SESSION, session).status()).isEqualTo(202);
      assertThat(offer.sawCancellation.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void who_watches_a_resource_is_told_on_the_stream_it_keeps_open() throws Exception {
    String session = server.begin();
    var stream =
        server.open(server.request(SESSION, session, "Accept", "text/event-stream").GET().build());
    assertThat(stream.statusCode()).isEqualTo(200);
    JsonObject note = JsonObject.of("uri", TestOffer.NOTE);
    server.ask(1, "resources/subscribe", note, SESSION, session);
    offer.changed(TestOffer.NOTE);
    try (var lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      String data = lines.lines().filter(line -> line.startsWith("data:")).findFirst().orElse("");
      assertThat(data).contains("notifications/resources/updated").contains(TestOffer.NOTE);
    }
  }

  @Test
  void many_clients_talk_at_once_and_none_hears_another() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    Set<String> connections = ConcurrentHashMap.newKeySet();
    try {
      List<Future<Boolean>> all =
          IntStream.range(0, CLIENTS)
              .mapToObj(client -> threads.submit(() -> talks(client, connections)))
              .toList();
      for (Future<Boolean> each : all) assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdown();
    }
    assertThat(connections).hasSize(CLIENTS);
    assertThat(server.door.sessions()).isEqualTo(CLIENTS);
  }

  private boolean talks(int client, Set<String> connections) {
    String session = server.begin();
    for (int i = 1; i <= 5; i++) {
      JsonObject said =
          JsonObject.of("name", "echo", "arguments", JsonObject.of("words", client + "/" + i));
      JsonObject reply = server.ask(i, "tools/call", said, SESSION, session).result();
      assertThat(reply.objects("content").get(0).text("text"))
          .isEqualTo("said " + client + "/" + i);
      connections.add(reply.object("structuredContent").text("connection"));
    }
    return true;
  }

  @Test
  void a_server_that_stops_ends_its_streams_and_answers_what_it_was_asked() throws Exception {
    String session = server.begin();
    var stream =
        server.open(server.request(SESSION, session, "Accept", "text/event-stream").GET().build());
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      var answer =
          threads.submit(() -> server.ask(7, "tools/call", call("wait"), SESSION, session));
      offer.waiting.await();
      var closing = threads.submit(() -> server.server.close());
      stream.body().readAllBytes(); // its end is the first sign of the stop
      offer.released.countDown();
      assertThat(answer.get(20, TimeUnit.SECONDS).result().objects("content")).isNotEmpty();
      closing.get(20, TimeUnit.SECONDS);
    } finally {
      threads.shutdown();
    }
  }
}
