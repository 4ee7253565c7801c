package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in the place of a secret: judged by its length, its letters and its words. */
class SecretValueTest {
  private static final String MIXED = "ZxQvKjWq".repeat(2);

  private static void assertJudged(Predicate<String> judge, List<String> yes, List<String> no) {
    assertThat(yes).allMatch(judge);
    assertThat(no).noneMatch(judge);
  }

  @Test
  void a_filler_is_few_letters_over_and_over() {
    assertJudged(
        SecretValue::isNoFiller,
        List.of("abcddeefg", "abcdefghi"),
        List.of("abcdddeef", "abcdefgh" + "x".repeat(6), "abcdefgh****", "abcdefgh..."));
    assertJudged(
        SecretValue::isKeyBlock,
        List.of("-- ABCDABCDABCD --", "AAAAAAAAAAAA ABCDABCDABCD"),
        List.of("-- ABCABCABCABC --", "ABCDABCDABC", ""));
  }

  @Test
  void a_digit_and_a_capital_are_any_of_them() {
    assertJudged(
        SecretValue::hasDigitAndCapital,
        List.of("abcdefg0A", "abcdefg9Z", "A1bcdefgh"),
        List.of("abcdefgh1", "abcdefghA", "abcdefg:A", "abcdefg/A", "abcdefg1[", "aaaaaaa1A"));
  }

  @Test
  void an_identifier_is_no_secret_and_random_letters_are_long_enough_to_be_one() {
    assertThat(RandomRun.score(MIXED, 0, 16)).isPositive();
    assertJudged(
        SecretValue::isNoIdentifier,
        List.of(MIXED),
        List.of(MIXED.substring(1), "+-/_".repeat(4), "configurationOfAll", "xxxxxx" + MIXED));
  }

  @Test
  void a_bare_token_has_digits_amid_its_letters() {
    assertJudged(
        SecretValue::isRandomLike,
        List.of("abc123def", "1a2b3c4d"),
        List.of("abcdef12", "abcdefgh", "12345678", "a1b", "<abc123def>"));
  }

  @Test
  void a_quoted_value_has_four_letters_and_is_no_sentence() {
    assertJudged(
        SecretValue::isLiteral,
        List.of("hunt", "correct horse battery"),
        List.of("hun", "enter the horse", "changeme", "my-api-key", " hunt"));
    String standIns = "key_".repeat(16);
    assertThat(SecretValue.isLiteral(standIns)).as("64 characters").isFalse();
    assertThat(SecretValue.isLiteral(standIns + "a")).as("nobody writes that many").isTrue();
  }

  @Test
  void an_unquoted_value_amid_code_is_mixed_and_no_name() {
    assertJudged(
        SecretValue::isMixed,
        List.of("ab1cd", "ab!cd", "abcd9"),
        List.of("ab1c", "abcde", "ab1 cde", "user.name1", "12345"));
    assertJudged(
        SecretValue::isWord, List.of("hunt"), List.of("os.environ", "a.b.c", "self::value"));
    assertThat(SecretValue.isCredential("config.token_value")).isFalse();
  }

  @Test
  void a_value_under_the_name_of_a_token_has_eight_letters_with_digits_or_is_random() {
    assertJudged(
        SecretValue::isValue,
        List.of("abcd1234", MIXED),
        List.of("abc1234", "abcdefgh", "abcd 1234", "${abcd1234}"));
    // Four pairs of thirteen letters are exactly as wordy as a value may be.
    assertJudged(
        SecretValue::isBareValue,
        List.of("th_th_th_th_1", "qZqZqZqZ7", "abcd-1234-efgh"),
        List.of("configuration1", "the_the_the_1", "config.value1", "abc1234"));
  }

  @Test
  void under_a_secret_key_the_name_of_a_scheme_alone_is_none() {
    assertJudged(
        SecretValue::isUnderSecretKey, List.of("hunt"), List.of("Bearer ", "basic", "<token>"));
  }

  private static List<List<Integer>> found(SecretRule rule, String text) {
    List<List<Integer>> found = new ArrayList<>();
    rule.scan(text, text, (start, end) -> found.add(List.of(start, end)));
    return found;
  }

  private static SecretRule rule(String regex, Predicate<String> judge) {
    return SecretRule.judged("k", judge, regex, List.of("at:"));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\n", "\"", "'", "`", ",", ";", "&", "|", "(", "}", "]", ">", "\\"})
  void a_value_longer_than_the_pattern_goes_on_to_a_delimiter(String delimiter) {
    SecretRule rule = rule("at:(?<s>[a-z]{1,200})", value -> true);
    assertThat(found(rule, "at:" + "a".repeat(200) + "-B!" + delimiter + "c"))
        .containsExactly(List.of(3, 206));
    assertThat(found(rule, "at:" + "a".repeat(250))).containsExactly(List.of(3, 253));
  }

  @Test
  void a_value_that_the_pattern_took_whole_ends_where_the_pattern_does() {
    SecretRule rule = rule("at:(?<s>[a-z]{1,200})", value -> true);
    for (int length : List.of(1, 194, 199)) {
      assertThat(found(rule, "at:" + "a".repeat(length) + "-B"))
          .containsExactly(List.of(3, 3 + length));
    }
    assertThat(found(rule, "at:a at:b")).containsExactly(List.of(3, 4), List.of(8, 9));
    assertThat(found(rule("at:(?<s>[a-z]*)", value -> true), "at:-at:b"))
        .as("nothing is no secret")
        .containsExactly(List.of(7, 8));
  }

  @Test
  void what_is_rejected_is_judged_anew_at_every_anchor_but_not_forever() {
    List<String> judged = new ArrayList<>();
    SecretRule wide =
        rule(
            "at:(?<s>.{1,100})",
            value -> {
              judged.add(value);
              return false;
            });
    assertThat(found(wide, "at:".repeat(20) + "x")).isEmpty();
    assertThat(judged).hasSize(4);
    judged.clear();
    SecretRule narrow =
        rule(
            "at:(?<s>.{1,7})",
            value -> {
              judged.add(value);
              return false;
            });
    assertThat(found(narrow, "at:".repeat(20) + "x")).isEmpty();
    assertThat(judged).as("each stretch is judged").hasSizeGreaterThan(15);
  }

  @Test
  void a_secret_behind_what_was_rejected_is_found() {
    SecretRule rule = rule("at:(?<s>[a-z]{1,9})", value -> value.equals("good"));
    assertThat(found(rule, "at:bad at:good at:bad at:good"))
        .containsExactly(List.of(10, 14), List.of(25, 29));
  }
}
