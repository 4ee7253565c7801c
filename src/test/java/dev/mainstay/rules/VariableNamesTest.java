package dev.mainstay.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableNamesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "count > 2; count",
        "a.b.c == d; a d",
        "status == 'a name' && note != \"it's other\"; note status",
        "size(list) > limit; limit list",
        "items.exists(x, x.open && y); items y",
        "xs.filter(i, i > low).map(j, j + 1); low xs",
        "name in ['a', b]; b name",
        "has(result.notes) ? result . notes : null; result",
        "text.contains('x') || true; text",
        "n1 > 1e3 && 0x1f < m; m n1"
      })
  void finds_the_variables_that_an_expression_reads(String expression, String names) {
    assertThat(VariableNames.in(expression)).containsExactly(names.split(" "));
  }

  @ParameterizedTest
  @CsvSource({"count > 2", "a.b == 'x'", "'items.exists(x, x > y)'", "size(list) + n"})
  void every_variable_that_is_missing_when_asked_is_among_them(String expression) {
    JsonObject given = JsonObject.EMPTY;
    for (String name : VariableNames.in(expression)) {
      String problem = Expression.compile(expression).ask(given).problem();
      assertThat(problem).contains("there is no variable");
      given = given.withAny(name, name.equals("a") ? JsonObject.of("b", "x") : List.of(1L));
    }
    String left = Expression.compile(expression).ask(given).problem();
    assertThat(String.valueOf(left)).doesNotContain("there is no variable");
  }
}
