package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Message.Status;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is told of a message, how it looks on a screen, and when it was tried often enough. */
class InboxEventTest {
  private static final Message SENT = message("dev-1", "hello");
  private static final JsonObject ABOUT = JsonObject.of("message_id", 7, "sender_id", "dev-1");

  private static Message message(String sender, String text) {
    return new Message(7, sender, "dev-2", text, Message.sent(NOON));
  }

  private static Message taken(int times) {
    Message message = SENT;
    Instant now = NOON;
    for (int i = 0; i < times; i++) {
      now = NOON.plusSeconds(10L * i);
      message = message.taken(now, now.plusSeconds(10));
    }
    return message;
  }

  private static void assertTold(InboxEvent event, String kind, JsonObject payload) {
    assertThat(event.kind()).isEqualTo(kind);
    assertThat(event.payload()).isEqualTo(payload);
  }

  @Test
  void every_event_says_which_message_and_what_became_of_it() {
    assertTold(new InboxEvent.Sent(SENT), "inbox.sent", ABOUT.with("message", "hello"));
    assertTold(
        new InboxEvent.Delivered(taken(2).delivered(NOON)),
        "inbox.delivered",
        ABOUT.with("attempts", 2));
    assertTold(
        new InboxEvent.Failed(taken(1).failed("nobody\nthere", NOON)),
        "inbox.failed",
        ABOUT.with("attempts", 1).with("reason", "nobody there"));
    assertTold(
        new InboxEvent.Doubtful(taken(1), "the screen\twas cleared"),
        "inbox.doubtful",
        ABOUT.with("attempts", 1).with("reason", "the screen was cleared"));
  }

  @Test
  void a_message_is_exhausted_once_it_was_taken_five_times_and_nobody_has_it() {
    Message four = taken(4);
    Message five = taken(5);
    Instant over = NOON.plusSeconds(50);
    assertThat(five.isExhausted(over)).isTrue();
    assertThat(five.isExhausted(over.minusSeconds(1))).as("somebody has it").isFalse();
    assertThat(five.returned(NOON).isExhausted(NOON)).isTrue();
    assertThat(four.isExhausted(over)).isFalse();
    assertThat(five.delivered(over).isExhausted(over)).isFalse();
  }

  @Test
  void on_a_screen_a_message_has_a_mark_that_nobody_else_can_make() {
    assertThat(SENT.mark()).matches("\\[message 7/[0-9a-f]{8}]");
    assertThat(SENT.onScreen()).isEqualTo(SENT.mark() + " from dev-1:\nhello");
    assertThat(message("dev-1", "hallo").mark()).isNotEqualTo(SENT.mark());
    assertThat(message("dev-3", "hello").mark()).isNotEqualTo(SENT.mark());
    assertThat(taken(3).mark()).as("it is the same message").isEqualTo(SENT.mark());
  }

  @Test
  void only_a_terminal_has_an_inbox_of_its_own() {
    assertThat(SENT.isFromTerminal()).isTrue();
    assertThat(message("person:ada", "hello").isFromTerminal()).isFalse();
    assertThat(message(Message.MAINSTAY, "hello").isFromTerminal()).isFalse();
  }

  @Test
  void something_can_become_of_a_message_until_it_arrived_or_failed() {
    assertThat(Arrays.stream(Status.values()).filter(Status::isOpen))
        .containsExactly(Status.PENDING, Status.DELIVERING);
  }
}
