package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How much references may resolve to, how deep, and what is said of those that are missing. */
class ReferenceLimitsTest {
  private static final int MOST = References.RESOLVED_CHARS_MAX;

  private static Object resolve(Object template, JsonObject variables) {
    return References.resolve(template, variables, null);
  }

  private static void assertTooLarge(Object template, JsonObject variables) {
    assertThatThrownBy(() -> resolve(template, variables))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Refusal.Code.TOO_LARGE));
  }

  private static JsonObject of(int chars) {
    return JsonObject.of("v", "x".repeat(chars));
  }

  @Test
  void a_text_takes_in_exactly_so_many_characters() {
    assertThat(resolve("{{v}}.{{v}}", of(MOST / 2)).toString()).hasSize(MOST + 1);
    assertTooLarge("{{v}}.{{v}}", of(MOST / 2 + 1));
  }

  @Test
  void a_list_and_an_object_count_their_signs_too() {
    // Two brackets, and a comma behind each item.
    assertThat(resolve(List.of("{{v}}"), of(MOST - 3))).isEqualTo(List.of("x".repeat(MOST - 3)));
    assertTooLarge(List.of("{{v}}"), of(MOST - 2));
    assertThat((List<?>) resolve(List.of("{{v}}", "{{v}}"), of(MOST / 2 - 2))).hasSize(2);
    assertTooLarge(List.of("{{v}}", "{{v}}"), of(MOST / 2 - 1));
    // The same, and a name with its quotes and its colon.
    assertThat(resolve(JsonObject.of("name", "{{v}}"), of(MOST - 10)))
        .isInstanceOf(JsonObject.class);
    assertTooLarge(JsonObject.of("name", "{{v}}"), of(MOST - 9));
  }

  @Test
  void what_is_taken_out_of_a_resolved_variable_counts_as_well() {
    JsonObject variables =
        JsonObject.of("alias", "{{real}}", "real", JsonObject.of("a", "x".repeat(MOST / 2)));
    assertThat(resolve("{{alias.a}}", variables).toString()).hasSize(MOST / 2);
    assertTooLarge("{{alias.a}}{{alias.a}}", variables);
  }

  private static Object nested(int levels) {
    Object inner = "x";
    for (int i = 0; i < levels; i++) inner = List.of(inner);
    return inner;
  }

  @Test
  void a_resolved_value_is_nested_no_deeper_than_json_may_be() {
    JsonObject some =
        JsonObject.of("v", nested(40), "alias", "{{box}}")
            .with("box", JsonObject.of("v", nested(40)));
    assertThat(JsonObject.depth(resolve(wrapped("{{v}}", 24), some))).isEqualTo(64);
    assertTooLarge(wrapped("{{v}}", 25), some);
    assertThat(JsonObject.depth(resolve(wrapped("{{alias.v}}", 24), some))).isEqualTo(64);
    assertTooLarge(wrapped("{{alias.v}}", 25), some);
  }

  private static Object wrapped(Object inner, int levels) {
    Object outer = inner;
    for (int i = 0; i < levels; i++) outer = List.of(outer);
    return outer;
  }

  @Test
  void variables_refer_to_each_other_so_deep_and_no_deeper() {
    assertThat(resolve("{{v1}}", chain(60))).isEqualTo("end");
    assertThat(resolve("{{v1}}", chain(100))).isEqualTo("end");
    assertTooLarge("{{v1}}", chain(101));
    assertThat(resolve("to {{v1}}", chain(100))).isEqualTo("to end");
    assertTooLarge("to {{v1}}", chain(101));
  }

  /** Each refers to the next, and the last is the end. */
  private static JsonObject chain(int length) {
    Map<String, Object> variables = new TreeMap<>();
    for (int i = 1; i < length; i++) variables.put("v" + i, "{{v" + (i + 1) + "}}");
    variables.put("v" + length, "end");
    return JsonObject.copyOf(variables);
  }

  @Test
  void a_missing_variable_is_told_with_the_nearest_names_as_often_as_is_asked() {
    JsonObject variables = JsonObject.of("file", JsonObject.of("out", "a"), "urls", List.of("u"));
    assertThat(References.problems("{{file.oot}}", variables))
        .containsExactly(
            "there is no variable \"file.oot\"; did you mean \"file.out\" or \"file\"?");
    assertThat(References.problems("{{urls.1}}", variables).get(0)).contains("\"urls.0\"");
    assertThat(References.problems("{{x}} {{y}} {{z}}", JsonObject.EMPTY, 2))
        .containsExactly(
            "there is no variable \"x\"; there are no variables at all",
            "there is no variable \"y\"; there are no variables at all",
            "there is no variable \"z\"");
    assertThat(References.problems("{{x}}", variables, 0))
        .containsExactly("there is no variable \"x\"");
  }

  @Test
  void a_text_is_wholly_a_reference_or_not() {
    assertThat(References.wholly("{{a.b}}")).isEqualTo("a.b");
    assertThat(References.wholly("{{a}} ")).isNull();
    assertThat(References.wholly("x")).isNull();
    assertThat(References.wholly("{{}}")).isNull();
    String longest = "n".repeat(References.NAME_CHARS_MAX);
    assertThat(References.wholly("{{" + longest + "}}")).isEqualTo(longest);
    assertThat(References.wholly("{{" + longest + "n}}")).isNull();
  }
}
