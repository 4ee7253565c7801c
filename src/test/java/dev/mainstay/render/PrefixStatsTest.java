package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrefixStatsTest {
  @Test
  void the_bytes_that_both_begin_with_are_counted_of_the_later_one() {
    assertThat(PrefixStats.between("abc", "abc")).isEqualTo(new PrefixStats(3, 3));
    assertThat(PrefixStats.between("abc", "abcde")).isEqualTo(new PrefixStats(3, 5));
    assertThat(PrefixStats.between("abcde", "abc")).isEqualTo(new PrefixStats(3, 3));
    assertThat(PrefixStats.between("abc", "xbc")).isEqualTo(new PrefixStats(0, 3));
    assertThat(PrefixStats.between("", "abc")).isEqualTo(new PrefixStats(0, 3));
    assertThat(PrefixStats.between("abc", "")).isEqualTo(new PrefixStats(0, 0));
  }

  @Test
  void bytes_are_counted_and_not_characters() {
    // Both letters begin with the same byte.
    assertThat(PrefixStats.between("a\u00e4", "a\u00f6")).isEqualTo(new PrefixStats(2, 3));
  }

  @Test
  void each_prompt_is_compared_with_the_one_before_it() {
    assertThat(PrefixStats.over(List.of("abcd", "abXY", "abXYZ")))
        .isEqualTo(new PrefixStats(2 + 4, 4 + 5));
    assertThat(PrefixStats.over(List.of())).isEqualTo(new PrefixStats(0, 0));
    assertThat(PrefixStats.over(List.of("abcd"))).isEqualTo(new PrefixStats(0, 0));
  }

  @Test
  void the_ratio_is_what_could_be_reused() {
    assertThat(new PrefixStats(2, 5).ratio()).isEqualTo(0.4);
    assertThat(new PrefixStats(0, 5).ratio()).isZero();
    assertThat(new PrefixStats(0, 0).ratio()).isZero();
    assertThat(new PrefixStats(2, 5).plus(new PrefixStats(1, 7))).isEqualTo(new PrefixStats(3, 12));
  }
}
