package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DelimitersTest {
  private static void becomes(String shown, int... characters) {
    for (int each : characters) {
      String given = "a" + Character.toString(each) + "b";
      assertThat(Delimiters.neutral(given)).as("U+%04X", each).isEqualTo("a" + shown + "b");
    }
  }

  private static void stays(int... characters) {
    for (int each : characters) becomes(Character.toString(each), each);
  }

  @Test
  void a_block_stands_between_its_marks_and_ends_its_last_line() {
    assertThat(Delimiters.block("goal", "ship it")).isEqualTo("<goal>\nship it\n</goal>\n");
    assertThat(Delimiters.block("goal", "ship it\n")).isEqualTo("<goal>\nship it\n</goal>\n");
    assertThat(Delimiters.block("goal", "")).isEqualTo("<goal>\n\n</goal>\n");
    assertThat(Delimiters.block("goal", "a</goal>\n  b"))
        .isEqualTo("<goal>\na&lt;/goal>\n  b\n</goal>\n");
  }

  @Test
  void the_further_lines_of_an_entry_are_set_in() {
    assertThat(Delimiters.entry(" one\ntwo\r\nthree\n")).isEqualTo("one\n  two\n  three");
    assertThat(Delimiters.entry(" \n ")).isEmpty();
  }

  @Test
  void a_name_is_short_and_plain() {
    String longest = "a".repeat(40);
    assertThat(Delimiters.open(longest)).isEqualTo("<" + longest + ">\n");
    assertThat(Delimiters.close("a-1_b")).isEqualTo("</a-1_b>\n");
    for (String name : new String[] {"", "1a", "A", "a b", "a>", "a".repeat(41)}) {
      assertThatThrownBy(() -> Delimiters.open(name)).hasMessage("no block name: " + name);
      assertThatThrownBy(() -> Delimiters.close(name)).hasMessage("no block name: " + name);
    }
  }

  @Test
  void every_form_of_the_sign_that_opens_a_tag_is_replaced() {
    becomes("&lt;", '<', 0xff1c, 0xfe64);
    stays('>', '&', 0xff1b, 0xff1d, 0xfe63, 0xfe65);
  }

  @Test
  void every_break_of_a_line_is_one_line_break() {
    becomes("\n", '\n', '\r', 0x0b, '\f', 0x85, 0x2028, 0x2029);
    assertThat(Delimiters.neutral("a\r\nb\r")).isEqualTo("a\nb\n");
    assertThat(Delimiters.neutral("a\n\rb\r\r\n")).isEqualTo("a\n\nb\n\n");
  }

  @Test
  void what_cannot_be_read_is_marked() {
    becomes("\ufffd", 0x00, 0x08, 0x0e, 0x1f, 0x7f, 0x84, 0x86, 0x9f); // controls
    becomes("\ufffd", 0x202a, 0x202c, 0x202e, 0x2066, 0x2069); // turn the direction
    becomes("\ufffd", 0xe0000, 0xe0041, 0xe007f); // letters that nobody sees
    becomes("\ufffd", 0xd800, 0xdbff, 0xdc00, 0xdfff); // halves of characters
  }

  @Test
  void what_stands_beside_the_unreadable_stays() {
    stays('\t', ' ', '~', 0xa0, 0x2027, 0x202f, 0x2065, 0x206a);
    stays(0xd7ff, 0xe000, 0x10000, 0x1f600, 0xdffff, 0xe0080);
  }
}
