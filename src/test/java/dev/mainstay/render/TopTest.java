package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopTest {
  private static final List<Integer> MANY = List.of(5, 3, 9, 1, 7, 1);

  private static List<Integer> first(int most) {
    return Top.of(MANY, Comparator.naturalOrder(), most);
  }

  @Test
  void the_first_few_come_in_their_order() {
    assertThat(first(1)).containsExactly(1);
    assertThat(first(3)).containsExactly(1, 1, 3);
    assertThat(first(5)).containsExactly(1, 1, 3, 5, 7);
  }

  @Test
  void of_no_more_than_wanted_all_come() {
    assertThat(first(6)).containsExactly(1, 1, 3, 5, 7, 9);
    assertThat(first(7)).containsExactly(1, 1, 3, 5, 7, 9);
    assertThat(Top.of(List.<Integer>of(), Comparator.naturalOrder(), 3)).isEmpty();
  }

  @Test
  void of_equals_the_earlier_ones_stay() {
    Comparator<String> byLength = Comparator.comparingInt(String::length);
    assertThat(Top.of(List.of("aa", "bb", "cc"), byLength, 2))
        .containsExactlyInAnyOrder("aa", "bb");
  }
}
