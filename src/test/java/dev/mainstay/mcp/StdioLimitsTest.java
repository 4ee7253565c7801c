package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard input with more requests, longer lines and stranger ids than a client should send. */
class StdioLimitsTest {
  private static final String NEWEST = "2025-11-25";
  private static final String STATELESS =
      ",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}";

  private final TestOffer offer = new TestOffer();

  @Test
  void two_hundred_calls_at_once_are_all_answered() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      for (int id = 1; id <= 200; id++) {
        client.request(id, "tools/call", JsonObject.of("name", "wait"));
      }
      offer.waiting.await();
      offer.released.countDown();
      Set<Object> answered = new TreeSet<>();
      for (int i = 0; i < 200; i++) {
        JsonObject answer = client.next();
        assertThat(answer.get("error")).isNull();
        answered.add(answer.get("id"));
      }
      assertThat(answered).hasSize(200).contains(1L, 200L);
    }
  }

  @Test
  void a_cancellation_behind_waiting_requests_is_read_and_a_waiting_request_can_be_cancelled()
      throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      int last = CallQueue.RUNNING_MAX + CallQueue.WAITING_MAX;
      for (int id = 1; id <= last; id++) {
        client.request(id, "tools/call", JsonObject.of("name", "wait"));
      }
      client.notice("notifications/cancelled", JsonObject.of("requestId", last));
      client.notice("notifications/cancelled", JsonObject.of("requestId", 1));
      assertThat(offer.sawCancellation.await(20, TimeUnit.SECONDS)).isTrue();
      offer.released.countDown();
      Set<Object> answered = new TreeSet<>();
      for (int i = 0; i < last - 2; i++) answered.add(client.next().get("id"));
      assertThat(answered).doesNotContain(1L, (long) last);
    }
  }

  @Test
  void input_that_ends_behind_waiting_requests_loses_no_answer() throws Exception {
    StdioClient client = new StdioClient(offer).begun(NEWEST);
    for (int id = 1; id <= 100; id++) {
      client.request(id, "tools/call", JsonObject.of("name", "wait"));
    }
    client.end();
    offer.released.countDown();
    assertThat(client.awaitEnd()).isTrue();
    assertThat(client.left()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"a\":1,\"a\":2}}",
        "{\"method\":\"ping\",\"params\":{\"a\":1,\"a\":2},\"jsonrpc\":\"2.0\",\"id\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"id\":3,\"b\":nonsense}}",
        "{\"id\":7,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":[]}"
      })
  void an_unreadable_request_is_answered_with_its_id(String line) throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.send(line);
      JsonObject answer = client.next();
      assertThat(answer.get("id")).isEqualTo(7L);
      assertThat(answer.object("error").number("code"))
          .isIn((long) WireError.PARSE, (long) WireError.INVALID_REQUEST);
    }
  }

  @Test
  void a_request_that_is_too_deep_or_too_long_is_answered_with_its_id() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      String deep = "[".repeat(100) + "]".repeat(100);
      client.send("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":" + deep + ",\"id\":\"a-1\"}");
      assertThat(client.next().get("id")).isEqualTo("a-1");
      String text = "x".repeat(JsonText.DOCUMENT_BYTES_MAX);
      client.send("{\"method\":\"x\",\"params\":{\"t\":\"" + text + "\"},\"id\":8}");
      JsonObject answer = client.next();
      assertThat(answer.get("id")).isEqualTo(8L);
      assertThat(answer.object("error").text("message")).contains("4194304 bytes");
      assertThat(client.begun(NEWEST).ask(9, "ping", JsonObject.EMPTY).get("id")).isEqualTo(9L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "1180591620717411303424", "9223372036854775808", "1e3", "true"})
  void an_id_that_is_no_integer_of_64_bits_is_refused_in_both_eras(String id) throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      for (String more : new String[] {"", STATELESS}) {
        client.send(
            "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"" + more + "}");
        JsonObject answer = client.next();
        assertThat(answer.object("error").number("code")).isEqualTo(WireError.INVALID_REQUEST);
        assertThat(answer.object("error").text("message")).contains("64 bits");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, 1_234_567_890_123_456_789L})
  void every_integer_of_64_bits_is_an_id(long id) throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      client.send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}");
      JsonObject answer = client.next();
      assertThat(answer.get("error")).isNull();
      assertThat(RequestId.valid(answer.get("id"))).isEqualTo(id);
    }
  }

  @Test
  void invalid_utf_8_is_refused_and_calls_no_tool() throws Exception {
    try (StdioClient client = new StdioClient(offer)) {
      client.begun(NEWEST);
      String call =
          "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
              + "{\"name\":\"wait\",\"arguments\":{\"words\":\"\u00ff\u00fe\"}}}\n";
      client.send(call.getBytes(StandardCharsets.ISO_8859_1));
      JsonObject answer = client.next();
      assertThat(answer.get("id")).isEqualTo(5L);
      assertThat(answer.object("error").number("code")).isEqualTo(WireError.PARSE);
      assertThat(answer.object("error").text("message")).contains("UTF-8");
      assertThat(offer.waiting.getCount()).as("calls of the tool still expected").isOne();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"id\":1,\"x\":; 1",
        "{\"id\":1; ",
        "{\"params\":{\"id\":3},\"id\":\"b\"}; b",
        "{\"id\":1,\"id\":2}; ",
        "{\"a\":\"\\\"id\\\":4,\",\"id\":5}; 5",
        "{\"a\":[{\"id\":6}]}; ",
        "{\"id\":null}; ",
        "{\"id\":[7]}; ",
        "[{\"id\":8}]; ",
        "{}{\"id\":9}; "
      })
  void the_id_is_the_member_of_the_message_itself(String message, String id) {
    Object found = RequestId.in(message.getBytes(StandardCharsets.UTF_8));
    assertThat(found == null ? null : found.toString()).isEqualTo(id);
  }
}
