package dev.mainstay.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainFormulaTest {
  private static final List<String> NAMES = List.of("a", "b", "cd", "e_1", "F");
  private static final List<String> SIGNS = List.of("==", "!=", ">=", "<=", ">", "<");
  private static final List<String> LITERALS =
      List.of(
          "0", "1", "-1", "2.50", "0.1", "true", "false", "null", "\"a\"", "'a'", "\"\"", "' &&'");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "approved",
        "review_result.approved",
        " a.b.c == 2",
        "count>=2.5 ",
        "state != 'done'",
        "title == \"it's fine\"",
        "answer == null",
        "!a.b",
        "a.b == true && !c",
        "a < -1 || b == ' && '",
      })
  void these_take_no_cel(String text) {
    assertThat(PlainFormula.question(text)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "a.in",
        "if",
        "1 == a",
        "a < null",
        "!a == b",
        "a == b",
        "a == 1e3",
        "a == 007x",
        "a == 'it\\'s'",
        "a && b && c",
        "a && (b)",
        "a[0]",
        "a == 'x",
        "a = 1",
        "a b",
        "!!a",
        "a.",
        ".a",
        "-a",
        "a &&",
      })
  void these_are_left_to_cel(String text) {
    assertThat(PlainFormula.question(text)).isNull();
  }

  @Test
  void plain_expressions_come_out_as_cel_says() {
    Seeds.forAll(
        600,
        random -> {
          JsonObject variables = object(random, 3);
          String text = term(random);
          if (random.nextInt(3) == 0) text += pick(random, List.of(" && ", "||")) + term(random);
          Expression.Question plain = PlainFormula.question(text);
          if (plain == null) return;
          assertThat(Expression.answer(plain, variables))
              .as("%s over %s", text, variables)
              .isEqualTo(Expression.answer(CelFormula.compile(text), variables));
        });
  }

  private static String term(Random random) {
    String path = pick(random, NAMES);
    while (random.nextInt(3) == 0) path += "." + pick(random, NAMES);
    return switch (random.nextInt(6)) {
      case 0 -> path;
      case 1 -> "!" + path;
      default -> path + " " + pick(random, SIGNS) + " " + pick(random, LITERALS);
    };
  }

  private static JsonObject object(Random random, int depth) {
    JsonObject object = JsonObject.EMPTY;
    for (String name : NAMES) {
      if (random.nextInt(4) > 0) object = object.withAny(name, value(random, depth));
    }
    return object;
  }

  private static @Nullable Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 12 : 9)) {
      case 0 -> null;
      case 1, 2 -> (long) random.nextInt(3) - 1;
      case 3 -> pick(random, List.of(new BigDecimal("0.1"), new BigDecimal("2.5")));
      case 4 -> pick(random, List.of(Long.MAX_VALUE, (1L << 53) + 1, new BigDecimal("1.0")));
      case 5, 6 -> random.nextBoolean();
      case 7 -> pick(random, List.of("a", "", "b", " &&"));
      case 8 -> Arrays.asList(1L, null, new BigDecimal("3.0"));
      default -> object(random, depth - 1);
    };
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  @Test
  void plain_expressions_are_answered_where_there_is_no_cel() throws Exception {
    Class<?> expression = new WithoutCel().loadClass(Expression.class.getName());
    JsonObject variables = JsonObject.of("review", JsonObject.of("score", 7), "ready", true);
    for (String text : List.of("review.score >= 7 && ready", "!review.ready", "review", "revew")) {
      Object compiled = expression.getMethod("compile", String.class).invoke(null, text);
      Object answer = expression.getMethod("ask", JsonObject.class).invoke(compiled, variables);
      assertThat(answer).hasToString(Expression.compile(text).ask(variables).toString());
    }
    assertThatThrownBy(() -> expression.getMethod("compile", String.class).invoke(null, "1 + 1"))
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
  }
}
