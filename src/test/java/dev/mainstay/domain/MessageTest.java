package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final int CASES = 1_000;

  private static Message sent() {
    return new Message(7, "dev-1", "dev-2", "hello", Message.sent(NOON));
  }

  /** One thing that somebody may try. */
  private static Message tried(Message message, Random random, Instant now) {
    return switch (random.nextInt(4)) {
      case 0 -> message.taken(now, now.plusSeconds(1 + random.nextInt(100)));
      case 1 -> message.delivered(now);
      case 2 -> message.failed("because", now);
      default -> message.returned(now);
    };
  }

  @Test
  void whatever_is_tried_a_message_ends_once_and_is_the_same_after_it_was_written_and_read() {
    Seeds.forAll(
        CASES,
        random -> {
          Message message = sent();
          Instant now = NOON;
          for (int i = 0; i < 20; i++) {
            now = now.plus(Duration.ofSeconds(random.nextInt(100)));
            Message before = message;
            try {
              message = tried(message, random, now);
              assertThat(before.standing().status().isOpen()).isTrue();
              assertThat(message.standing().attempts())
                  .isGreaterThanOrEqualTo(before.standing().attempts());
            } catch (Refusal refused) {
              assertThat(refused.code()).isEqualTo(Refusal.Code.CONFLICT);
            }
            String text = JsonText.write(message.toJson());
            assertThat(Message.fromJson(JsonText.object(text))).isEqualTo(message);
          }
        });
  }

  @Test
  void what_somebody_has_is_taken_by_nobody_else_until_its_time_is_over() {
    Message taken = sent().taken(NOON, NOON.plusSeconds(60));
    assertThatThrownBy(() -> taken.taken(NOON.plusSeconds(59), NOON.plusSeconds(90)))
        .isInstanceOf(Refusal.class);
    Message again = taken.taken(NOON.plusSeconds(60), NOON.plusSeconds(90));
    assertThat(again.standing().attempts()).isEqualTo(2);
    assertThat(again.standing().status()).isEqualTo(Status.DELIVERING);
  }

  @Test
  void a_notice_says_which_message_and_why_and_is_from_no_terminal() {
    String notice = sent().failed("nobody is there", NOON).failureNotice();
    assertThat(notice).contains("Message 7 to dev-2", "nobody is there", "hello");
    assertThat(Message.isTerminal(Message.MAINSTAY)).isFalse();
    assertThat(Message.isTerminal(Actor.person("ada").toString())).isFalse();
    assertThat(Message.isTerminal("dev-1")).isTrue();
  }
}
