package dev.mainstay.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rules.Expression.Answer;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
  private static final JsonObject VARIABLES =
      JsonObject.of(
              "count", 2, "price", new BigDecimal("2.0"), "zero", 0, "name", "Ada", "ready", true)
          .with("items", List.of(1, 2, 3))
          .with("names", List.of("a", "b"))
          .with("mixed", Arrays.asList(1, null, "a", new BigDecimal("0.5")))
          .with("review_result", JsonObject.of("approved", true, "score", 7))
          .with("deep", JsonObject.of("er", JsonObject.of("est", "x")))
          .with("large", 9_007_199_254_740_993L)
          .with("precise", new BigDecimal("0.12345678901234567890"))
          .withAny("nothing", null);

  /** What other tests compiled is forgotten, so that each of them reads its own text. */
  @BeforeEach
  void nothing_is_compiled_yet() {
    for (int i = 0; i < Expression.COMPILED_MAX; i++) Expression.compile("other > " + i);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count == 2 && count == 2.0 && price == 2 && price == count",
        "count + price == 4 && count * 1.5 == 3 && 7 / count == 3.5 && 7 % count == 1",
        "-count < 0 && - price == -2",
        "count >= 2 && count <= 2.0 && !(count > 2) && !(count < 2)",
        "'abc' < 'abd' && name >= 'Ad' && false < ready",
        "items[0] == 1 && items[count] == 3 && size(items) > 2 && items.size() == 3.0",
        "names[1] + '!' == 'b!' && [1] + items == [1, 1, 2, 3]",
        "size('añb😀') == 4 && size({}) == 0 && review_result.size() == 2",
        "2 in items && 2.0 in items && !(4 in items) && 'a' in names && !('a' in items)",
        "'score' in review_result && !('x' in review_result) && !(1 in review_result)",
        "null in mixed && mixed[1] == null && nothing == null && name != null",
        "name.contains('d') && name.startsWith('A') && name.endsWith('a')",
        "has(review_result.score) && !has(review_result.grade) && has(deep.er.est)",
        "review_result['score'] == 7 && review_result.approved && deep['er'].est == 'x'",
        "review_result == {'approved': true, 'score': 7.0} && {'a': [null]} == {'a': [nothing]}",
        "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && {name: 1}.Ada == 1",
        "ready ? count > 1 : missing",
        "string(count) == '2' && string(price) == '2' && string(0.5) == '0.5' && string(ready) == 'true'",
        "string(large) == '9007199254740993' && string(name) == name",
        "items.all(x, x > 0) && items.exists(x, x == 2.0) && items.exists_one(x, x == 2)",
        "!items.all(x, x > 1) && !items.exists(x, x > 3) && !items.exists_one(x, x > 1)",
        "items.filter(x, x > 1) == [2, 3] && items.map(x, x * 2) == [2, 4, 6]",
        "items.map(x, x > 1, x + count) == [4, 5] && items.map(x, [x].map(y, x + y))[1] == [4]",
        "review_result.all(key, key in ['approved', 'score']) && mixed.exists(x, x == null)",
        "mixed.filter(x, x != null) == [1, 'a', 0.5]",
        "missing || ready && (ready || missing) && !(missing && !ready)",
        "name == \"Ada\" && .name == 'Ada' && \"it's\" != name",
        "large > 9007199254740992 - 2 && large == large && [large] == [large]",
      })
  void these_are_true(String text) {
    assertThat(ask(text)).isEqualTo(new Answer(true, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count == 2u && name == 'Ada'",
        "count < 3",
        "count <= 2",
        "name == 'Ada'",
        "name != 'Bob'",
        "ready || items",
        "[1, 2] != [1] && [1, 2] != [1, 3] && [] != [null]",
        "{'a': 1} != {'b': 1} && {'a': 1} != {'a': 2} && {'a': 1} != {'a': 1, 'b': 2}",
        "'ab' != 'ac' && large != large_and_one && large < large_and_one",
      })
  void these_are_true_as_well(String text) {
    JsonObject more = VARIABLES.with("large_and_one", 9_007_199_254_740_994L);
    assertThat(Expression.compile(text).ask(more)).isEqualTo(new Answer(true, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"count < 2", "count <= 1", "count > 2", "count >= 3", "!ready && items", "!ready"})
  void these_are_false(String text) {
    assertThat(ask(text)).isEqualTo(new Answer(false, null));
    assertThat(ask(text).isTrue()).isFalse();
  }

  @Test
  void what_comes_out_is_as_json_has_it() {
    assertThat(ask("name + '!'").value()).isEqualTo("Ada!");
    assertThat(ask("count").value()).isEqualTo(2L);
    assertThat(ask("price").value()).isEqualTo(2L);
    assertThat(ask("count * 2.5").value()).isEqualTo(5L);
    assertThat(ask("count / 4").value()).isEqualTo(new BigDecimal("0.5"));
    assertThat(ask("-zero").value()).isEqualTo(0L);
    assertThat(ask("large").value()).isEqualTo(9_007_199_254_740_993L);
    assertThat(ask("[large, 1][0]").value()).isEqualTo(9_007_199_254_740_993L);
    assertThat(ask("precise").value()).isEqualTo(new BigDecimal("0.12345678901234567890"));
    assertThat(ask("size(items)").value()).isEqualTo(3L);
    assertThat(ask("nothing")).isEqualTo(new Answer(null, null));
    assertThat(ask("null")).isEqualTo(new Answer(null, null));
    assertThat(ask("ready").isTrue()).isTrue();
    assertThat(ask("mixed").value()).isEqualTo(Arrays.asList(1L, null, "a", new BigDecimal("0.5")));
    assertThat(ask("mixed.map(x, x)").value())
        .isEqualTo(Arrays.asList(1L, null, "a", new BigDecimal("0.5")));
    assertThat(ask("[1, {'a': null, 'b': [price]}]").value())
        .isEqualTo(List.of(1L, JsonObject.of("b", List.of(2L)).withAny("a", null)));
    assertThat(ask("review_result").value()).isEqualTo(VARIABLES.get("review_result"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cuont > 1 | there is no variable \"cuont\"; did you mean \"count\"?",
        "cuont + 1 | there is no variable \"cuont\"; did you mean \"count\"?",
        "review_result.aproved | review_result has no field \"aproved\"; did you mean \"approved\"?",
        "1 == review_result.aproved | review_result has no field \"aproved\"; did you mean \"approved\"?",
        "deep.er.ets == 1 | deep.er has no field \"ets\"; did you mean \"est\"?",
        "deep['er'].x | an item of deep has no field \"x\"",
        "name.x | name is a text, and so it has no field \"x\"",
        "nothing.x == 1 | nothing is null, and so it has no field \"x\"",
        "has(nothing.x) | nothing is null, and so it has no field \"x\"",
        "has(missing_one.x) | there is no variable \"missing_one\"",
        "{}.x | what is asked has no field \"x\"",
        "count / zero | division by zero",
        "count % zero == 1 | division by zero",
        "1 / 0 | division by zero",
        "count + name | \"+\" cannot be used with a number and a text",
        "name - 1 | \"-\" cannot be used with a text and a number",
        "-name | \"-\" cannot be used with a text",
        "count < name | \"<\" cannot be used with a number and a text",
        "name >= 1 | \">=\" cannot be used with a text and a number",
        "!name | \"!\" needs true or false, and this is a text",
        "count && ready | \"&&\" needs true or false, and this is a number",
        "ready && name | \"&&\" needs true or false, and this is a text",
        "name ? 1 : 2 | \"?\" needs true or false, and this is a text",
        "items[3] | items has 3 items, counted from 0, and none at 3",
        "items[0.5] | items has 3 items, counted from 0, and none at 0.5",
        "items[-1] | items has 3 items, counted from 0, and none at -1",
        "items[name] | items is a list, and a text picks nothing out of it",
        "count[0] | count is a number, and a number picks nothing out of it",
        "size(count) | \"size\" cannot be used with a number",
        "string(items) | \"string\" cannot be used with a list",
        "string(nothing) | \"string\" cannot be used with null",
        "count.contains('a') | \"contains\" cannot be used with a number and a text",
        "1 in count | \"in\" cannot be used with a number and a number",
        "count.all(x, true) | a loop goes over a list, and this is a number",
        "{count: 1} | the key of a map is a text, and this one is a number",
        "items.map(x, x.y) | x is a number, and so it has no field \"y\"",
        "ready.x | ready is true or false, and so it has no field \"x\"",
        "large * 1e200 * 1e200 | the number is too large",
      })
  void what_has_no_answer_says_why(String text, String problem) {
    assertThat(ask(text)).isEqualTo(new Answer(null, problem));
  }

  @Test
  void one_side_that_decides_is_enough() {
    assertThat(ask("!ready || items"))
        .isEqualTo(new Answer(null, "\"||\" needs true or false, and this is a list"));
    assertThat(ask("items || ready").isTrue()).isTrue();
    assertThat(ask("missing && !ready")).isEqualTo(new Answer(false, null));
  }

  @Test
  void nothing_is_nearest_where_there_are_no_variables() {
    Answer answer = Expression.compile("count > 1").ask(JsonObject.EMPTY);
    assertThat(answer).isEqualTo(new Answer(null, "there is no variable \"count\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 + 'a' | column 3 of the expression: \"+\" cannot be used with a number and a text",
        "size(5) | column 5 of the expression: \"size\" cannot be used with a number",
        "count + (1 < 'a') | column 12 of the expression: \"<\" cannot be used with a number and a text",
        "1 in 'abc' | column 3 of the expression: \"in\" cannot be used with a number and a text",
        "{'a': 1} + 1 | column 10 of the expression: \"+\" cannot be used with a map and a number",
        "[1, 2]['a'] | column 7 of the expression: \"[ ]\" cannot be used with a list and a text",
        "upper(name) | column 6 of the expression: \"upper\" is no function; there are size, contains, startsWith, endsWith, string, has, all, exists, exists_one, filter and map",
        "count > | column 8 of the expression: the expression ends where something must follow",
        "(count > 1 | column 11 of the expression: \")\" is missing",
        "count = 1 | column 7 of the expression: \"=\" compares nothing; write ==",
        "count > 1 and ready | column 11 of the expression: \"and\" is not expected there; write &&",
        "name == \"pos | column 9 of the expression: the text that begins here has no closing quote",
        "count > 99999999999999999999 | column 9 of the expression: the number is too large",
        "if | column 1 of the expression: \"if\" is a reserved word",
        "b'a' | column 1 of the expression: there are no bytes; write a text",
        "a.B{} | column 4 of the expression: there are no types; write a map, as {\"name\": 1} is one",
      })
  void what_is_wrong_is_refused_with_its_column(String text, String sentence) {
    assertThat(refusal(text)).isEqualTo(sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name.matches('(((a{1000}){1000}){1000}){1000}')",
        "timestamp('2020-01-01T00:00:00Z')",
        "type(count)",
        "int(count)",
        "dyn(count)",
        "mainstay_do(mainstay_given, 'NULL')",
        "mainstay_given.getClass()",
        "name.getClass().forName('x')",
        "items.map(1, 2)",
        "has(count)"
      })
  void nothing_else_of_cel_or_java_is_there(String text) {
    assertThat(refusal(text)).startsWith("column ");
  }

  @Test
  void the_names_used_within_are_no_variables() {
    assertThat(ask("mainstay_given").problem()).startsWith("there is no variable");
    assertThat(ask("__result__").problem()).startsWith("there is no variable");
  }

  @Test
  void lines_are_joined_unless_one_could_be_a_comment() {
    assertThat(ask("\n  count > 1\r\n  && ready\n").isTrue()).isTrue();
    assertThat(ask("count > 1 // why").isTrue()).isTrue();
    assertThat(refusal("count > 1 // why\n && false")).contains("one line");
  }

  @Test
  void hostile_shapes_are_refused_with_a_sentence() {
    assertThat(refusal("(".repeat(400) + "ready" + ")".repeat(400))).contains("deeper");
    assertThat(refusal("[".repeat(490) + "]".repeat(490))).contains("deeper");
    assertThat(refusal("1" + "+1".repeat(480))).contains("deeper");
    assertThat(refusal("[1" + ",1".repeat(480) + "]")).contains("more than 300 parts");
    assertThat(refusal("a" + ".a".repeat(499) + "[0]")).isNotEmpty();
    assertThat(refusal("ready" + "||ready".repeat(200))).contains("at most 1000 characters");
    assertThat(refusal("  ")).contains("empty");
    assertThat(refusal("\"".repeat(999))).isNotEmpty();
    assertThat(ask("a" + ".a".repeat(499)).problem()).contains("no variable \"a\"");
  }

  @Tag("long")
  @Test
  void loops_end_within_their_rounds() {
    String ten = "[0,1,2,3,4,5,6,7,8,9]";
    String bomb = "1";
    for (String name : List.of("a", "b", "c", "d", "e")) {
      bomb = ten + ".map(" + name + ", " + bomb + ")";
    }
    assertThat(ask(bomb).problem()).isEqualTo("its loops take more than 10000 rounds");
    JsonObject many = JsonObject.of("many", Collections.nCopies(Expression.ROUNDS_MAX, 1));
    assertThat(Expression.compile("size(many.map(x, x + 1))").ask(many).value())
        .isEqualTo((long) Expression.ROUNDS_MAX);
    assertThat(Expression.compile("many.all(x, many.all(y, y == 1))").ask(many).problem())
        .contains("rounds");
  }

  @Tag("long")
  @Test
  void what_grows_ends_within_its_steps() {
    JsonObject large =
        JsonObject.of(
            "text", "a".repeat(1_000_000), "many", Collections.nCopies(1_000, "a".repeat(1_000)));
    for (String text :
        List.of(
            "many.map(x, text + x)",
            "many.exists(x, text == text + x)",
            "many.map(x, many)",
            "many.all(x, many == many)",
            "many.all(x, !text.contains(text + x))",
            "many.filter(x, x + 'b' in many + [text + 'b'])",
            "[text].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)",
            "[text].map(a, [a,a,a,a]).map(a, [a,a,a,a]).map(a, [a,a,a,a]).map(a, [a,a,a,a])")) {
      assertThat(Expression.compile(text).ask(large).problem()).as(text).contains("steps");
    }
  }

  @Test
  void huge_numbers_cost_nothing() {
    JsonObject huge =
        JsonObject.of(
            "up", new BigDecimal("1e1000000000"), "down", new BigDecimal("1e-1000000000"));
    assertThat(Expression.compile("up > down").ask(huge).isTrue()).isTrue();
    assertThat(Expression.compile("up").ask(huge).value()).isEqualTo(huge.get("up"));
    assertThat(Expression.compile("string(up)").ask(huge).value()).isEqualTo("1E+1000000000");
    assertThat(Expression.compile("up + 1").ask(huge).problem()).contains("too large");
    assertThat(Expression.compile("down + 1").ask(huge).value()).isEqualTo(1L);
  }

  @Test
  void garbage_is_refused_or_answered_and_never_breaks() {
    List<String> words =
        List.of(
            "count",
            "name",
            "items",
            "review_result",
            "1",
            "2.5",
            "\"a\"",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "null",
            "true",
            ".map(x, x)",
            ".size()",
            "has(",
            "x");
    List<String> signs =
        List.of("&&", "||", "!", "?", ":", ">", "==", "-", "/", "%", ".", ",", "in", "\\", "'");
    Seeds.forAll(
        400,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = 1 + random.nextInt(10); i > 0; i--) {
            List<String> from = random.nextBoolean() ? words : signs;
            text.append(from.get(random.nextInt(from.size()))).append(' ');
          }
          try {
            assertThat(Expression.compile(text.toString()).ask(VARIABLES)).isNotNull();
          } catch (Refusal refused) {
            assertThat(refused.sentence()).doesNotContain("\n").hasSizeLessThan(300);
          }
        });
  }

  @Test
  void an_expression_is_compiled_once_and_the_oldest_are_forgotten() {
    Expression first = Expression.compile("ready && count > 7");
    assertThat(Expression.compile("ready && count > 7"))
        .isSameAs(first)
        .hasToString("ready && count > 7");
    for (int i = 0; i <= Expression.COMPILED_MAX; i++) Expression.compile("count > " + i);
    assertThat(Expression.compile("ready && count > 7")).isNotSameAs(first);
  }

  @Tag("long")
  @Test
  void many_threads_may_ask_at_once() {
    Expression expression = Expression.compile("items.map(x, x + n)[0] % 2 == 0");
    boolean right =
        IntStream.range(0, 4_000)
            .parallel()
            .allMatch(
                n -> {
                  Answer answer = expression.ask(JsonObject.of("items", List.of(n), "n", 1));
                  return answer.problem() == null && answer.isTrue() == ((n + 1) % 2 == 0);
                });
    assertThat(right).isTrue();
  }

  private static Answer ask(String text) {
    return Expression.compile(text).ask(VARIABLES);
  }

  private static String refusal(String text) {
    Refusal refused = catchThrowableOfType(Refusal.class, () -> Expression.compile(text));
    assertThat(refused).as(text).isNotNull();
    assertThat(refused.code()).isEqualTo(Refusal.Code.INVALID);
    return refused.sentence();
  }
}
