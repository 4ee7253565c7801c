package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> KNOWN =
      List.of("goals", "constraints", "open_issues", "next_focus");

  @Test
  void a_slip_finds_the_word_that_was_meant() {
    assertThat(Nearest.to("goal", KNOWN)).isEqualTo("goals");
    assertThat(Nearest.to("openIssues", KNOWN)).isEqualTo("open_issues");
    assertThat(Nearest.to("next-focus", KNOWN)).isEqualTo("next_focus");
    assertThat(Nearest.to("CONTSRAINTS", KNOWN)).isEqualTo("constraints");
  }

  @Test
  void half_a_word_finds_the_whole_one_and_the_other_way_round() {
    List<String> settings = List.of("priority", "max_cost_per_task", "tone");
    assertThat(Nearest.to("max_cost", settings)).isEqualTo("max_cost_per_task");
    assertThat(Nearest.to("priority_of_the_work", settings)).isEqualTo("priority");
    assertThat(Nearest.to("Max_Cost_Per_Task_In_Dollars", settings)).isEqualTo("max_cost_per_task");
  }

  @Test
  void a_slip_in_a_long_word_is_not_taken_for_a_shorter_word() {
    assertThat(Nearest.to("checkpiont", List.of("check", "checkpoint"))).isEqualTo("checkpoint");
    assertThat(Nearest.to("pa", List.of("parameters", "pi"))).isEqualTo("pi");
  }

  @Test
  void of_words_equally_near_the_first_in_order_is_taken() {
    assertThat(Nearest.to("x", List.of("b", "a"))).isEqualTo("a");
  }

  @Test
  void a_word_near_to_none_is_answered_with_the_known_words() {
    assertThat(Nearest.guess("goal", KNOWN)).isEqualTo("did you mean \"goals\"?");
    assertThat(Nearest.hint("goal", KNOWN)).isEqualTo("; did you mean \"goals\"?");
    assertThat(Nearest.hint("vim", List.of("claude-code", "codex", "gemini"))).isEmpty();
    assertThat(Nearest.guess("vim", List.of("gemini", "codex")))
        .isEqualTo("expected codex, gemini");
    List<String> many = List.of("abcdefghijklmnopq".split(""));
    assertThat(Nearest.guess("123", many))
        .isEqualTo("expected a, b, c, d, e, f, g, h, i, j, k, l, ...");
  }
}
