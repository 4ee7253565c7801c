package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Patterns from files that anybody may write. */
class SignTest {
  @Test
  void a_sign_is_found_anywhere_in_the_looked_at_part_of_a_line() {
    Sign sign = Sign.of("at work", "esc to interrupt");
    assertThat(sign.isIn("• Working (3s • esc to interrupt)")).isTrue();
    assertThat(sign.isIn("esc to cancel")).isFalse();
    assertThat(sign.isIn("x".repeat(Sign.LINE_CHARS_MAX) + "esc to interrupt")).isFalse();
  }

  @Test
  void a_pattern_that_could_explode_is_refused() {
    for (String bad : List.of("(a+)+$", "(a|a)*b", "(x*){2,}y", "(?:a|b)+", "(a)\\1", "\\Qa\\E")) {
      assertThatThrownBy(() -> Sign.of("x", bad)).as(bad).isInstanceOf(Refusal.class);
    }
    assertThatThrownBy(() -> Sign.of("x", ".*.*.*.*.*z")).hasMessageContaining("plainer");
    assertThatThrownBy(() -> Sign.of("x", "(")).hasMessageContaining("is wrong");
    for (String good : List.of("(a|b)?c", "(a){0,3}", "[+*]+x", "a*+b", "\\(+", "a{2,3}")) {
      assertThatCode(() -> Sign.of("x", good)).as(good).doesNotThrowAnyException();
    }
  }

  @Test
  void a_look_that_takes_too_many_steps_is_given_up() {
    Sign sign = Sign.of("slow", ".*.*.*.*z");
    String line = "a".repeat(Sign.LINE_CHARS_MAX);
    assertThat(sign.isIn(line)).isFalse();
    assertThat(sign.mayBeIn(line)).isTrue();
    Sign nested = Sign.of("slower", "((a?){0,50}){0,50}z");
    assertThat(nested.isIn(line)).isFalse();
  }

  @Test
  void whatever_pattern_is_written_it_is_refused_or_ends() {
    Seeds.forAll(
        1_000,
        random -> {
          String pattern = random(random, "ab.*+?{}()[]|\\^$12,:=!<", 1 + random.nextInt(24));
          try {
            Sign.of("any", pattern).isIn(random(random, "ab", 200));
          } catch (Refusal refused) {
            assertThat(refused.sentence()).isNotBlank();
          }
        });
  }

  private static String random(Random random, String signs, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) text.append(signs.charAt(random.nextInt(signs.length())));
    return text.toString();
  }
}
