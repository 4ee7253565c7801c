package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import org.junit.jupiter.api.Test;

class RecentTest {
  private int read;

  private final Recent<JsonObject> recent =
      new Recent<>(
          json -> {
            read++;
            return json;
          });

  private static String text(int number, int chars) {
    return "{\"n\":%d,\"text\":\"%s\"}".formatted(number, "x".repeat(chars));
  }

  /** What the driver gives is never the same object twice. */
  private static String again(String text) {
    return new StringBuilder(text).toString();
  }

  @Test
  void a_long_text_is_read_once_and_means_the_same_again() {
    JsonObject first = recent.of(text(1, 600));
    assertThat(recent.of(again(text(1, 600)))).isSameAs(first);
    assertThat(read).isEqualTo(1);
  }

  @Test
  void another_text_of_the_same_length_is_read_by_itself() {
    recent.of(text(1, 600));
    assertThat(recent.of(text(2, 600)).number("n")).isEqualTo(2);
    assertThat(recent.of(text(1, 600)).number("n")).isEqualTo(1);
    assertThat(read).isEqualTo(2);
  }

  @Test
  void what_is_written_need_not_be_read() {
    JsonObject value = JsonObject.of("n", 3, "text", "y".repeat(600));
    recent.keep(JsonText.write(value), value);
    assertThat(recent.of(JsonText.write(value))).isSameAs(value);
    assertThat(read).isZero();
  }

  @Test
  void short_texts_huge_ones_and_those_of_long_ago_are_not_kept() {
    for (int times = 0; times < 2; times++) {
      recent.of("{\"n\":1}");
      recent.of(text(2, 200_000));
    }
    assertThat(read).isEqualTo(4);
    recent.of(text(3, 600));
    recent.of(text(4, 600));
    for (int number = 5; number < 20; number++) {
      recent.of(text(number, 600));
      recent.of(text(3, 600));
    }
    read = 0;
    for (int number : new int[] {3, 6, 19}) recent.of(text(number, 600));
    assertThat(read).as("those that were met last").isZero();
    recent.of(text(4, 600));
    assertThat(read).as("one of long ago").isEqualTo(1);
  }

  @Test
  void all_of_them_together_are_no_more_than_half_a_million_letters() {
    for (int number = 0; number < 6; number++) recent.of(text(number, 100_000));
    read = 0;
    for (int number = 5; number > 0; number--) recent.of(text(number, 100_000));
    assertThat(read).isZero();
    recent.of(text(0, 100_000));
    assertThat(read).isEqualTo(1);
  }

  @Test
  void no_text_is_an_empty_object() {
    assertThat(recent.of(null)).isEqualTo(JsonObject.EMPTY);
  }
}
