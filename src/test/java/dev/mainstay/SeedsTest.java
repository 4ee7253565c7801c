package dev.mainstay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeedsTest {
  @Test
  void a_failing_case_names_the_seed_that_replays_it() {
    assertThatThrownBy(() -> Seeds.forAll(9, random -> assertThat(random.nextInt(4)).isNegative()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dseed=");
  }

  @Test
  void cases_differ_from_each_other() {
    Set<Integer> seen = new HashSet<>();
    Seeds.forAll(20, random -> seen.add(random.nextInt(1_000_000)));
    // One when a single seed is replayed.
    assertThat(seen).hasSize(Long.getLong("seed") == null ? 20 : 1);
  }
}
