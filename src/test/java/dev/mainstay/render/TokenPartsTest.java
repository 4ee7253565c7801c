package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where texts are parted before they are counted, and what a stretch without such places costs. */
class TokenPartsTest {
  private static final int MOST = Tokens.STRETCH_CHARS_MAX;

  /** Of two characters, with what follows them. */
  private static void parts(boolean expected, String... texts) {
    for (String text : texts) {
      assertThat(Tokens.partsAt(text, 1)).as("<%s>", text).isEqualTo(expected);
    }
  }

  @Test
  void a_line_begins_a_part_unless_a_tokenizer_might_join_it() {
    parts(true, "\na", "\n!", "\n~", "\n0", "\n<", "\n\u00e9", "\n\u4f60");
    parts(
        false, "\n/", "\n ", "\n\n", "\n\t", "\n\u007f", "\n\u0080", "\n\u00d7", "\n\ud83d\ude00");
  }

  @Test
  void letters_and_digits_part_from_each_other() {
    parts(true, "a0", "z9", "A0", "Z9", "0a", "9z", "0A", "9Z");
    parts(false, "ab", "aB", "Ab", "12", "a/", "a:", "1@", "1[", "1`", "1{");
  }

  @Test
  void what_stands_beside_letters_and_digits_does_not_part_from_them() {
    parts(false, "@1", "[1", "`1", "{1", "/a", ":a", "\u00e91", "1\u00e9");
  }

  @Test
  void a_space_parts_only_a_word_from_what_is_before_it() {
    parts(true, "a b", "z Z", "1 b", "9 a");
    parts(false, "a 1", "1 2", "a  b", "a ", "1 ", "a !", ". a", "a\tb", " a", "\u00e9 a");
  }

  @Test
  void halves_of_characters_are_repaired_and_whole_ones_stay() {
    assertThat(Tokens.wellFormed("a\ud800b")).isEqualTo("a\ufffdb");
    assertThat(Tokens.wellFormed("\udc00\ud800")).isEqualTo("\ufffd\ufffd");
    assertThat(Tokens.wellFormed("\ud800\ud83d\ude00\ude00")).isEqualTo("\ufffd\ud83d\ude00\ufffd");
    String whole = "plain, \u4f60\u597d, \ud83d\ude00";
    assertThat(Tokens.wellFormed(whole)).isSameAs(whole);
  }

  @Test
  void half_a_character_counts_as_the_mark_that_readers_see_instead() {
    for (Tokens tokens : List.of(Tokens.O200K, Tokens.CL100K)) {
      assertThat(tokens.count("a\ud800b")).isEqualTo(tokens.count("a\ufffdb"));
    }
  }

  @Test
  void the_longest_stretch_is_counted_exactly_and_one_more_character_by_bytes() {
    // Eight letters "a" are one token of either vocabulary.
    for (Tokens tokens : List.of(Tokens.O200K, Tokens.CL100K)) {
      assertThat(tokens.count("a".repeat(MOST))).isEqualTo(MOST / 8);
      assertThat(tokens.count("a".repeat(MOST + 1))).isEqualTo(MOST + 1);
    }
  }

  @Test
  void a_stretch_that_is_too_long_is_counted_as_its_bytes() {
    assertThat(stretch("\u007f")).isEqualTo(MOST + 1);
    assertThat(stretch("\u0080")).isEqualTo(2 * (MOST + 1));
    assertThat(stretch("\u07ff")).isEqualTo(2 * (MOST + 1));
    assertThat(stretch("\u0800")).isEqualTo(3 * (MOST + 1));
    assertThat(stretch("\u4f60")).isEqualTo(3 * (MOST + 1));
  }

  private static int stretch(String unit) {
    return Tokens.O200K.count(unit.repeat(MOST + 1));
  }

  @Test
  void only_the_stretch_itself_is_counted_as_bytes() {
    String giant = " " + "a".repeat(MOST) + "\n";
    String before = "one of many words ".repeat(2_000).strip();
    int words = Tokens.O200K.count(before);

    assertThat(words).isEqualTo(8_000);
    assertThat(Tokens.O200K.count(before + giant + "after it")).isEqualTo(8_000 + MOST + 2 + 2);
    assertThat(Tokens.O200K.count("it" + giant + before)).isEqualTo(1 + MOST + 2 + 8_000);
    assertThat(Tokens.O200K.count("it" + giant + "or" + giant + "it"))
        .isEqualTo(3 + 2 * (MOST + 2));
  }

  @Test
  void a_stretch_of_the_greatest_length_within_a_long_text_is_counted_exactly() {
    // With its break it is as long as a stretch may be; the space before it is its beginning.
    String longest = " " + "a".repeat(MOST - 2) + "\n";
    int exact = Tokens.O200K.count(longest);

    assertThat(exact).isLessThan(MOST / 4);
    assertThat(Tokens.O200K.count("it" + longest + "it")).isEqualTo(1 + exact + 1);
  }
}
