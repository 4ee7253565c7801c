package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestSlipTest {
  private static final List<String> KNOWN = List.of("goals", "constraints", "Decisions");

  @Test
  void a_slip_is_two_edits_at_most_in_a_word_that_is_long_enough() {
    assertThat(Nearest.slip("gaols", KNOWN)).contains("goals");
    assertThat(Nearest.slip("DECISOINS", KNOWN)).contains("Decisions");
    assertThat(Nearest.slip("gxxls", KNOWN)).contains("goals");
    assertThat(Nearest.slip("gxxxs", KNOWN)).as("three edits").isEmpty();
    assertThat(Nearest.slip("gols", KNOWN)).as("four letters").contains("goals");
    assertThat(Nearest.slip("gos", KNOWN)).as("three letters").isEmpty();
  }

  @Test
  void a_beginning_is_a_slip_too_once_it_says_which_word_is_meant() {
    assertThat(Nearest.slip("con", KNOWN)).contains("constraints");
    assertThat(Nearest.slip("co", KNOWN)).isEmpty();
    assertThat(Nearest.slip("constraints_of_all", KNOWN)).contains("constraints");
  }

  @Test
  void what_is_known_is_no_slip_and_where_nothing_is_known_there_is_none() {
    assertThat(Nearest.slip("goals", KNOWN)).isEmpty();
    assertThat(Nearest.slip("goals", List.of())).isEmpty();
    assertThatThrownBy(() -> Nearest.to("goals", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void one_edit_in_four_letters_is_as_near_as_a_beginning() {
    assertThat(Nearest.to("abcd", List.of("abcdefghij", "abce"))).isEqualTo("abce");
    assertThat(Nearest.to("abc", List.of("abcdefghij", "abe"))).isEqualTo("abcdefghij");
    assertThat(Nearest.to("ab", List.of("abcdefghij", "xy"))).isEqualTo("xy");
  }

  @Test
  void some_are_the_nearest_and_what_is_about_as_near() {
    List<String> known = List.of("goal", "goals", "gold", "constraints");
    assertThat(Nearest.some("goal", known, 3)).containsExactly("goal", "goals", "gold");
    assertThat(Nearest.some("goal", known, 9)).doesNotContain("constraints");
    assertThat(Nearest.some("goal", known, 1)).containsExactly("goal");
    assertThat(Nearest.some("abcdef", List.of("abcdef", "abcxyz", "abwxyz"), 9))
        .as("half of its letters differ at most")
        .containsExactly("abcdef", "abcxyz");
    assertThat(Nearest.some("goal", List.of(), 3)).isEmpty();
  }
}
