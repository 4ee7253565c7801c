package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who gets how much of a prompt, and what a prompt is made of at most. */
class PromptSharesTest {
  private static final PromptRenderer RENDERER = new PromptRenderer("mainstay dump T-001");

  /** Each of these is a line of 100 characters, and the frame of a section "s" takes 9. */
  private static final List<String> HUNDREDS = Collections.nCopies(200, "x".repeat(97));

  private static Rendered.Part first(int characters, Section... sections) {
    return RENDERER.render(List.of(sections), Budget.characters(characters)).parts().get(0);
  }

  @Test
  void what_seldom_changes_has_three_fifths_of_the_room() {
    assertThat(first(10_000, Section.stable("s", 95, HUNDREDS)).shown()).isEqualTo(59);
    assertThat(first(10_015, Section.stable("s", 95, HUNDREDS)).shown()).isEqualTo(60);
    assertThat(first(10_014, Section.stable("s", 95, HUNDREDS)).shown()).isEqualTo(59);
  }

  @Test
  void goal_orders_and_criteria_may_have_three_quarters() {
    assertThat(first(10_000, Section.stable("s", 96, HUNDREDS)).shown()).isEqualTo(74);
    assertThat(first(10_012, Section.stable("s", 96, HUNDREDS)).shown()).isEqualTo(75);
    assertThat(first(10_011, Section.stable("s", 96, HUNDREDS)).shown()).isEqualTo(74);
  }

  @Test
  void what_is_less_important_does_not_share_in_that() {
    Section rest = Section.stable("s", 95, HUNDREDS);
    Section goal = Section.stable("goal", 96, List.of("ship it"));

    // The goal takes 25 characters of the 6,000.
    assertThat(first(10_000, rest, goal).shown()).isEqualTo(59);
  }

  @Test
  void in_a_small_prompt_the_last_line_needs_the_quarter() {
    assertThat(first(1_632, Section.stable("s", 96, HUNDREDS)).shown()).isEqualTo(9);
    assertThat(first(1_633, Section.stable("s", 96, HUNDREDS)).shown()).isEqualTo(12);
  }

  @Test
  void what_changes_has_all_that_the_rest_leaves_but_the_last_line() {
    Section goal = Section.stable("goal", 96, List.of("ship it"));
    Section log = Section.changing("s", 1, HUNDREDS);
    var rendered = RENDERER.render(List.of(goal, log), Budget.characters(10_000));

    // 25 for the goal, 9 for the frame, and at most 104 for the last line.
    assertThat(rendered.parts().get(1).shown()).isEqualTo(98);
    assertThat(rendered.text())
        .endsWith(
            "</s>\n[left out for space: items 102 of 201, sections 1 of 2, shortened 0;"
                + " to see all: mainstay dump T-001]\n");
    assertThat(rendered.stablePrefixBytes()).isEqualTo("<goal>\n- ship it\n</goal>\n".length());
  }

  @Test
  void a_giant_among_what_changes_has_half_of_what_is_left() {
    Section rules = Section.stable("s", 1, HUNDREDS);
    Section giant = Section.changing("log", 1, List.of("x".repeat(20_000), "after it"));
    var part = RENDERER.render(List.of(rules, giant), Budget.characters(10_000)).parts().get(1);

    // The rules have 5,909 characters.
    assertThat(part.shown()).isEqualTo(2);
    assertThat(part.shortened()).isEqualTo(1);
    assertThat(part.text()).hasSizeBetween(1_900, 2_045 + 26);
  }

  @Test
  void the_stable_part_is_counted_in_bytes() {
    var rendered =
        RENDERER.render(
            List.of(
                Section.stable("s", 1, List.of("\u00e4")), Section.changing("t", 1, List.of("b"))),
            Budget.API);

    assertThat(rendered.stablePrefixBytes()).isEqualTo(14);
  }

  @Test
  void the_command_is_short_and_plain() {
    for (String command : List.of("!", ";", "=", "~", "a b", "!".repeat(64))) {
      var log = Section.changing("log", 1, HUNDREDS);
      var rendered = new PromptRenderer(command).render(List.of(log), Budget.CLAUDE_CODE);
      assertThat(rendered.text()).endsWith("to see all: " + command + "]\n");
    }
    for (String command :
        List.of("", " a", "a<b", "<", "a\nb", "\u00e4", "\u007f", "!".repeat(65))) {
      assertThatThrownBy(() -> new PromptRenderer(command))
          .isInstanceOf(Refusal.class)
          .hasMessage("the command that shows all of a prompt has at most 64 plain characters");
    }
  }

  @Test
  void a_prompt_has_at_most_sixty_four_sections_of_different_names() {
    assertThat(RENDERER.render(sections(64), Budget.API).parts()).hasSize(64);
    assertThatThrownBy(() -> RENDERER.render(sections(65), Budget.API))
        .hasMessage("too many sections");
    var twice = Collections.nCopies(2, Section.stable("goal", 1, List.of("a")));
    assertThatThrownBy(() -> RENDERER.render(twice, Budget.API))
        .hasMessage("two sections are named goal");
  }

  private static List<Section> sections(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Section.stable("s" + i, 1, List.of("x")))
        .toList();
  }
}
