package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Reservation.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationTest {
  @ParameterizedTest
  @CsvSource({
    "src/A.java, src/A.java, true",
    "src/A.java, src/B.java, false",
    "src, src/main/A.java, true",
    "src/, src/main/A.java, true",
    "src, srcs/A.java, false",
    "src/*.java, src/A.java, true",
    "src/*.java, src/main/A.java, false",
    "src/**, src/main/A.java, true",
    "src/**, src/A.java, true",
    "**/*.md, README.md, true",
    "**/*.md, docs/adr/0001.md, true",
    "**/*.md, docs/adr/0001.mdx, false",
    "*/**/x, a/x, true",
    "*/**/x, a/b/c/x, true",
    "*/**/x, x, false",
    "?.txt, a.txt, true",
    "?.txt, ab.txt, false",
    "a?c, a/c, false",
    "docs/[a], docs/[a], true",
    "docs/[a], docs/a, false"
  })
  void a_pattern_covers_what_it_says(String pattern, String path, boolean covered) {
    assertThat(new Pattern(pattern).covers(new RepoPath(path))).isEqualTo(covered);
  }

  @ParameterizedTest
  @CsvSource({
    "src/A.java, src/A.java, true",
    "src/A.java, src/*.java, true",
    "src, src/*.java, true",
    "src/*.java, src/*.md, false",
    "src/**, src/main/*.java, true",
    "docs/**, src/**, false",
    "src, **/*.java, true",
    "src, docs/*.md, false",
    "src, src/main, true",
    "src/A.java, src/B.java, false"
  })
  void two_patterns_meet_where_a_path_may_be_covered_by_both(
      String one, String other, boolean meet) {
    assertThat(new Pattern(one).meets(new Pattern(other))).isEqualTo(meet);
    assertThat(new Pattern(other).meets(new Pattern(one))).isEqualTo(meet);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/**", "../**", "a/../b", ".git/**", ".mainstay/*", ""})
  void what_is_no_path_of_the_workspace_cannot_be_reserved(String pattern) {
    assertThatThrownBy(() -> new Pattern(pattern)).isInstanceOf(Refusal.class);
  }

  @Test
  void many_stars_do_not_make_matching_slow() {
    var pattern = new Pattern("*a".repeat(100) + "b");
    assertThat(pattern.covers(new RepoPath("a".repeat(200)))).isFalse();
  }
}
