package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.context.LastExchange.Fitted;
import dev.mainstay.context.Message.ToolCall;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What fits beside a snapshot: one token for each character, and four for a message or a call. */
class LastExchangeTest {
  private static LastExchange exchange(Message... messages) {
    var slots = Stream.of(messages).map(message -> Slot.of(message, String::length)).toList();
    return LastExchange.of(slots, String::length);
  }

  private static Fitted within(int room, Message... messages) {
    return exchange(messages).within(room, String::length);
  }

  private static Message user(int chars) {
    return Message.user("u" + chars, "u".repeat(chars));
  }

  private static Message said(String id, int chars) {
    return Message.assistant(id, "a".repeat(chars));
  }

  private static ToolCall call(String id, int argumentChars) {
    return new ToolCall(id, "read", "z".repeat(argumentChars));
  }

  private static String leftOut(int whole, int inPart) {
    return "\n\n[left out of the last exchange: %d messages or calls whole, %d in part]"
        .formatted(whole, inPart);
  }

  private static int size(Message message) {
    return Slot.of(message, String::length).tokens();
  }

  @Test
  void what_fits_to_the_last_token_is_sent_whole() {
    Message[] both = {user(100), said("a1", 200)};
    assertThat(exchange(both).tokens()).isEqualTo(308);

    Fitted fitted = within(308, both);
    assertThat(fitted.messages()).containsExactly(both);
    assertThat(fitted.leftOut()).isEmpty();
    assertThat(within(307, both).leftOut()).isEqualTo(leftOut(0, 1));
  }

  @Test
  void what_a_person_said_last_has_a_third_of_the_room() {
    Fitted fitted = within(600, user(1_000), said("a1", 1_000));

    assertThat(fitted.leftOut()).isEqualTo(leftOut(0, 2));
    assertThat(size(fitted.messages().get(0))).isBetween(180, 198);
    assertThat(size(fitted.messages().get(1))).isBetween(370, 420);
    assertThat(fitted.messages().stream().mapToInt(LastExchangeTest::size).sum())
        .isLessThanOrEqualTo(600);
  }

  @Test
  void a_person_has_more_where_the_others_need_less() {
    Fitted fitted = within(800, user(1_000), said("a1", 10));

    assertThat(fitted.messages().get(1).content()).hasSize(10);
    assertThat(size(fitted.messages().get(0))).isBetween(740, 786);
  }

  @Test
  void without_a_person_the_newest_comes_first_and_nothing_is_passed_over() {
    Fitted fitted = within(504, said("a1", 30), said("a2", 300), said("a3", 500));

    assertThat(fitted.messages()).extracting(Message::id).containsExactly("a3");
    assertThat(fitted.leftOut()).isEqualTo(leftOut(2, 0));
  }

  @Test
  void of_what_is_not_sent_each_message_is_counted() {
    var older = Message.assistant("a1", "", call("c1", 2));
    Fitted fitted =
        within(504, older, Message.tool("t1", "c1", "ok"), said("a2", 300), said("a3", 500));

    assertThat(fitted.messages()).extracting(Message::id).containsExactly("a3");
    assertThat(fitted.leftOut()).isEqualTo(leftOut(3, 0));
  }

  @Test
  void less_than_twenty_four_tokens_of_a_content_say_nothing() {
    assertThat(within(28, said("a1", 500)).leftOut()).isEqualTo(leftOut(0, 1));
    assertThat(within(27, said("a1", 500)).leftOut()).isEqualTo(leftOut(1, 0));
    assertThat(within(27, said("a1", 500)).messages()).isEmpty();
  }

  @Test
  void a_call_of_a_quarter_of_the_room_is_sent_with_its_result() {
    var call = Message.assistant("a1", "", call("c1", 96));
    Fitted fitted = within(400, call, Message.tool("t1", "c1", "y".repeat(1_000)));

    assertThat(fitted.leftOut()).isEqualTo(leftOut(0, 1));
    assertThat(fitted.messages().get(0)).isEqualTo(call);
    // 288 tokens are left: the call has 108 with its message, and the result 4.
    assertThat(fitted.messages().get(1).content()).hasSizeBetween(250, 284);
  }

  @Test
  void a_longer_call_gives_way_together_with_its_result() {
    var call = Message.assistant("a1", "", call("c1", 97));
    Fitted fitted = within(400, call, Message.tool("t1", "c1", "y".repeat(1_000)));

    assertThat(fitted.messages()).isEmpty();
    assertThat(fitted.leftOut()).isEqualTo(leftOut(1, 0));
  }

  @Test
  void small_contents_leave_to_large_ones_what_they_do_not_need() {
    var calls = Message.assistant("a1", "", call("c1", 2), call("c2", 2));
    var small = Message.tool("t1", "c1", "y".repeat(10));
    Fitted fitted = within(400, calls, small, Message.tool("t2", "c2", "y".repeat(1_000)));

    assertThat(fitted.messages()).startsWith(calls, small);
    // The calls have 24 tokens, the results 4 each, and the small content 10.
    assertThat(fitted.messages().get(2).content()).hasSizeBetween(320, 358);
    assertThat(fitted.leftOut()).isEqualTo(leftOut(0, 1));
  }

  @Test
  void a_call_without_a_result_and_a_result_without_a_call_are_not_sent() {
    var messages =
        List.of(
            Message.tool("t0", "c0", "lost"),
            Message.assistant("a1", "both", call("c1", 2), call("c2", 2)),
            Message.tool("t2", "c2", "ok"),
            Message.assistant("a3", "", call("c3", 2)));

    assertThat(within(1_000, messages.toArray(new Message[0])).messages())
        .containsExactly(
            Message.assistant("a1", "both", call("c2", 2)), Message.tool("t2", "c2", "ok"));
  }
}
