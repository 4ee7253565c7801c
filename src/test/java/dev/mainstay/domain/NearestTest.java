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
  void of_words_equally_near_the_first_in_order_is_taken() {
    assertThat(Nearest.to("x", List.of("b", "a"))).isEqualTo("a");
  }
}
