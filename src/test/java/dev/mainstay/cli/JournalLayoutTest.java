package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JournalLayoutTest {
  private static final Io.Screen NARROW = new Io.Screen(true, 24, false);

  @Test
  void a_pipe_gets_the_whole_entry_on_one_line() {
    String payload = "x".repeat(5_000);
    assertThat(JournalCommand.laidOut("head", payload, Io.Screen.PIPE))
        .isEqualTo("head  " + payload);
  }

  @Test
  void a_screen_gets_what_fits_on_one_line_and_wraps_the_rest_below() {
    assertThat(JournalCommand.laidOut("head", "{\"a\":1}", NARROW)).isEqualTo("head  {\"a\":1}");
    assertThat(JournalCommand.laidOut("head", "0123456789".repeat(3), NARROW))
        .isEqualTo("head\n    01234567890123456789\n    0123456789");
  }

  @Test
  void a_long_entry_is_cut_on_a_screen_and_says_how_to_see_all_of_it() {
    assertThat(JournalCommand.laidOut("head", "x".repeat(5_000), NARROW).lines().toList())
        .hasSize(10)
        .last()
        .asString()
        .contains("--json");
  }
}
