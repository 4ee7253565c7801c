package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScreenTextTest {
  private static final String[] PIECES = {
    "\u001b",
    "\u001b[",
    "\u001b]",
    "\u001bP",
    "\u009b",
    "\u009d",
    "\u0007",
    "\u001b\\",
    "\u009c",
    "[",
    "]",
    "0;",
    "31",
    "m",
    "H",
    "?25l",
    "(B",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\b",
    "text",
    "漢",
    "\u0000",
    "\u0018",
    " ",
    "\\",
    "\u007f"
  };

  @Test
  void colours_titles_links_and_charsets_go_and_the_text_stays() {
    assertThat(ScreenText.of("\u001b[1;31mred\u001b[0m \u001b(Bplain")).isEqualTo("red plain");
    assertThat(
            ScreenText.of("\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"))
        .isEqualTo("alink");
    assertThat(ScreenText.of("\u001bPq#0\u001b\\b\u009b2Jc\u009dtitle\u009cd\u001b7e"))
        .isEqualTo("bcde");
  }

  @Test
  void lines_end_in_one_way_and_painted_over_ones_stay() {
    assertThat(ScreenText.of("a\r\nb\r\r\nc\nd")).isEqualTo("a\nb\nc\nd");
    assertThat(ScreenText.of("50%\r60%\u001b[K\r\u001b[K\nend")).isEqualTo("50%\n60%\nend");
  }

  @Test
  void a_title_that_is_never_closed_hides_no_other_line() {
    assertThat(ScreenText.of("a\u001b]0;title and more\nb")).isEqualTo("a\nb");
    assertThat(ScreenText.of("a\u001b[31")).isEqualTo("a");
  }

  @Test
  void no_control_survives_and_twice_is_once_and_pieces_are_the_whole() {
    Seeds.forAll(
        5_000,
        random -> {
          String output = anything(random);
          String text = ScreenText.of(output);
          assertThat(text.chars().filter(c -> c != '\n' && c != '\t'))
              .noneMatch(Character::isISOControl);
          assertThat(ScreenText.of(text)).isEqualTo(text);
          int cut = random.nextInt(output.length() + 1);
          ScreenText screen = new ScreenText();
          assertThat(screen.add(output.substring(0, cut)) + screen.add(output.substring(cut)))
              .isEqualTo(text);
        });
  }

  private static String anything(Random random) {
    StringBuilder output = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      if (random.nextInt(8) == 0) output.append((char) random.nextInt(0x100));
      else output.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return output.toString();
  }
}
