package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {
  @Test
  void plain_text_is_shown_as_it_stands() {
    String plain = "Port ~all~ of it (soon)!";
    assertThat(Printable.text(plain)).isSameAs(plain);
    assertThat(Printable.line(plain)).isSameAs(plain);
    assertThat(Printable.width(plain)).isEqualTo(plain.length());
  }

  @Test
  void what_would_move_a_terminal_is_shown_and_does_nothing() {
    assertThat(Printable.text("a\u001b[2Jb\u007fc\u202ed\te\n"))
        .isEqualTo("a\\u001b[2Jb\\u007fc\\u202ed\te\n");
    assertThat(Printable.line("a\tb\nc\r")).isEqualTo("a b c\\u000d");
  }

  @Test
  void separators_and_invisible_characters_are_written_out() {
    assertThat(Printable.line("a\u200bb\u2028c\u2029d\ufeffe\u2060f"))
        .isEqualTo("a\\u200bb\\u2028c\\u2029d\\ufeffe\\u2060f");
    String tag = new StringBuilder().appendCodePoint(0xe0041).toString();
    assertThat(Printable.text("x" + tag)).isEqualTo("x\\ue0041");
    String family = "\ud83d\udc69\u200d\ud83d\udc67";
    assertThat(Printable.text(family)).isEqualTo(family);
  }

  @ParameterizedTest
  @CsvSource({"abcdef,4,abcd|ef", "abcd,4,abcd", "日本語,4,日本|語", "日,1,日"})
  void wraps_at_a_number_of_columns(String text, int columns, String lines) {
    assertThat(Printable.wrap(text, columns)).containsExactly(lines.split("\\|"));
  }

  @ParameterizedTest
  @CsvSource({"abcdef,6,abcdef", "abcdef,5,abcd…", "abcdef,1,…", "日本語文,5,日本…", "ab日本,4,ab…"})
  void what_is_too_wide_ends_with_an_ellipsis(String text, int columns, String shown) {
    assertThat(Printable.fit(text, columns)).isEqualTo(shown);
    assertThat(Printable.width(shown)).isLessThanOrEqualTo(columns);
  }

  @Test
  void columns_line_up_whatever_stands_in_them() {
    var table = new Table(40, "ID", "TITLE").row("T-1", "plain").row("日本", "wide\u001b");
    assertThat(table.lines()).containsExactly("ID    TITLE", "T-1   plain", "日本  wide\\u001b");
  }
}
