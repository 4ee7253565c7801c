package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.render.Excerpts.Room;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ExcerptsTest {
  private static final IntFunction<String> MISSING = missing -> "[" + missing + "]";
  private static final String PAIR = "\ud83d\ude00";
  private static final String MARK = "\u0301";

  /** A mark outside the basic plane, which takes two characters. */
  private static final String WIDE_MARK = "\ud834\udd65";

  private static Room chars(int size) {
    return new Room(size, String::length);
  }

  @Test
  void what_fits_to_the_last_character_stays_whole() {
    assertThat(Excerpts.head("abcdef", chars(6), MISSING)).isEqualTo("abcdef");
    assertThat(Excerpts.headAndTail("abcdef", chars(6), MISSING)).isEqualTo("abcdef");
    assertThat(Excerpts.head("", chars(0), MISSING)).isEmpty();
  }

  @Test
  void what_is_too_long_is_shown_by_its_beginning_and_the_rest_is_counted() {
    String digits = "0123456789".repeat(10);

    assertThat(Excerpts.head(digits, chars(99), x -> "")).isEqualTo(digits.substring(0, 94));
    // With its mark the first try is too long, so the second is shorter by that.
    assertThat(Excerpts.head(digits, chars(50), MISSING))
        .isEqualTo(digits.substring(0, 43) + "[57]");
  }

  @Test
  void a_third_of_what_is_kept_is_the_end() {
    String digits = "0123456789".repeat(30);

    assertThat(Excerpts.headAndTail(digits, chars(100), x -> "<" + x + ">"))
        .isEqualTo(digits.substring(0, 64) + "<205>" + digits.substring(269));
  }

  @Test
  void with_no_room_at_all_the_mark_alone_remains() {
    assertThat(Excerpts.head("abcdef", chars(0), MISSING)).isEqualTo("[6]");
    assertThat(Excerpts.headAndTail("abcdef", chars(1), MISSING)).isEqualTo("[6]");
  }

  @Test
  void the_room_is_kept_in_whatever_it_is_measured() {
    Room tokens = new Room(10, Tokens.O200K::count);
    String text = "one two three ".repeat(100);
    String excerpt = Excerpts.headAndTail(text, tokens, x -> "...");

    assertThat(Tokens.O200K.count(excerpt)).isBetween(7, 10);
    assertThat(excerpt).startsWith("one two").contains("...").endsWith("three ");
  }

  @Test
  void a_text_is_cut_between_characters_and_never_behind_its_end() {
    assertThat(Excerpts.floor("abc", 0)).isZero();
    assertThat(Excerpts.floor("abc", 2)).isEqualTo(2);
    assertThat(Excerpts.floor("abc", 3)).isEqualTo(3);
    assertThat(Excerpts.floor("abc", 4)).isEqualTo(3);
    assertThat(Excerpts.floor("", 1)).isZero();
  }

  @Test
  void a_pair_is_not_halved() {
    String text = "a" + PAIR + PAIR;
    assertThat(Excerpts.floor(text, 1)).isEqualTo(1);
    assertThat(Excerpts.floor(text, 2)).isEqualTo(1);
    assertThat(Excerpts.floor(text, 3)).isEqualTo(3);
    assertThat(Excerpts.floor(text, 4)).isEqualTo(3);
    assertThat(Excerpts.floor(PAIR, 1)).isZero();
  }

  @Test
  void halves_that_stand_alone_join_nothing() {
    assertThat(Excerpts.floor("\ud83dab", 1)).isEqualTo(1);
    assertThat(Excerpts.floor("ab\ud83d", 2)).isEqualTo(2);
    assertThat(Excerpts.floor("\ude00ab", 0)).isZero();
  }

  @Test
  void marks_stay_with_the_letter_that_they_belong_to() {
    for (String mark : new String[] {"\u0301", "\u0903", "\u20dd", WIDE_MARK}) {
      assertThat(Excerpts.floor("ae" + mark + "b", 2)).as(mark).isEqualTo(1);
      assertThat(Excerpts.floor("ae" + mark + "b", 2 + mark.length())).isEqualTo(2 + mark.length());
    }
  }

  @Test
  void what_a_joiner_joins_is_one_character() {
    String family = "\ud83d\udc69\u200d\ud83d\udc67";
    String text = "a" + family + "b";
    for (int place = 1; place < 1 + family.length(); place++) {
      assertThat(Excerpts.floor(text, place)).as("at %d", place).isEqualTo(1);
    }
    assertThat(Excerpts.floor(text, 1 + family.length())).isEqualTo(1 + family.length());
  }

  @Test
  void a_run_of_more_than_thirty_two_marks_is_no_writing_and_is_cut() {
    String text = "a" + MARK.repeat(100);
    assertThat(Excerpts.floor(text, 32)).isZero();
    assertThat(Excerpts.floor(text, 33)).isEqualTo(1);
    assertThat(Excerpts.floor(text, 50)).isEqualTo(18);
  }

  @Test
  void even_there_a_pair_is_not_halved() {
    String text = "a" + WIDE_MARK.repeat(40);
    assertThat(Excerpts.floor(text, 41)).isEqualTo(9);
    assertThat(Excerpts.floor(text, 40)).isEqualTo(7);
  }

  @Test
  void neither_the_beginning_nor_the_end_of_an_excerpt_halves_a_character() {
    String text = "x" + PAIR.repeat(150);

    assertThat(Excerpts.headAndTail(text, chars(100), MISSING))
        .isEqualTo("x" + PAIR.repeat(31) + "[208]" + PAIR.repeat(15));
  }

  @Test
  void the_end_of_an_excerpt_begins_behind_the_marks_of_what_is_left_out() {
    String text = "x".repeat(268) + "e" + MARK + "y".repeat(30);

    assertThat(Excerpts.headAndTail(text, chars(100), MISSING))
        .isEqualTo("x".repeat(64) + "[206]" + "y".repeat(30));
  }

  @Test
  void an_end_within_a_long_run_of_marks_begins_within_it() {
    String narrow = "b".repeat(100) + MARK.repeat(300);
    assertThat(Excerpts.headAndTail(narrow, chars(200), MISSING))
        .isEqualTo("b".repeat(99) + "[270]" + MARK.repeat(31));

    String wide = "b".repeat(100) + WIDE_MARK.repeat(150);
    assertThat(Excerpts.headAndTail(wide, chars(200), MISSING))
        .isEqualTo("b".repeat(99) + "[271]" + WIDE_MARK.repeat(15));
  }

  @Test
  void an_end_that_is_nothing_but_marks_is_left_out() {
    String text = "b".repeat(200) + "e" + MARK.repeat(99);

    assertThat(Excerpts.headAndTail(text, chars(100), MISSING)).isEqualTo("b".repeat(64) + "[236]");
  }
}
