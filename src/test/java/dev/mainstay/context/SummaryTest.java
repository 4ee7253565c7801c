package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.context.Compression.Outcome;
import dev.mainstay.context.CompressionEvent.Extent;
import dev.mainstay.context.Summary.Line;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final String OPENING =
      " earlier messages are archived."
          + " These are quotes from them; recall a reference for its source.\n";

  private static Line rule(int number) {
    return new Line(Category.CONSTRAINTS, "never " + number, "m-" + number);
  }

  private static Summary rules(int from, int to) {
    List<Line> lines = new ArrayList<>();
    for (int i = from; i <= to; i++) lines.add(rule(i));
    return Summary.EMPTY.plus(new Summary(lines, lines.size(), 0));
  }

  @Test
  void quotes_stand_under_their_headings_with_their_references() {
    var said =
        List.of(
            Message.user("u1", "Why is it slow?\nYou must never touch the schema."),
            Message.assistant("a1", "Fine."));
    Summary summary = Summary.of(said, "m-1");

    assertThat(summary.messages()).isEqualTo(2);
    assertThat(summary.text(1_000, String::length))
        .isEqualTo(
            "2"
                + OPENING
                + "Constraints:\n- You must never touch the schema. [m-1]\n"
                + "Open questions:\n- Why is it slow? [m-1]\n");
  }

  @Test
  void six_of_a_category_are_kept_and_older_ones_counted() {
    assertThat(rules(1, 6).lines()).hasSize(6);
    assertThat(rules(1, 6).unquoted()).isZero();

    Summary eight = rules(1, 8);
    assertThat(eight.lines()).extracting(Line::quote).startsWith("never 3").endsWith("never 8");
    assertThat(eight.lines()).hasSize(6);
    assertThat(eight.unquoted()).isEqualTo(2);
    assertThat(eight.text(1_000, String::length)).endsWith("\nNot shown: 2 more such lines.\n");
  }

  @Test
  void what_is_archived_later_is_added() {
    Summary both = rules(1, 8).plus(rules(11, 17));

    assertThat(both.messages()).isEqualTo(15);
    assertThat(both.lines()).extracting(Line::quote).startsWith("never 12").endsWith("never 17");
    assertThat(both.unquoted()).isEqualTo(2 + 1 + 6);
  }

  @Test
  void a_quote_that_is_repeated_is_kept_once_with_its_newest_reference() {
    var again = new Line(Category.CONSTRAINTS, "never 1", "m-9");
    Summary summary = rules(1, 2).plus(new Summary(List.of(again), 1, 0));

    assertThat(summary.lines()).containsExactly(rule(2), again);
    assertThat(summary.unquoted()).isZero();
  }

  @Test
  void as_many_lines_of_each_category_are_shown_as_there_is_room_for() {
    Summary summary = rules(1, 3);
    String three = summary.text(1_000, String::length);
    assertThat(three)
        .isEqualTo(
            "3" + OPENING + "Constraints:\n- never 1 [m-1]\n- never 2 [m-2]\n- never 3 [m-3]\n");

    assertThat(summary.text(three.length(), String::length)).isEqualTo(three);
    // One line less is as long as the sentence that counts it, so that two give way.
    assertThat(summary.text(three.length() - 1, String::length))
        .isEqualTo(
            "3" + OPENING + "Constraints:\n- never 3 [m-3]\nNot shown: 2 more such lines.\n");
    assertThat(summary.text(0, String::length))
        .isEqualTo("3" + OPENING + "Not shown: 3 more such lines.\n");
  }

  @Test
  void a_summary_takes_a_tenth_of_the_window() {
    assertThat(Memory.Room.within(10_000, String::length).summaryTokensMax()).isEqualTo(1_000);
    assertThat(Memory.Room.within(1_000, String::length).summaryTokensMax()).isEqualTo(100);
  }

  @Test
  void an_event_says_what_was_done_and_what_it_left() {
    var event =
        new CompressionEvent(
            Tier.COLLAPSE, new Extent(9_000, 31), new Extent(6_400, 20), List.of("m-1", "m-2"));

    assertThat(event.name()).isEqualTo("collapse");
    assertThat(event.summary()).isEqualTo("9000 to 6400 tokens, 31 to 20 messages, 2 references");
  }

  @Test
  void an_outcome_says_why_it_ended_there() {
    assertThat(Outcome.REACHED.sentence()).isEqualTo("the pressure is at the target");
    assertThat(Outcome.HELD.sentence())
        .isEqualTo("what remains is fixed, preserved, or still open and may not be compressed");
  }
}
