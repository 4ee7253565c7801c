package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The runs are put together here, so that no file holds one that is taken for a secret. */
class RandomRunTest {
  /** Eighteen for each pair within, ten for each between two. */
  private static final String RANDOM = "Zx".repeat(12);

  /** Ten each, and nothing for the sign behind it. */
  private static final String TEN = "qZ+";

  /** So many words that a whole run with them is made of words. */
  private static final String WORDS = "configuration_".repeat(4);

  private static List<List<Integer>> found(String text) {
    List<List<Integer>> found = new ArrayList<>();
    RandomRun.scan(text, (start, end) -> found.add(List.of(start, end)));
    assertThat(RandomRun.isIn(text)).isEqualTo(!found.isEmpty());
    return found;
  }

  private static boolean isRandom(String text) {
    return RandomRun.isRandom(text, 0, text.length());
  }

  private static String encoded(String plain) {
    return Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "12, -4", "1a, 14", "1+, 0", "a1, 10", "qZ, 10", "Zx, 18", "Th, 0", "th, -13", "tx, 6",
    "TX, 6", "TH, -13", "+a, 0", "a+, 0", "ab, -13", "ay, -13", "aZ, 10", "zA, 10", "0a, 14",
    "9a, 14", "z9, 10", "q, 0"
  })
  void each_pair_of_neighbours_votes(String pair, int votes) {
    assertThat(RandomRun.score(pair, 0, pair.length())).isEqualTo(votes);
    assertThat(RandomRun.score("+" + pair + "+", 1, pair.length() + 1)).isEqualTo(votes);
  }

  @Test
  void a_run_is_neither_too_short_nor_too_long_wherever_it_stands() {
    assertThat(found("")).isEmpty();
    assertThat(found(RANDOM)).containsExactly(List.of(0, 24));
    assertThat(found(RANDOM.substring(1))).isEmpty();
    assertThat(found("Zx".repeat(256))).containsExactly(List.of(0, 512));
    assertThat(found("Zx".repeat(256) + "Z")).isEmpty();
    String far = " ".repeat(600);
    assertThat(found(far + RANDOM + " ")).containsExactly(List.of(600, 624));
    assertThat(found(RANDOM + " " + RANDOM)).containsExactly(List.of(0, 24), List.of(25, 49));
  }

  @Test
  void the_letter_of_an_escape_is_no_part_of_a_run() {
    assertThat(found("\\n" + RANDOM)).containsExactly(List.of(2, 26));
    assertThat(found("\\n" + RANDOM.substring(1))).isEmpty();
  }

  @Test
  void what_fills_a_run_up_belongs_to_it_up_to_two_signs() {
    assertThat(found(RANDOM + "=")).containsExactly(List.of(0, 25));
    assertThat(found(RANDOM + "= ")).containsExactly(List.of(0, 25));
    assertThat(found(RANDOM + "==")).containsExactly(List.of(0, 26));
    assertThat(found(RANDOM + "===")).containsExactly(List.of(0, 26));
  }

  @Test
  void of_a_run_of_words_only_the_random_part_is_found() {
    int words = WORDS.length();
    assertThat(found(WORDS)).isEmpty();
    assertThat(found(WORDS + RANDOM)).containsExactly(List.of(words, words + 24));
    assertThat(found(WORDS + RANDOM + "=")).containsExactly(List.of(words, words + 25));
    assertThat(found(RANDOM + "_" + WORDS)).containsExactly(List.of(0, 24));
    assertThat(found(RANDOM + "_" + WORDS + WORDS + RANDOM))
        .containsExactly(List.of(0, 24), List.of(25 + 2 * words, 49 + 2 * words));
    assertThat(found(WORDS + RANDOM.substring(1))).as("too short a part").isEmpty();
    assertThat(found("configuration".repeat(3))).as("one part alone").isEmpty();
  }

  @Test
  void random_is_small_and_capital_letters_in_one_alphabet() {
    assertThat(isRandom(RANDOM)).isTrue();
    assertThat(isRandom("zx7".repeat(8))).isFalse();
    assertThat(isRandom("ZX7".repeat(8))).isFalse();
    for (String sign : List.of("+", "/", "-", "_")) {
      assertThat(isRandom(RANDOM + sign + RANDOM)).as(sign).isTrue();
    }
    for (String signs : List.of("+_", "/-", "-+", "_/")) {
      assertThat(isRandom(RANDOM + signs + RANDOM)).as(signs).isFalse();
    }
    assertThat(isRandom(RANDOM + "+/" + RANDOM)).isTrue();
    assertThat(isRandom(RANDOM + "-_" + RANDOM)).isTrue();
  }

  @Test
  void without_a_digit_more_is_needed_than_with_one() {
    assertThat(isRandom(TEN.repeat(10))).as("100").isTrue();
    assertThat(isRandom(TEN.repeat(9) + "qq")).as("96").isFalse();
    assertThat(isRandom(TEN.repeat(3) + "7")).as("30 with a digit").isTrue();
    assertThat(isRandom(TEN.repeat(2) + "qq+7")).as("26 with a digit").isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0123456789abcdef", "0123456789ABCDEF", "fedcba9876543210"})
  void a_run_that_holds_a_hash_is_not_random(String hash) {
    String random = TEN.repeat(30);
    assertThat(isRandom(random + hash)).isFalse();
    assertThat(isRandom(hash + "+" + random)).isFalse();
    assertThat(isRandom(random + hash + "+" + random)).isFalse();
    assertThat(isRandom(random + hash.substring(1))).as("too short for a hash").isTrue();
    assertThat(isRandom(random + "g" + hash)).as("a letter that no hash has").isTrue();
    assertThat(isRandom(random + hash + "G")).isTrue();
    assertThat(isRandom(random + hash.substring(8) + "+" + hash.substring(8)))
        .as("two halves")
        .isTrue();
  }

  @Test
  void text_with_blanks_that_was_encoded_is_content_and_no_key() {
    String plain = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich";
    assertThat(RandomRun.score(encoded(plain), 0, 40)).isGreaterThan(30);
    assertThat(isRandom(bare(plain))).isFalse();
    assertThat(isRandom(bare(plain.replace(' ', '\t') + " ."))).as("tabs are text").isFalse();
    assertThat(isRandom(bare(" " + plain.replace(" ", "")))).as("a blank in front").isFalse();
    assertThat(isRandom(bare(plain.replace(" ", "")))).as("no blank").isTrue();
    assertThat(isRandom(bare("\u0001" + plain))).as("a control character").isTrue();
    String cut = bare(plain);
    assertThat(isRandom(cut.substring(0, 47))).as("the end is missing").isFalse();
  }

  /** Encoded, without what fills it up. */
  private static String bare(String plain) {
    return encoded(plain).replace("=", "");
  }
}
