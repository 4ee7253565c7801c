package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In which forms a text is erased, and what stands in its place. */
class ErasedFormsTest {
  private static final String LEAKED = "the old \"moon\" base";
  private static final String ESCAPED = "the old \\\"moon\\\" base";
  private static final Erasure ERASURE = Erasure.of(LEAKED, List.of(ESCAPED, LEAKED), "ab12");

  @Test
  void a_text_goes_in_every_form_wherever_it_stands() {
    assertThat(ERASURE.in("we left " + LEAKED + " today"))
        .isEqualTo("we left forgotten-ab12 today");
    assertThat(ERASURE.in("{" + ESCAPED + "}")).isEqualTo("{forgotten-ab12}");
    assertThat(ERASURE.isIn("x" + LEAKED)).isTrue();
    assertThat(ERASURE.isIn("the new base")).isFalse();
    assertThat(ERASURE.mark()).isEqualTo("forgotten-ab12");
    assertThat(ERASURE.forms()).containsExactly(ESCAPED, LEAKED);
    assertThat(ERASURE.signs())
        .allMatch(sign -> ESCAPED.startsWith(sign) || LEAKED.startsWith(sign));
  }

  @Test
  void a_longer_text_is_known_by_a_third_of_it() {
    String text = "0123456789".repeat(6);
    assertThat(Erasure.of(text, List.of(), "t").signs()).containsExactly(text.substring(0, 20));
    assertThat(Erasure.of("12345678", List.of(), "t").signs()).containsExactly("12345678");
  }

  @Test
  void the_mark_is_never_longer_than_the_text() {
    assertThat(Erasure.of("a".repeat(14), List.of(), "ab12").mark()).isEqualTo("forgotten-ab12");
    assertThat(Erasure.of("a".repeat(13), List.of(), "ab12").mark()).isEqualTo("gone-ab12");
    assertThat(Erasure.of("a".repeat(9), List.of(), "ab12").mark()).isEqualTo("gone-ab12");
    assertThat(Erasure.of("a".repeat(8), List.of(), "ab12").mark()).isEqualTo("xab12");
  }

  @Test
  void a_text_has_a_least_and_a_most_length() {
    assertThat(Erasure.of("a".repeat(Erasure.CHARS_MIN), List.of(), "t").forms()).hasSize(1);
    assertThat(Erasure.of("a".repeat(Erasure.CHARS_MAX), List.of(), "t").forms()).hasSize(1);
    for (String no : List.of("a".repeat(5), " ".repeat(20), "a".repeat(Erasure.CHARS_MAX + 1))) {
      assertThatThrownBy(() -> Erasure.of(no, List.of(), "t")).isInstanceOf(Refusal.class);
    }
  }

  @Test
  void it_goes_from_every_key_and_text_of_a_value_and_numbers_stay() {
    JsonObject value =
        JsonObject.of(LEAKED, List.of(LEAKED, 3L, JsonObject.of("k", LEAKED)), "n", 4L)
            .withAny("nothing", null);
    assertThat(ERASURE.inJson(value))
        .isEqualTo(
            JsonObject.of(
                    "forgotten-ab12",
                    List.of("forgotten-ab12", 3L, JsonObject.of("k", "forgotten-ab12")),
                    "n",
                    4L)
                .withAny("nothing", null));
    assertThat(ERASURE.inJson(Map.of("a", LEAKED))).isEqualTo(Map.of("a", "forgotten-ab12"));
    assertThat(ERASURE.inJson(Arrays.asList(LEAKED, null)))
        .isEqualTo(Arrays.asList("forgotten-ab12", null));
  }

  @Test
  void nothing_of_it_is_left_and_all_else_is() {
    Seeds.forAll(
        100,
        random -> {
          StringBuilder text = new StringBuilder("x");
          StringBuilder expected = new StringBuilder("x");
          for (int i = random.nextInt(9); i > 0; i--) {
            boolean erased = random.nextInt(3) == 0;
            String word = "w" + random.nextInt(100) + ".";
            text.append(erased ? LEAKED : word);
            expected.append(erased ? ERASURE.mark() : word);
          }
          assertThat(ERASURE.in(text.toString())).isEqualTo(expected.toString());
        });
  }
}
