package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private static void each(int tokens, String... texts) {
    for (String text : texts) {
      assertThat(Tokens.ESTIMATE.count(text)).as("<%s>", text).isEqualTo(tokens);
    }
  }

  @Test
  void nothing_takes_nothing() {
    each(0, "");
  }

  @Test
  void four_letters_of_a_word_are_a_token() {
    each(1, "a", "abcd", "wxyz", "A", "ABCD", "WXYZ", "Word");
    each(2, "abcde", "abcdefgh", "ABCDE", "Words");
    each(3, "abcdefghi");
  }

  @Test
  void a_capital_after_a_small_letter_begins_another_word() {
    each(2, "aB", "AbC", "mainStay");
    each(3, "camelCase", "HTTPServer");
  }

  @Test
  void three_digits_are_a_token() {
    each(1, "0", "9", "123", "000", "999");
    each(2, "1234", "123456", "a1", "1a");
    each(3, "1234567", "a1b");
  }

  @Test
  void each_mark_of_punctuation_is_a_token() {
    each(1, "!", "\u007f");
    // The neighbours of the letters and of the digits, which are neither.
    for (String mark : List.of("@", "[", "`", "{", "/", ":")) each(2, mark.repeat(2));
    each(4, "f(x)");
  }

  @Test
  void each_line_break_is_a_token() {
    each(1, "\n");
    each(2, "\n\n");
    each(3, "a\nb");
  }

  @Test
  void one_space_before_a_word_or_a_mark_belongs_to_it() {
    each(2, "a b", "a B", "a !", "a \u00e9");
    each(1, " a", " !");
  }

  @Test
  void a_space_before_a_digit_or_a_break_or_the_end_is_a_token() {
    each(3, "a 1", "a \n", "a\tb");
    each(2, " 1", " \n", "a ", "a\t", "\ta");
    each(1, " ", "\t");
  }

  @Test
  void sixteen_blanks_are_a_token() {
    each(3, "a  b", "a \tb");
    each(1, "  ", " ".repeat(16), "\t".repeat(16));
    each(2, " ".repeat(17), "\t".repeat(17), " ".repeat(32));
    each(3, " ".repeat(33));
  }

  @Test
  void what_is_not_ascii_counts_by_its_bytes_and_letters_for_less() {
    each(1, "\u00e9", "\u0436");
    each(2, "\u0080", "\u00d7", "\u07ff", "\u0800", "\u4f60");
    each(3, "\uff0c", "\u20ac");
    each(4, "\u4f60\u597d");
  }

  @Test
  void a_character_outside_the_basic_plane_is_four_tokens() {
    each(4, "\ud83d\ude00", "\ud808\udc00");
    each(2, "\ud800", "\udfff");
  }

  @Test
  void a_whole_sentence_is_the_sum_of_its_parts() {
    // Run 1, mvn 1, -B: 2, -q: 2, twice 2, a dot 1; the spaces belong to what follows.
    each(9, "Run mvn -B -q twice.");
    // The blanks before the digits count, too.
    each(12, "at 12:30 on 7 May 2026");
  }
}
