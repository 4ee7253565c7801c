package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.json.JsonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferencesTest {
  private static final JsonObject VARIABLES =
      JsonText.object(
          """
          {"file": {"out": "a.md", "dir": "{{base}}/tmp"}, "base": "work", "n": 3, "half": 0.50,
           "yes": true, "none": null, "urls": ["u0", {"host": "h", "port": 80}],
           "alias": "{{file}}", "deep": "{{urls.1.host}}:{{urls.1.port}}", "raw": "\\\\{{n}}"}""");

  @Test
  void a_whole_reference_keeps_the_type_of_its_value() {
    assertThat(resolve("{{n}}")).isEqualTo(3L);
    assertThat(resolve("{{ half }}")).isEqualTo(new BigDecimal("0.50"));
    assertThat(resolve("{{yes}}")).isEqualTo(true);
    assertThat(resolve("{{none}}")).isNull();
    assertThat(resolve("{{urls.1}}")).isEqualTo(JsonObject.of("host", "h", "port", 80));
    assertThat(resolve("{{urls}}"))
        .isEqualTo(List.of("u0", JsonObject.of("host", "h", "port", 80)));
    assertThat(resolve("{{alias}}")).isEqualTo(JsonObject.of("out", "a.md", "dir", "work/tmp"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = true,
      value = {
        "to {{file.out}}! | to a.md!",
        "{{file.dir}}/{{ file.out }} | work/tmp/a.md",
        "n={{n}}, {{yes}}, {{none}}, {{half}} | n=3, true, null, 0.50",
        "all: {{urls}} | all: [\"u0\",{\"host\":\"h\",\"port\":80}]",
        "{{deep}} | h:80",
        "{{alias.dir}} | work/tmp",
        "x{{{n}}}x | x{3}x",
        "open {{n | open {{n",
        "{{}} and {{ }} and { {n} } | {{}} and {{ }} and { {n} }",
        "\\{{n}} is {{n}} | {{n}} is 3",
        "\\\\{{n}} | \\3",
        "C:\\dir \\{{ | C:\\dir {{",
        "{{raw}} | {{n}}",
        "[{{raw}}] | [{{n}}]",
      })
  void references_in_texts_become_text(String template, String text) {
    assertThat(resolve(template)).isEqualTo(text);
  }

  @Test
  void containers_are_walked_and_other_values_stay() {
    Object template =
        JsonObject.of("a", List.of("{{n}}", "n{{n}}", 7), "b", JsonObject.of("c", "{{yes}}"));
    assertThat(resolve(template))
        .isEqualTo(JsonObject.of("a", List.of(3L, "n3", 7L), "b", JsonObject.of("c", true)));
    assertThat(resolve(5L)).isEqualTo(5L);
    assertThat(References.names(template)).containsExactly("n", "yes");
    assertThat(References.names("\\{{a}} {{b.c}} {{b.c}} {{d")).containsExactly("b.c");
  }

  @Test
  void a_missing_name_is_refused_with_the_near_ones_and_where_it_stands() {
    assertThatThrownBy(() -> References.resolve("{{file.uot}}", VARIABLES, "step 2"))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "there is no variable \"file.uot\", which step 2 refers to; did you mean"
                + " \"file.out\" or \"file.dir\" or \"file\"?");
    assertThatThrownBy(() -> References.resolve("{{x}}", JsonObject.EMPTY))
        .hasMessage("there is no variable \"x\"; there are no variables at all");
    JsonObject inner = JsonObject.of("path", "{{bse}}/x", "base", "b");
    assertThatThrownBy(() -> References.resolve("{{path}}", inner))
        .hasMessageContaining("\"bse\", which the variable path refers to; did you mean \"base\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{{urls.2}}", "{{urls.-1}}", "{{urls.x}}", "{{n.a}}", "{{file..out}}", "{{.}}"})
  void what_leads_nowhere_is_missing(String template) {
    assertThatThrownBy(() -> resolve(template)).hasMessageContaining("there is no variable");
  }

  @ParameterizedTest
  @CsvSource({
    "{{a}}, a -> a",
    "x{{b.c}}y, b.c -> d -> b.c",
    "{{e.f}}, e.f -> e -> e.f",
    "{{g}}, g -> g",
  })
  void a_circle_is_refused_and_shown(String template, String circle) {
    JsonObject variables =
        JsonText.object(
            """
            {"a": "{{a}}", "b": {"c": ["{{d}}"]}, "d": "to {{b.c}}", "e": "{{e.f}}",
             "g": {"h": {"i": "{{g}}"}}}""");
    assertThatThrownBy(() -> References.resolve(template, variables))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("in a circle: " + circle + ";");
  }

  @Test
  void a_part_may_refer_to_its_neighbour() {
    JsonObject variables = JsonText.object("{\"a\": {\"b\": \"{{a.c}}\", \"c\": 1}}");
    assertThat(References.resolve("{{a}}", variables)).isEqualTo(JsonObject.of("b", 1, "c", 1));
  }

  @Test
  void all_problems_are_told_without_throwing() {
    JsonObject variables = JsonObject.of("a", "{{b}}", "b", "{{a}}", "c", "{{nowhere}}", "ok", 1);
    assertThat(
            References.problems(List.of("{{a}}", "{{c}} {{c}}", "{{gone}}", "{{ok}}"), variables))
        .hasSize(3)
        .anyMatch(text -> text.contains("a -> b -> a"))
        .anyMatch(text -> text.contains("\"nowhere\""))
        .anyMatch(text -> text.contains("\"gone\""));
    assertThat(References.problems("{{ok}}", variables)).isEmpty();
  }

  @Test
  void references_that_multiply_are_refused() {
    for (String form : List.of("%1$s %1$s", "[%1$s]")) {
      Map<String, Object> laughs = new HashMap<>();
      laughs.put("v0", "ha");
      for (int i = 1; i < 60; i++) {
        String before = "{{v" + (i - 1) + "}}";
        laughs.put(
            "v" + i,
            form.startsWith("[") ? List.of(before, before, before) : form.formatted(before));
      }
      JsonObject variables = JsonObject.copyOf(laughs);
      assertThatThrownBy(() -> References.resolve("{{v59}}", variables))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("1,000,000 characters");
      assertThat(References.problems("{{v59}}", variables)).hasSize(1);
    }
  }

  @Test
  void very_long_chains_are_refused_before_the_stack_ends() {
    Map<String, Object> chain = new HashMap<>();
    for (int i = 0; i < 50_000; i++) chain.put("v" + i, "{{v" + (i + 1) + "}}");
    JsonObject variables = JsonObject.copyOf(chain);
    assertThatThrownBy(() -> References.resolve("{{v0}}", variables))
        .hasMessageContaining("levels deep");
    Map<String, Object> nest = new HashMap<>();
    for (int i = 0; i < 70; i++) nest.put("v" + i, JsonObject.of("x", "{{v" + (i + 1) + "}}"));
    nest.put("v70", 1);
    assertThatThrownBy(() -> References.resolve("{{v0}}", JsonObject.copyOf(nest)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void values_in_texts_are_written_as_the_json_room_writes_them() {
    Seeds.forAll(
        300,
        random -> {
          Object value = JsonObject.of("v", randomValue(random, 3, 0, 0)).get("v");
          assertThat(CompactJson.of(value)).isEqualTo(JsonText.write(value));
        });
  }

  @Test
  void random_graphs_resolve_as_plain_recursion_says() {
    Seeds.forAll(
        2_000,
        random -> {
          int count = 1 + random.nextInt(8);
          Map<String, @Nullable Object> map = new TreeMap<>();
          for (int i = 0; i < count; i++) map.put("v" + i, randomValue(random, 2, i + 1, count));
          JsonObject variables = JsonObject.copyOf(map);
          Object template = JsonObject.of("t", randomValue(random, 2, 0, count)).get("t");
          assertThat(References.resolve(template, variables)).isEqualTo(naive(template, variables));
        });
  }

  /** A value that refers only to variables from the given number on, so that no circle arises. */
  private static Object randomValue(Random random, int depth, int from, int to) {
    int kind = random.nextInt(depth > 0 ? 8 : 6);
    String reference = from < to ? "{{v" + (from + random.nextInt(to - from)) + "}}" : "leaf";
    return switch (kind) {
      case 0 -> (long) random.nextInt(100);
      case 1 -> new BigDecimal(random.nextInt(1000)).movePointLeft(2);
      case 2 -> random.nextBoolean();
      case 3, 4 -> reference;
      case 5 -> "t\"\\\n\u0001é " + reference + (random.nextBoolean() ? reference : "}} {");
      case 6 -> {
        List<Object> items = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
          items.add(randomValue(random, depth - 1, from, to));
        }
        yield items;
      }
      default -> JsonObject.of("k", randomValue(random, depth - 1, from, to), "l", 1);
    };
  }

  private static @Nullable Object naive(@Nullable Object template, JsonObject variables) {
    if (template instanceof List<?> items) {
      List<@Nullable Object> out = new ArrayList<>();
      for (Object item : items) out.add(naive(item, variables));
      return out;
    }
    if (template instanceof JsonObject object) {
      Map<String, @Nullable Object> out = new TreeMap<>();
      object.asMap().forEach((key, value) -> out.put(key, naive(value, variables)));
      return JsonObject.copyOf(out);
    }
    if (!(template instanceof String text)) return template;
    Matcher reference = Pattern.compile("\\{\\{(v[0-9])}}").matcher(text);
    if (reference.matches()) return naive(variables.get(reference.group(1)), variables);
    return reference
        .reset()
        .replaceAll(
            found -> {
              Object value = naive(variables.get(found.group(1)), variables);
              return Matcher.quoteReplacement(
                  value instanceof String words ? words : JsonText.write(value));
            });
  }

  private static @Nullable Object resolve(Object template) {
    return References.resolve(template, VARIABLES);
  }
}
