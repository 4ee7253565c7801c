package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.JsonObject;
import org.junit.jupiter.api.Test;

/** Standard input and output, in the revision in which each request stands for itself. */
class StdioStatelessTest {
  private final TestOffer offer = new TestOffer();

  static JsonObject meta(String version) {
    return JsonObject.of(Stateless.VERSION, version, Stateless.CAPABILITIES, JsonObject.EMPTY)
        .with(Stateless.CLIENT, JsonObject.of("name", "gemini-cli-mcp-client", "version", "1"));
  }

  static JsonObject params() {
    return JsonObject.of("_meta", meta(Revision.STATELESS));
  }

  @Test
  void a_server_says_what_it_is_without_a_handshake() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject found = client.ask(1, "server/discover", params()).object("result");
      assertThat(found.texts("supportedVersions"))
          .containsExactly("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
      assertThat(found.text("resultType")).isEqualTo("complete");
      assertThat(found.object("_meta").object(Stateless.SERVER).text("name")).isEqualTo("mainstay");
      assertThat(found.object("capabilities").has("tools")).isTrue();
      assertThat(found.text("instructions")).isEqualTo(offer.instructions());
    }
  }

  @Test
  void lists_say_how_long_they_may_be_kept_and_a_call_does_not() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject list = client.ask(1, "tools/list", params()).object("result");
      assertThat(list.number("ttlMs")).isPositive();
      assertThat(list.text("cacheScope")).isEqualTo("public");
      JsonObject read =
          client.ask(2, "resources/read", params().with("uri", TestOffer.NOTE)).object("result");
      assertThat(read.number("ttlMs")).isZero();
      assertThat(read.text("cacheScope")).isEqualTo("private");
      JsonObject reply =
          client.ask(3, "tools/call", params().with("name", "echo")).object("result");
      assertThat(reply.has("ttlMs")).isFalse();
      assertThat(reply.text("resultType")).isEqualTo("complete");
      assertThat(reply.object("structuredContent").text("agent")).isEqualTo("gemini");
    }
  }

  @Test
  void a_request_that_lacks_what_each_must_say_is_refused() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject bare = client.ask(1, "server/discover", JsonObject.EMPTY).object("error");
      assertThat(bare.number("code")).isEqualTo(WireError.INVALID_PARAMS);
      JsonObject capable = JsonObject.of("_meta", JsonObject.of(Stateless.VERSION, "2026-07-28"));
      JsonObject error = client.ask(2, "tools/list", capable).object("error");
      assertThat(error.number("code")).isEqualTo(WireError.INVALID_PARAMS);
    }
  }

  @Test
  void an_unknown_revision_is_answered_with_those_that_are_known() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject error =
          client.ask(1, "tools/list", JsonObject.of("_meta", meta("2031-01-01"))).object("error");
      assertThat(error.number("code")).isEqualTo(WireError.UNSUPPORTED_VERSION);
      assertThat(error.object("data").texts("supported")).contains("2026-07-28", "2025-11-25");
      assertThat(error.object("data").text("requested")).isEqualTo("2031-01-01");
    }
  }

  @Test
  void methods_of_sessions_are_not_there_and_a_missing_resource_is_a_wrong_parameter()
      throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      int id = 0;
      for (String method : new String[] {"initialize", "ping", "logging/setLevel"}) {
        JsonObject error = client.ask(++id, method, params()).object("error");
        assertThat(error.number("code")).as(method).isEqualTo(WireError.METHOD_NOT_FOUND);
      }
      JsonObject error =
          client.ask(9, "resources/read", params().with("uri", "test://none")).object("error");
      assertThat(error.number("code")).isEqualTo(WireError.INVALID_PARAMS);
      assertThat(error.object("data").text("uri")).isEqualTo("test://none");
    }
  }

  @Test
  void a_log_is_sent_only_to_a_request_that_asks_for_it() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject call = params().with("name", "report");
      assertThat(client.ask(1, "tools/call", call).has("result")).isTrue();
      JsonObject wanting = meta(Revision.STATELESS).with(Stateless.LOG_LEVEL, "debug");
      client.request(2, "tools/call", call.with("_meta", wanting));
      assertThat(client.next().object("params").text("data")).isEqualTo("look out");
      assertThat(client.next().object("params").text("data")).isEqualTo("nothing");
      assertThat(client.next().get("id")).isEqualTo(2L);
    }
  }

  @Test
  void a_subscription_is_acknowledged_heard_and_ended_with_its_result() throws Exception {
    StdioClient client = new StdioClient(offer);
    JsonObject wanted =
        JsonObject.of("resourceSubscriptions", java.util.List.of(TestOffer.NOTE))
            .with("toolsListChanged", true);
    client.request(4, "subscriptions/listen", params().with("notifications", wanted));
    JsonObject acknowledged = client.next();
    assertThat(acknowledged.text("method")).isEqualTo("notifications/subscriptions/acknowledged");
    JsonObject honoured = acknowledged.object("params").object("notifications");
    assertThat(honoured.asMap()).containsOnlyKeys("resourceSubscriptions");
    client.request(5, "tools/call", params().with("name", "touch"));
    JsonObject notice = client.next();
    assertThat(notice.object("params").text("uri")).isEqualTo(TestOffer.NOTE);
    assertThat(notice.object("params").object("_meta").get(Stateless.SUBSCRIPTION)).isEqualTo(4L);
    assertThat(client.next().get("id")).isEqualTo(5L);
    client.end();
    assertThat(client.awaitEnd()).isTrue();
    JsonObject end = client.next();
    assertThat(end.get("id")).isEqualTo(4L);
    assertThat(end.object("result").object("_meta").get(Stateless.SUBSCRIPTION)).isEqualTo(4L);
  }

  @Test
  void a_change_right_after_the_acknowledgement_is_heard() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      Thread change = new Thread(() -> offer.changed(TestOffer.NOTE));
      client.whenWritten(
          line -> {
            if (!line.contains("acknowledged")) return;
            change.start();
            // It has either been told already, to nobody, or waits until the listener is noted.
            while (change.isAlive() && change.getState() != Thread.State.BLOCKED) Pause.briefly();
          });
      JsonObject wanted = JsonObject.of("resourceSubscriptions", java.util.List.of(TestOffer.NOTE));
      client.request(4, "subscriptions/listen", params().with("notifications", wanted));
      assertThat(client.next().text("method")).endsWith("acknowledged");
      assertThat(client.next().object("params").text("uri")).isEqualTo(TestOffer.NOTE);
    }
  }

  @Test
  void one_listener_too_many_is_told_so() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      for (int i = 0; i < Listeners.LISTENERS_MAX; i++) {
        client.request(i, "subscriptions/listen", params());
        assertThat(client.next().text("method")).endsWith("acknowledged");
      }
      client.request(1_000, "subscriptions/listen", params());
      assertThat(client.next().object("error").get("code")).isEqualTo((long) WireError.BUSY);
    }
  }

  @Test
  void both_eras_are_spoken_beside_each_other() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun("2025-06-18");
      JsonObject old = client.call(1, "echo", JsonObject.EMPTY).object("result");
      JsonObject young =
          client.ask(2, "tools/call", params().with("name", "echo")).object("result");
      assertThat(old.has("resultType")).isFalse();
      assertThat(young.has("resultType")).isTrue();
      assertThat(old.object("structuredContent").text("connection"))
          .isEqualTo(young.object("structuredContent").text("connection"));
    }
  }
}
