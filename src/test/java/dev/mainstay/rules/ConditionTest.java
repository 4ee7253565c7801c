package dev.mainstay.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.Seeds;
import dev.mainstay.domain.AdaptationRule;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
  private static final Map<String, Figure> FIGURES =
      Map.of(
          "cost", Figure.NUMBER,
          "budget", Figure.NUMBER,
          "time", Figure.NUMBER,
          "failures", Figure.NUMBER,
          "feedback", Figure.TEXT,
          "approved", Figure.FLAG);

  private static final Map<String, Object> VALUES =
      Map.of(
          "cost",
          0.45,
          "budget",
          0.5,
          "time",
          250,
          "failures",
          0L,
          "feedback",
          "positive",
          "approved",
          true);

  /** What other tests compiled is forgotten, so that each of them reads its own text. */
  @BeforeEach
  void nothing_is_compiled_yet() {
    for (int i = 0; i < Condition.COMPILED_MAX; i++) Condition.compile("time > " + i, FIGURES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time >= 2",
        "time == 250u && cost < 1u",
        "cost > 0.8 * budget",
        "time > 2 * 100",
        "budget / 2 < cost",
        "time % 50 == 0",
        "-1 < cost && - cost < 0",
        "time == 250 && time == 250.0 && time in [1, 250]",
        "feedback == \"positive\"",
        "feedback != 'negative' && approved",
        "feedback in [\"positive\", \"none\"]",
        "feedback.startsWith('pos') && feedback.contains('it') && feedback.endsWith('ive')",
        "approved ? cost < 1 : cost > 1",
        "!(cost > 1 || time < 100)",
        "cost / failures > 1 || approved"
      })
  void these_hold(String expression) {
    assertThat(ask(expression)).isEqualTo(new Condition.Outcome(true, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time < 2",
        "cost > 0.45",
        "cost < 0.45",
        "cost > budget",
        "feedback == 'x'",
        "false",
        "!approved"
      })
  void these_do_not(String expression) {
    assertThat(ask(expression)).isEqualTo(new Condition.Outcome(false, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cost / failures > 1", "time % failures == 0", "1 / 0 > 1"})
  void a_division_by_zero_does_not_hold_and_says_so(String expression) {
    assertThat(ask(expression)).isEqualTo(new Condition.Outcome(false, "division by zero"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cots > 1 | column 1 of the condition: \"cots\" is no figure; did you mean \"cost\"?",
        "cost > 1 && tmie > 2 | column 13 of the condition: \"tmie\" is no figure; did you mean \"time\"?",
        "cost + 1 | the condition gives a number; it must come out true or false, as cost > 0.5 does",
        "feedback | the condition gives a text; it must come out true or false, as cost > 0.5 does",
        "cost > 'a' | column 6 of the condition: \">\" cannot be used with a number and a text",
        "[1] > 1 | column 5 of the condition: \">\" cannot be used with a list and a number",
        "feedback > \"x\" && cost | column 16 of the condition: \"&&\" cannot be used with true or false and a number",
        "cost && approved | column 6 of the condition: \"&&\" cannot be used with a number and true or false",
        "feedback.contains(1) | column 18 of the condition: \"contains\" cannot be used with a text and a number",
        "cost > | column 7 of the condition: the condition ends where something must follow",
        "(cost > 1 | column 10 of the condition: \")\" is missing",
        "cost > 1 1 | column 10 of the condition: \"1\" is not expected there",
        "cost = 1 | column 6 of the condition: \"=\" compares nothing; write ==",
        "cost > 1 and approved | column 10 of the condition: \"and\" is not expected there; write &&",
        "feedback == \"pos | column 13 of the condition: the text that begins here has no closing quote",
        "cost > 1 # why | column 10 of the condition: \"#\" is not understood",
        "cost > 99999999999999999999 | column 8 of the condition: the number is too large",
        "if | column 1 of the condition: \"if\" is a reserved word",
        "cost.max > 1 | column 5 of the condition: there are no fields, maps or loops; write figures, numbers, texts and lists",
        "[1, 2][0] > 1 | column 7 of the condition: items cannot be picked out of a list; ask with in",
      })
  void what_is_wrong_is_said_in_one_sentence_with_its_column(String expression, String sentence) {
    assertThat(refusal(expression)).isEqualTo(sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "feedback.matches('(((a{1000}){1000}){1000}){1000}')",
        "matches(feedback, '(a+)+$')",
        "[1,2,3].all(x, [1,2,3].all(y, [1,2,3].exists(z, x + y + z > 1)))",
        "[0].map(x, [0].map(y, y)).size() > 0",
        "timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z')",
        "string(cost) == 'a'",
        "type(cost) == double",
        "google.protobuf.Struct{} == google.protobuf.Struct{}",
        "has(cost.x)"
      })
  void nothing_that_loops_matches_patterns_or_converts_is_there(String expression) {
    assertThat(refusal(expression)).startsWith("column ");
  }

  @Test
  void hostile_shapes_are_refused_with_a_sentence() {
    assertThat(refusal("(".repeat(400) + "approved" + ")".repeat(400))).contains("deeper");
    assertThat(refusal("[".repeat(490) + "]".repeat(490) + " == []")).contains("deeper");
    assertThat(refusal("true?".repeat(150) + "true" + ":true".repeat(40))).isNotEmpty();
    assertThat(refusal("1" + "+1".repeat(480) + " > 1")).contains("deeper");
    assertThat(refusal("1 in [1" + ",1".repeat(480) + "]")).contains("more than 300 parts");
    assertThat(refusal("9".repeat(900) + " > 1")).contains("too large");
    assertThat(refusal("approved" + "||approved".repeat(200))).contains("at most 1000 characters");
    assertThat(refusal("cost\n> 1")).contains("one line");
    assertThat(refusal("  ")).contains("empty");
    assertThat(refusal("(".repeat(900))).isNotEmpty();
    assertThat(refusal("\"".repeat(999))).isNotEmpty();
    assertThat(refusal("\\u0000 \u0000 == 1")).isNotEmpty();
  }

  @Test
  void a_condition_may_be_as_long_as_its_limit_and_tells_its_text() {
    String text = "approved" + " ".repeat(Condition.EXPRESSION_CHARS_MAX - "approved".length());
    Condition longest = Condition.compile(text, FIGURES);
    assertThat(longest.expression()).isEqualTo(text);
    assertThat(longest).hasToString(text);
    assertThat(longest.holds(VALUES)).isTrue();
    assertThat(Condition.compile("!approved", FIGURES).holds(VALUES)).isFalse();
  }

  @Test
  void many_repeated_signs_and_terms_within_the_limits_are_fine() {
    assertThat(ask("!".repeat(800) + "approved").holds()).isTrue();
    assertThat(ask("approved" + "&&approved".repeat(90)).holds()).isTrue();
    assertThat(ask("1" + "+1".repeat(25) + " > 1").holds()).isTrue();
  }

  @Test
  void garbage_is_refused_or_answered_and_never_breaks() {
    List<String> words =
        List.of("cost", "feedback", "approved", "1", "2.5", "\"a\"", "(", ")", "[", "]", "{", "}");
    List<String> signs =
        List.of("&&", "||", "!", "?", ":", ">", "==", "-", "/", "%", ".", ",", "in", "\\", "'");
    Seeds.forAll(
        300,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = 1 + random.nextInt(12); i > 0; i--) {
            List<String> from = random.nextBoolean() ? words : signs;
            text.append(from.get(random.nextInt(from.size()))).append(' ');
          }
          try {
            assertThat(Condition.compile(text.toString(), FIGURES).ask(VALUES)).isNotNull();
          } catch (Refusal refused) {
            assertThat(refused.sentence()).doesNotContain("\n").hasSizeLessThan(300);
          }
        });
  }

  @Test
  void a_missing_or_mistaken_value_is_a_bug_of_the_caller() {
    Condition condition = Condition.compile("cost > 1", FIGURES);
    Map<String, Object> none = new TreeMap<>(VALUES);
    none.remove("cost");
    assertThatThrownBy(() -> condition.ask(none)).isInstanceOf(IllegalArgumentException.class);
    none.put("cost", "1");
    assertThatThrownBy(() -> condition.ask(none)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_condition_is_compiled_once_and_the_oldest_are_forgotten() {
    Condition first = Condition.compile("approved && cost > 7", FIGURES);
    assertThat(Condition.compile("approved && cost > 7", FIGURES)).isSameAs(first);
    assertThat(Condition.compile("approved && cost > 7", Map.copyOf(FIGURES))).isSameAs(first);
    for (int i = 0; i <= Condition.COMPILED_MAX; i++) Condition.compile("cost > " + i, FIGURES);
    assertThat(Condition.compile("approved && cost > 7", FIGURES)).isNotSameAs(first);
  }

  @Tag("long")
  @Test
  void many_threads_may_ask_at_once() {
    Condition condition = Condition.compile("time % 2 == 0 && cost < 1", FIGURES);
    boolean right =
        IntStream.range(0, 4_000)
            .parallel()
            .allMatch(
                i -> {
                  Map<String, Object> values = new TreeMap<>(VALUES);
                  values.put("time", i);
                  return condition.holds(values) == (i % 2 == 0);
                });
    assertThat(right).isTrue();
  }

  @Test
  void plain_comparisons_are_answered_where_there_is_no_cel() throws Exception {
    ClassLoader withoutCel = new WithoutCel();
    Class<?> condition = withoutCel.loadClass(Condition.class.getName());
    Class<?> figure = withoutCel.loadClass(Figure.class.getName());
    Object number = figure.getMethod("valueOf", String.class).invoke(null, "NUMBER");
    Map<String, Object> figures = Map.of("cost", number, "budget", number);
    Object compiled =
        condition
            .getMethod("compile", String.class, Map.class)
            .invoke(null, "cost > 0.8 * budget", figures);
    Object holds =
        condition
            .getMethod("holds", Map.class)
            .invoke(compiled, Map.of("cost", 0.45, "budget", 0.5));
    assertThat(holds).isEqualTo(true);
    assertThatThrownBy(
            () ->
                condition
                    .getMethod("compile", String.class, Map.class)
                    .invoke(null, "cost > 1 + budget", figures))
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void the_rules_of_the_document_need_no_cel_and_mean_the_same_to_it() {
    Map<String, Figure> figures =
        Map.of(
            "cost", Figure.NUMBER,
            "budget", Figure.NUMBER,
            "time", Figure.NUMBER,
            "consecutive_failures", Figure.NUMBER,
            "feedback", Figure.TEXT);
    Map<String, Object> values =
        Map.of(
            "cost",
            0.41,
            "budget",
            0.5,
            "time",
            200.5,
            "consecutive_failures",
            2.0,
            "feedback",
            "positive");
    for (String text : AdaptationRule.DOCUMENT_RULES) {
      String expression = AdaptationRule.parse(text).expression();
      assertThat(PlainComparison.question(expression, figures)).as(text).isNotNull();
      assertThat(Condition.compile(expression, figures).holds(values)).as(text).isTrue();
      assertThat(CelExpression.compile(expression, figures).ask(values).holds()).isTrue();
    }
  }

  @Test
  void plain_comparisons_come_out_as_cel_says() {
    List<String> signs = List.of("==", "!=", ">=", "<=", ">", "<");
    List<String> values = List.of("0", "1", "2", "0.5", "2.50", "0.1 * budget", "3*time");
    Seeds.forAll(
        200,
        random -> {
          String expression =
              random.nextInt(5) == 0
                  ? "feedback %s \"%s\"".formatted(pick(random, List.of("==", "!=")), "ab")
                  : "cost %s %s".formatted(pick(random, signs), pick(random, values));
          Map<String, Object> given = new TreeMap<>(VALUES);
          given.put("cost", random.nextInt(6) / 2.0);
          given.put("budget", (double) random.nextInt(30));
          given.put("time", random.nextInt(3) / 2.0);
          given.put("feedback", pick(random, List.of("ab", "")));
          Condition.Question plain = PlainComparison.question(expression, FIGURES);
          assertThat(plain).as(expression).isNotNull();
          assertThat(plain.ask(given))
              .as(expression + given)
              .isEqualTo(CelExpression.compile(expression, FIGURES).ask(given));
        });
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  @Test
  void random_arithmetic_comes_out_as_a_plain_evaluator_says() {
    Seeds.forAll(
        400,
        random -> {
          Map<String, Object> given = new TreeMap<>(VALUES);
          for (String name : Arithmetic.NAMES) given.put(name, (double) random.nextInt(9) - 4);
          Arithmetic left = Arithmetic.random(random, 3);
          Arithmetic right = Arithmetic.random(random, 3);
          String text = left.text() + " < " + right.text();
          Condition.Outcome outcome = Condition.compile(text, FIGURES).ask(given);
          Double a = left.value(given);
          Double b = right.value(given);
          if (a == null || b == null) {
            assertThat(outcome)
                .as(text)
                .isEqualTo(new Condition.Outcome(false, "division by zero"));
          } else {
            assertThat(outcome).as(text + given).isEqualTo(new Condition.Outcome(a < b, null));
          }
        });
  }

  private static Condition.Outcome ask(String expression) {
    return Condition.compile(expression, FIGURES).ask(VALUES);
  }

  private static String refusal(String expression) {
    Refusal refused =
        catchThrowableOfType(Refusal.class, () -> Condition.compile(expression, FIGURES));
    assertThat(refused).as(expression).isNotNull();
    assertThat(refused.code()).isEqualTo(Refusal.Code.INVALID);
    return refused.sentence();
  }
}
