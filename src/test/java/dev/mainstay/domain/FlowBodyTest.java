package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.json.JsonText;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowBodyTest {
  private static final JsonObject VALUES =
      JsonText.object(
          """
          {"n": 3, "who": "Ada", "yes": true, "a.b-c": "dotted", "list": [1, "x"],
           "again": "[[n]] and \\\\[[", "none": null}""");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "hello [[who]]! | hello Ada!",
        "[[n]][[n]] [[yes]] [[ who ]] | 33 true Ada",
        "[[a.b-c]] | dotted",
        "[[list]] | [1,\"x\"]",
        "[[again]] | [[n]] and \\[[",
        "\\[[n]] is [[n]] | [[n]] is 3",
        "[n] [ [n]] a[0][1] ]] | [n] [ [n]] a[0][1] ]]",
        "{{n}} $n \\n | {{n}} $n \\n"
      })
  void names_in_brackets_become_values_and_nothing_else_changes(String body, String filled) {
    assertThat(FlowBody.fill(body, VALUES)).isEqualTo(filled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[nobody]]", "[[none]]", "[[N]]"})
  void a_missing_variable_is_refused_by_its_name(String body) {
    String name = body.substring(2, body.length() - 2);
    assertThatThrownBy(() -> FlowBody.fill("x " + body, VALUES))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("\"" + name + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[", "[[]]", "[[a b]]", "[[ -f x ]]", "[[n]", "[[[n]]", "[[\nn]]"})
  void brackets_that_name_nothing_are_refused_with_their_line(String body) {
    assertThatThrownBy(() -> FlowBody.names("one\ntwo " + body))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("line 2 ")
        .hasMessageContaining("\\[[");
  }

  @Test
  void what_was_put_together_from_words_and_values_is_filled_so() {
    List<String> words = List.of("", "a", "\\", "]", "]]", "{{x}}", "\n", "[", "é", "]] [", "\\n");
    Seeds.forAll(
        500,
        random -> {
          StringBuilder body = new StringBuilder();
          StringBuilder expected = new StringBuilder();
          Set<String> names = new LinkedHashSet<>();
          JsonObject values = JsonObject.EMPTY;
          for (int i = random.nextInt(12); i > 0; i--) {
            String word = words.get(random.nextInt(words.size())) + " ";
            body.append(word);
            expected.append(word);
            if (random.nextInt(4) == 0) {
              body.append("\\[[");
              expected.append("[[");
              continue;
            }
            String name = "v" + random.nextInt(5);
            if (!values.has(name)) values = values.with(name, value(random));
            names.add(name);
            body.append("[[").append(name).append("]]");
            expected.append(values.text(name));
          }
          assertThat(FlowBody.names(body.toString())).containsExactlyElementsOf(names);
          assertThat(FlowBody.fill(body.toString(), values)).isEqualTo(expected.toString());
          for (String name : names) {
            JsonObject without = values.withAny(name, null);
            assertThatThrownBy(() -> FlowBody.fill(body.toString(), without))
                .hasMessageContaining("\"" + name + "\"");
          }
        });
  }

  private static String value(Random random) {
    return List.of("[[v1]]", "\\[[", "$1 \\1", "plain", "", "]]").get(random.nextInt(6));
  }

  @Test
  void a_literal_template_becomes_its_text_again() {
    List<String> pieces = List.of("{", "{{", "}", "}}", "\\", "n", " ", "{{n}}", "\n");
    Seeds.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(10); i > 0; i--) {
            text.append(pieces.get(random.nextInt(pieces.size())));
          }
          String plain = text.toString();
          assertThat(References.resolve(References.literal(plain), VALUES)).isEqualTo(plain);
        });
  }
}
