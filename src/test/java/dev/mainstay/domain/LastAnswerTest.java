package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LastAnswerTest {
  private static final List<Sign> READY = List.of(Sign.of("prompt", "^\\$ $"));
  private static final ScreenSigns SPOKEN = signs(List.of(Sign.of("answer", "^● ")));
  private static final ScreenSigns SILENT = signs(List.of());

  private static ScreenSigns signs(List<Sign> answered) {
    return new ScreenSigns(List.of(), List.of(), List.of(), READY, answered);
  }

  @Test
  void an_answer_goes_from_its_sign_to_the_frame_of_the_prompt() {
    assertThat(LastAnswer.of(SPOKEN, List.of("> do it", "● Done.", "All of it.", "────", "", "$ ")))
        .containsExactly("● Done.", "All of it.");
    assertThat(LastAnswer.of(SPOKEN, List.of("● Old.", "> do it", "● One.", "● Two.", "$ ")))
        .containsExactly("● One.", "● Two.");
    assertThat(LastAnswer.of(SPOKEN, List.of("● Old.", "❯ do it", "● One.")))
        .containsExactly("● One.");
  }

  @Test
  void what_was_said_before_the_last_message_is_no_answer_to_it() {
    String message = Message.MARK_BEGINS + "17] go on";
    assertThat(LastAnswer.of(SPOKEN, List.of("● Old.", message, "working", "$ "))).isEmpty();
    assertThat(LastAnswer.of(SPOKEN, List.of("● Old.", message, "● New.", "$ ")))
        .containsExactly("● New.");
  }

  @Test
  void without_a_sign_of_answers_all_above_the_prompt_is_one() {
    assertThat(LastAnswer.of(SILENT, List.of("one", "two", "$ ", "below")))
        .containsExactly("one", "two");
    assertThat(LastAnswer.of(SILENT, List.of("one", "$ ", "two", "$ ")))
        .containsExactly("one", "$ ", "two");
    assertThat(LastAnswer.of(SPOKEN, List.of("one", "$ "))).isEmpty();
    assertThat(LastAnswer.of(SILENT, List.of())).isEmpty();
  }
}
