package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  // The frame of a section "log" takes 13 characters, and each of these items 4.
  private static final Section LOG = Section.changing("log", 5, List.of("a", "b", "c"));

  private static Selection chosen(int room, Section... sections) {
    return Selection.of(List.of(sections), String::length, room);
  }

  @Test
  void as_many_entries_are_taken_as_fit_to_the_last_character() {
    assertThat(chosen(25, LOG).part(LOG))
        .isEqualTo(new Rendered.Part("log", "<log>\n- a\n- b\n- c\n</log>\n", 3, 0, 0));
    assertThat(chosen(24, LOG).part(LOG))
        .isEqualTo(new Rendered.Part("log", "<log>\n- a\n- b\n</log>\n", 2, 1, 0));
    assertThat(chosen(17, LOG).part(LOG))
        .isEqualTo(new Rendered.Part("log", "<log>\n- a\n</log>\n", 1, 2, 0));
    assertThat(chosen(16, LOG).part(LOG)).isEqualTo(new Rendered.Part("log", "", 0, 3, 0));
  }

  @Test
  void the_size_is_that_of_what_was_taken() {
    assertThat(chosen(100, LOG).size()).isEqualTo(25);
    assertThat(chosen(24, LOG).size()).isEqualTo(21);
    assertThat(chosen(17, LOG).size()).isEqualTo(17);
    assertThat(chosen(16, LOG).size()).isZero();
  }

  @Test
  void a_heading_is_a_part_of_the_frame() {
    Section headed = LOG.headed("What\nwas done");
    String text = "<log>\nWhat\n  was done\n- a\n- b\n- c\n</log>\n";

    assertThat(chosen(text.length(), headed).part(headed).text()).isEqualTo(text);
    assertThat(chosen(text.length(), headed).size()).isEqualTo(text.length());
    assertThat(chosen(text.length() - 1, headed).part(headed).shown()).isEqualTo(2);
  }

  @Test
  void where_the_newest_is_last_the_oldest_is_left_out() {
    Section newest = LOG.keepingLast();

    assertThat(chosen(24, newest).part(newest))
        .isEqualTo(new Rendered.Part("log", "<log>\n- b\n- c\n</log>\n", 2, 1, 0));
  }

  @Test
  void nothing_of_less_importance_is_taken_for_what_does_not_fit() {
    // 15 characters are left, of which the minor one would need 13.
    Section minor = Section.changing("m", 4, List.of("m"));
    var entries = List.of("x", "y".repeat(25), "z".repeat(25));
    Section major = Section.changing("maj", 6, entries);
    Selection selection = chosen(60, minor, major);

    assertThat(selection.part(major).shown()).isEqualTo(2);
    assertThat(selection.part(minor).text()).isEmpty();
    assertThat(selection.part(minor).leftOut()).isEqualTo(1);
  }

  @Test
  void of_equal_importance_the_first_comes_first() {
    Section one = Section.changing("one", 5, List.of("x"));
    Section two = Section.changing("two", 5, List.of("y"));
    Selection selection = chosen(20, one, two);

    assertThat(selection.part(one).shown()).isEqualTo(1);
    assertThat(selection.part(two).shown()).isZero();
  }

  @Test
  void an_entry_of_more_than_half_the_room_is_shown_by_its_beginning() {
    Section half = Section.changing("log", 5, List.of("x".repeat(97)));
    assertThat(chosen(200, half).part(half).text()).contains("- " + "x".repeat(97) + "\n");
    assertThat(chosen(200, half).part(half).shortened()).isZero();

    Section more = Section.changing("log", 5, List.of("x".repeat(98)));
    Rendered.Part part = chosen(200, more).part(more);
    assertThat(part.shortened()).isEqualTo(1);
    assertThat(part.text())
        .matches("<log>\n- x+\\.\\.\\. \\[\\d+ more characters]\n</log>\n")
        .hasSizeLessThanOrEqualTo(13 + 100);
  }

  @Test
  void the_least_important_entry_is_given_back_first() {
    Section minor = Section.changing("min", 4, List.of("m"));
    Selection selection = chosen(100, minor, LOG);

    assertThat(selection.dropLast()).isTrue();
    assertThat(selection.part(minor)).isEqualTo(new Rendered.Part("min", "", 0, 1, 0));
    assertThat(selection.dropLast()).isTrue();
    assertThat(selection.part(LOG).text()).isEqualTo("<log>\n- a\n- b\n</log>\n");
    assertThat(selection.dropLast()).isTrue();
    assertThat(selection.dropLast()).isTrue();
    assertThat(selection.part(LOG).text()).isEmpty();
    assertThat(selection.dropLast()).isFalse();
  }
}
