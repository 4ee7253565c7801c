package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.ScreenStatus.State;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Process;
import dev.mainstay.domain.Sighting.Screen;
import dev.mainstay.domain.Sighting.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A screen of a line or two, on which every sign stands at an edge. */
class ScreenStatusEdgesTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final Provider PROVIDER =
      new Provider(
          "p",
          new ProviderCommand(List.of("run"), false, Map.of(), McpShape.parse("mcp-servers")),
          Map.of(),
          new ScreenSigns(
              List.of(Sign.of("it asks", "trust this folder")),
              List.of(),
              List.of(Sign.of("at work", "working"), Sign.of("slow", ".*.*.*.*z")),
              List.of(Sign.of("prompt", "^\\$")),
              List.of(Sign.of("answer", "^● "))),
          new Provider.Manners("/exit", SETTLE, Duration.ZERO, true));

  private static final Mark SENT = new Mark("[m1]", NOON, false);
  private static final Mark SEEN = new Mark("[m1]", NOON, true);

  private static Screen still(List<String> lines) {
    return new Screen(lines, LATER, LATER.plus(SETTLE));
  }

  private static Screen moving(List<String> lines) {
    return new Screen(lines, LATER, LATER.plus(SETTLE).minusNanos(1));
  }

  private static ScreenStatus judge(Screen screen, @Nullable Mark mark) {
    return ScreenStatus.judge(PROVIDER, new Sighting(Process.ALIVE, null, screen, mark));
  }

  private static State state(@Nullable Mark mark, String... lines) {
    return judge(still(List.of(lines)), mark).state();
  }

  private static ScreenStatus asked(Screen screen) {
    var signal = new Signal(Signal.Kind.ASKING, NOON);
    return ScreenStatus.judge(PROVIDER, new Sighting(Process.ALIVE, signal, screen, null));
  }

  @Test
  void a_sign_counts_on_the_first_line_too() {
    assertThat(state(null, "working")).isEqualTo(State.BUSY);
    assertThat(state(null, "$")).isEqualTo(State.READY);
    assertThat(state(null, "words")).isEqualTo(State.UNKNOWN);
    assertThat(state(null, "trust this folder?")).isEqualTo(State.WAITING_FOR_PERSON);
  }

  @Test
  void a_screen_stands_still_from_exactly_that_time_on() {
    assertThat(judge(still(List.of("$")), null).state()).isEqualTo(State.READY);
    assertThat(judge(moving(List.of("$")), null).state()).isEqualTo(State.BUSY);
  }

  @Test
  void a_sign_of_work_counts_on_the_last_fifteen_lines_that_say_something() {
    List<String> lines = new ArrayList<>(List.of("working"));
    lines.addAll(Collections.nCopies(14, "words"));
    lines.addAll(3, List.of("", " "));
    assertThat(judge(still(lines), null).state()).isEqualTo(State.BUSY);
    lines.add("words");
    assertThat(judge(still(lines), null).state()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void in_doubt_it_is_at_work() {
    assertThat(state(null, "a".repeat(Sign.LINE_CHARS_MAX))).isEqualTo(State.BUSY);
  }

  @Test
  void what_stands_above_an_answer_is_our_text_and_no_sign_of_work() {
    assertThat(state(SENT, "[m1] keep working", "● Done.", "$")).isEqualTo(State.DONE);
    assertThat(state(SENT, "[m1] do", "● I was working.", "$")).isEqualTo(State.DONE);
    assertThat(state(SENT, "[m1] do", "● Well.", "working", "$")).isEqualTo(State.BUSY);
    assertThat(state(SENT, "[m1] keep working", "$")).as("no answer yet").isEqualTo(State.BUSY);
    assertThat(state(SEEN, "working", "$")).as("our text is gone").isEqualTo(State.BUSY);
  }

  @Test
  void what_was_sent_is_answered_once_an_answer_stands_below_it() {
    assertThat(judge(still(List.of("[m1] do", "$")), SENT).why())
        .isEqualTo("it has not answered yet");
    assertThat(state(SENT, "● Old.", "[m1] do", "$")).isEqualTo(State.BUSY);
    assertThat(state(SENT, "[m1] do", "● New.", "$")).isEqualTo(State.DONE);
    assertThat(state(SENT, "● It quotes [m1].", "$")).isEqualTo(State.DONE);
    assertThat(state(SEEN, "$")).as("somebody cleared the screen").isEqualTo(State.DONE);
    assertThat(state(SEEN, "● New.", "$")).isEqualTo(State.DONE);
  }

  @Test
  void what_still_stands_at_the_prompt_is_not_taken() {
    ScreenStatus typed = judge(still(List.of("● Old.", "$ [m1] do")), SENT);
    assertThat(typed.state()).isEqualTo(State.UNKNOWN);
    assertThat(typed.why()).isEqualTo("what it was sent is not taken yet");
    assertThat(judge(still(List.of("$", "[m1] do")), SENT).why()).isEqualTo(typed.why());
    assertThat(judge(still(List.of("● Old.", "$")), SENT).why())
        .isEqualTo("what it was sent is not on its screen yet");
  }

  @Test
  void a_question_stands_until_a_later_screen_knows_better() {
    String said = "it said that it waits for a person";
    assertThat(asked(moving(List.of("trust this folder?"))).why()).isEqualTo(said);
    assertThat(asked(still(List.of("trust this folder?"))).why()).isEqualTo("it asks");
    assertThat(asked(moving(List.of("working"))).state()).isEqualTo(State.BUSY);
    assertThat(asked(still(List.of("$"))).state()).isEqualTo(State.READY);
    assertThat(asked(still(List.of("words"))).why()).isEqualTo(said);
    assertThat(asked(new Screen(List.of("$"), NOON, LATER)).why()).as("as old").isEqualTo(said);
  }

  @Test
  void an_escape_ends_with_its_last_sign_and_takes_no_text_along() {
    char esc = '\u001b';
    assertThat(ScreenText.of(esc + "]0;title" + esc + "[31mred")).isEqualTo("red");
    assertThat(ScreenText.of(esc + "]0;title" + esc + "\\red")).isEqualTo("red");
    for (String escape : List.of(" F", "/A", "0", "~", "[2@", "[3~", "[2 q", "[?25h")) {
      assertThat(ScreenText.of(esc + escape + "red")).as(escape).isEqualTo("red");
    }
    assertThat(ScreenText.of("a" + esc + "\nb")).isEqualTo("a\nb");
    assertThat(ScreenText.of("a" + esc + "[3\nb")).isEqualTo("a\nb");
    assertThat(ScreenText.of("a" + esc + "[3\u00e9b")).isEqualTo("a\u00e9b");
    assertThat(ScreenText.of("a" + esc + "\u007fb")).isEqualTo("ab");
  }

  @Test
  void a_sign_and_a_reservation_show_the_pattern_they_were_made_of() {
    assertThat(Sign.of("at work", "[0-9]+s").pattern()).isEqualTo("[0-9]+s");
    assertThat(Sign.of("at work", "[0-9]+s").meaning()).isEqualTo("at work");
    assertThat(new Reservation.Pattern("src/**")).hasToString("src/**");
  }
}
