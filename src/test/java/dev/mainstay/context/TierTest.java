package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.context.Compression.Outcome;
import dev.mainstay.context.Message.ToolCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which tier does what, to the token: one token for each character, and four for a message. */
class TierTest {
  private static final int WINDOW = 10_000;

  private static Conversation with(Message... messages) {
    var conversation = Conversation.start("", List.of(), String::length);
    for (Message message : messages) conversation = conversation.add(message);
    return conversation;
  }

  private static Message user(String id, int chars) {
    return Message.user(id, "x".repeat(chars));
  }

  private static Message call(String id, String call, String arguments) {
    return Message.assistant(id, "", new ToolCall(call, "read", arguments));
  }

  /** So many messages of 304 tokens beside a working text that nothing may touch. */
  private static Conversation units(int count, int working) {
    var conversation = with().withWorking("w".repeat(working - 4));
    for (int i = 0; i < count; i++) conversation = conversation.add(user("u" + i, 300));
    return conversation;
  }

  private static List<String> ids(Compression compression) {
    return compression.conversation().messages(Partition.HISTORY).stream()
        .map(Message::id)
        .toList();
  }

  private static List<Tier> tiers(Compression compression) {
    return compression.events().stream().map(CompressionEvent::action).toList();
  }

  @Test
  void nothing_is_done_up_to_seventy_percent() {
    assertThat(with(user("u1", 6_996)).compress(WINDOW).outcome()).isEqualTo(Outcome.NOT_NEEDED);
    assertThat(tiers(with(user("u1", 6_997)).compress(WINDOW))).containsExactly(Tier.SNIP);
  }

  @Test
  void a_window_has_a_thousand_tokens_at_least() {
    assertThat(with(user("u1", 496)).pressure(1_000)).isEqualTo(0.5);
    assertThatThrownBy(() -> with().pressure(999))
        .hasMessage("a window has at least 1,000 tokens, not 999");
  }

  @Test
  void snip_cuts_what_has_more_than_a_twentieth_of_the_window() {
    var before = with(user("u1", 496), user("u2", 497)).withWorking("w".repeat(6_496));
    var after = before.compress(WINDOW).conversation().messages(Partition.HISTORY);

    assertThat(after.get(0).content()).hasSize(496);
    assertThat(after.get(1).content()).contains("left out; recall m-").hasSizeLessThan(497);
  }

  @Test
  void snip_goes_no_further_than_to_the_target() {
    var before = with(user("u1", 2_000), user("u2", 600)).withWorking("w".repeat(5_000));
    var after = before.compress(WINDOW).conversation().messages(Partition.HISTORY);

    assertThat(after.get(0).content()).contains("left out; recall m-").hasSizeLessThan(497);
    assertThat(after.get(1).content()).hasSize(600);
  }

  @Test
  void micro_cuts_results_of_two_hundred_tokens_and_no_smaller_ones() {
    var before =
        with(
                call("a1", "c1", "{}"),
                Message.tool("t1", "c1", "y".repeat(200)),
                call("a2", "c2", "{}"),
                Message.tool("t2", "c2", "y".repeat(199)),
                user("u1", 400))
            .withWorking("w".repeat(7_200));
    var after = before.compress(WINDOW).conversation().messages(Partition.HISTORY);

    assertThat(after.get(1).content()).contains("left out; recall").hasSizeLessThanOrEqualTo(100);
    assertThat(after.get(3).content()).hasSize(199);
    assertThat(after.get(4).content()).hasSize(400);
  }

  @Test
  void a_tier_begins_above_its_pressure() {
    var result = Message.tool("t1", "c1", "y".repeat(400));
    var before = with(call("a1", "c1", "{}"), result);
    // The call has 14 tokens, its result 404, and the working text 4 beside its words.
    var at = before.withWorking("w".repeat(8_000 - 422)).compress(WINDOW);
    assertThat(at.outcome()).isEqualTo(Outcome.TIER_SPENT);
    assertThat(at.events()).isEmpty();

    assertThat(tiers(before.withWorking("w".repeat(8_000 - 421)).compress(WINDOW)))
        .containsExactly(Tier.MICRO);
  }

  @Test
  void collapse_leaves_the_eight_newest_units() {
    var compression = units(10, 6_000).compress(WINDOW);

    assertThat(tiers(compression)).containsExactly(Tier.COLLAPSE);
    assertThat(compression.outcome()).isEqualTo(Outcome.TIER_SPENT);
    assertThat(ids(compression))
        .containsExactly("mainstay/earlier", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9");
  }

  @Test
  void auto_leaves_the_two_newest_units() {
    var compression = units(12, 6_100).compress(WINDOW);

    assertThat(tiers(compression)).containsExactly(Tier.COLLAPSE, Tier.AUTO);
    assertThat(ids(compression)).containsExactly("mainstay/earlier", "u10", "u11");
  }

  @Test
  void renewal_takes_even_a_call_that_nothing_can_shorten() {
    var before =
        with(
            Message.user("u1", "read it all"),
            call("a1", "c1", "z".repeat(9_900)),
            Message.tool("t1", "c1", "ok"));
    var compression = before.compress(WINDOW);

    assertThat(tiers(compression)).containsExactly(Tier.RENEW);
    assertThat(compression.outcome()).isEqualTo(Outcome.REACHED);
    assertThat(ids(compression)).containsExactly("mainstay/earlier");
    assertThat(compression.conversation().messages().get(0).content())
        .startsWith("<handover>\nLast request [m-")
        .contains("]:\n  read it all\n</handover>\n<earlier>\n3 earlier messages are archived.");
  }

  @Test
  void a_long_request_is_handed_over_by_its_beginning() {
    var renewed = with(Message.user("u1", "BEGIN" + "x".repeat(995))).renew("", WINDOW);
    String shown = renewed.conversation().messages().get(0).content();

    assertThat(shown)
        .contains("]:\n  BEGINx")
        .containsPattern("x\\.\\.\\. \\[\\d+ more]\n</handover>");
  }

  @Test
  void where_nothing_was_archived_only_the_handover_is_shown() {
    assertThat(with().renew("go on", WINDOW).conversation().messages())
        .extracting(Message::content)
        .containsExactly("<handover>\ngo on\n</handover>\n");
  }

  @Test
  void a_working_text_that_stays_the_same_is_still_sent() {
    assertThat(with().withWorking("w").withWorking("w").messages())
        .extracting(Message::content)
        .containsExactly("w");
  }
}
