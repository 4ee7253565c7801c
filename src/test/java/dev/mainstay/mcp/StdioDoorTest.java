package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard input and output, in the revisions that begin with initialize. */
class StdioDoorTest {
  private static final String NEWEST = "2025-11-25";
  private final TestOffer offer = new TestOffer();

  @ParameterizedTest
  @ValueSource(strings = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
  void a_client_begins_with_initialize_and_gets_the_revision_it_asked_for(String version)
      throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(version);
      JsonObject tools = client.ask(1, "tools/list", JsonObject.EMPTY).object("result");
      assertThat(tools.objects("tools")).extracting(t -> t.text("name")).contains("echo", "wait");
    }
  }

  @Test
  void an_unknown_revision_is_answered_with_the_newest_that_has_sessions() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      JsonObject answer =
          client.ask(
              7,
              "initialize",
              JsonObject.of("protocolVersion", "1999-01-01", "capabilities", JsonObject.EMPTY)
                  .with("clientInfo", JsonObject.of("name", "x", "version", "1")));
      JsonObject result = answer.object("result");
      assertThat(result.text("protocolVersion")).isEqualTo(NEWEST);
      assertThat(result.text("instructions")).isEqualTo(offer.instructions());
      assertThat(result.object("serverInfo").text("name")).isEqualTo("mainstay");
      assertThat(result.object("serverInfo").text("version")).isEqualTo("1.2.3");
      assertThat(result.object("capabilities").object("resources").get("subscribe"))
          .isEqualTo(true);
      assertThat(result.object("capabilities").object("tools").get("listChanged"))
          .isNotEqualTo(true);
    }
  }

  @Test
  void a_tool_is_told_who_calls_and_from_where() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      JsonObject reply = client.call(5, "echo", JsonObject.EMPTY).object("result");
      assertThat(reply.objects("content").get(0).text("text")).isEqualTo("said hi");
      JsonObject known = reply.object("structuredContent");
      assertThat(known.text("agent")).isEqualTo("codex");
      assertThat(known.text("terminal")).isEqualTo("T1");
      assertThat(known.text("folder")).isEqualTo("/project");
      assertThat(known.text("key")).isEqualTo(known.text("connection") + ":5");
      assertThat(client.door.caller()).extracting(Guest::agent).isEqualTo("codex");
    }
  }

  @Test
  void the_hosts_name_for_the_use_of_a_tool_is_the_key() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      JsonObject meta = JsonObject.of("claudecode/toolUseId", "toolu_1");
      JsonObject reply = client.call(5, "echo", meta).object("result");
      assertThat(reply.object("structuredContent").text("key"))
          .isEqualTo("claudecode/toolUseId:toolu_1");
      JsonObject longOne = JsonObject.of("claudecode/toolUseId", "x".repeat(500));
      reply = client.call(6, "echo", longOne).object("result");
      assertThat(reply.object("structuredContent").text("key")).startsWith("sha256:").hasSize(71);
    }
  }

  @Test
  void a_refusal_is_a_reply_and_a_bug_tells_nothing_of_itself() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      JsonObject refused = client.call(1, "refuse", JsonObject.EMPTY).object("result");
      assertThat(refused.get("isError")).isEqualTo(true);
      assertThat(refused.objects("content").get(0).text("text")).contains("take another");
      JsonObject broken = client.call(2, "break", JsonObject.EMPTY).object("error");
      assertThat(broken.number("code")).isEqualTo(WireError.INTERNAL);
      assertThat(broken.toString()).doesNotContain("secret detail").doesNotContain("Exception");
      JsonObject unknown = client.call(3, "none", JsonObject.EMPTY).object("error");
      assertThat(unknown.number("code")).isEqualTo(WireError.INVALID_PARAMS);
    }
  }

  @Test
  void progress_and_log_come_before_the_answer_if_they_are_wanted() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      client.request(
          1,
          "tools/call",
          JsonObject.of("name", "report", "_meta", JsonObject.of("progressToken", 9)));
      JsonObject progress = client.next();
      assertThat(progress.text("method")).isEqualTo("notifications/progress");
      assertThat(progress.object("params").get("progressToken")).isEqualTo(9L);
      assertThat(progress.object("params").text("message")).isEqualTo("half");
      assertThat(client.next().object("params").text("data")).isEqualTo("look out");
      assertThat(client.next().get("id")).isEqualTo(1L);
      client.ask(2, "logging/setLevel", JsonObject.of("level", "error"));
      assertThat(client.call(3, "report", JsonObject.EMPTY).get("id")).isEqualTo(3L);
    }
  }

  @Test
  void a_call_that_is_called_off_hears_it_and_is_not_answered() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      client.request(1, "tools/call", JsonObject.of("name", "wait"));
      offer.waiting.await();
      client.notice("notifications/cancelled", JsonObject.of("requestId", 1));
      assertThat(offer.sawCancellation.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(client.ask(2, "ping", JsonObject.EMPTY).get("id")).isEqualTo(2L);
    }
  }

  @Test
  void what_runs_when_the_input_ends_is_answered_before_the_end() throws Exception {
    StdioClient client = new StdioClient(offer).begun(NEWEST);
    client.request(1, "tools/call", JsonObject.of("name", "wait"));
    offer.waiting.await();
    client.end();
    offer.released.countDown();
    assertThat(client.awaitEnd()).isTrue();
    assertThat(client.next().get("id")).isEqualTo(1L);
    assertThat(client.left()).isZero();
  }

  @Test
  void a_reader_who_has_gone_ends_the_door() throws Exception {
    StdioClient client = new StdioClient(offer).begun(NEWEST);
    client.readNoMore();
    client.request(1, "ping", JsonObject.EMPTY);
    assertThat(client.awaitEnd()).isFalse();
  }

  @Test
  void a_watched_resource_is_told_of_until_it_is_not_watched() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      assertThat(offer.listeners()).isZero();
      client.ask(1, "resources/subscribe", JsonObject.of("uri", TestOffer.NOTE));
      offer.changed("test://other");
      offer.changed(TestOffer.NOTE);
      JsonObject notice = client.next();
      assertThat(notice.text("method")).isEqualTo("notifications/resources/updated");
      assertThat(notice.object("params").text("uri")).isEqualTo(TestOffer.NOTE);
      client.ask(2, "resources/unsubscribe", JsonObject.of("uri", TestOffer.NOTE));
      offer.changed(TestOffer.NOTE);
      assertThat(client.ask(3, "ping", JsonObject.EMPTY).get("id")).isEqualTo(3L);
    }
  }

  @Test
  void resources_prompts_and_completions_are_served() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      JsonObject read =
          client.ask(1, "resources/read", JsonObject.of("uri", "test://notes/12")).object("result");
      assertThat(read.objects("contents").get(0).text("text")).isEqualTo("one of many");
      JsonObject missing =
          client.ask(2, "resources/read", JsonObject.of("uri", "test://notes/404")).object("error");
      assertThat(missing.number("code")).isEqualTo(WireError.RESOURCE_NOT_FOUND);
      JsonObject templates =
          client.ask(3, "resources/templates/list", JsonObject.EMPTY).object("result");
      assertThat(templates.objects("resourceTemplates").get(0).text("uriTemplate"))
          .isEqualTo(TestOffer.TEMPLATE);
      JsonObject said =
          client
              .ask(
                  4,
                  "prompts/get",
                  JsonObject.of("name", "greet", "arguments", JsonObject.of("name", "Ada")))
              .object("result");
      assertThat(said.objects("messages").get(0).object("content").text("text"))
          .isEqualTo("Hello Ada");
      JsonObject completion =
          client
              .ask(
                  5,
                  "completion/complete",
                  JsonObject.of("ref", JsonObject.of("type", "ref/prompt", "name", "greet"))
                      .with("argument", JsonObject.of("name", "name", "value", "a")))
              .object("result");
      assertThat(completion.object("completion").list("values")).isEqualTo(List.of("ada", "alan"));
    }
  }

  @Test
  void what_is_no_message_is_told_and_what_follows_is_answered() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.send("{nonsense");
      assertThat(client.next().object("error").number("code")).isEqualTo(WireError.PARSE);
      client.send("[]");
      assertThat(client.next().object("error").number("code")).isEqualTo(WireError.INVALID_REQUEST);
      client.send("");
      JsonObject early = client.ask(1, "tools/list", JsonObject.EMPTY).object("error");
      assertThat(early.text("message")).contains("initialize");
      client.begun(NEWEST);
      JsonObject unknown = client.ask(2, "no/such", JsonObject.EMPTY).object("error");
      assertThat(unknown.number("code")).isEqualTo(WireError.METHOD_NOT_FOUND);
    }
  }

  @Test
  void who_may_only_look_is_not_let_change_anything() throws Exception {
    Origin viewer = new Origin(null, java.nio.file.Path.of("/project"), false);
    try (StdioClient client = new StdioClient(offer, viewer)) {
      client.begun(NEWEST);
      JsonObject refused = client.call(1, "change", JsonObject.EMPTY).object("result");
      assertThat(refused.get("isError")).isEqualTo(true);
      assertThat(client.call(2, "echo", JsonObject.EMPTY).object("result").get("isError")).isNull();
    }
  }
}
