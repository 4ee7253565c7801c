package dev.mainstay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Refusal;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** YAML as people write it, and as they should not. */
class YamlTextTest {
  private static YamlFields read(String text) {
    return YamlText.fields("a.yaml", text);
  }

  private static void refused(String text, String sentence) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(Refusal.class).hasMessage(sentence);
  }

  @Test
  void values_stay_the_text_that_was_typed() {
    YamlFields fields =
        read("version: 4.10\nfar: 0x1F\nyes: yes\non: true\nlong: |\n  two\n  lines\n");
    assertThat(fields.text("version")).isEqualTo("4.10");
    assertThat(fields.text("far")).isEqualTo("0x1F");
    assertThat(fields.text("yes")).isEqualTo("yes");
    assertThat(fields.truth("on")).isTrue();
    assertThat(fields.text("long")).isEqualTo("two\nlines\n");
    assertThat(fields.text("absent")).isNull();
    assertThat(fields.names()).containsExactly("version", "far", "yes", "on", "long");
  }

  @Test
  void lists_and_fields_of_fields_are_read_in_their_order() {
    YamlFields fields = read("tools: [Read, 'Bash(git log:*)']\none: Read\nenv:\n  B: 1\n  A: x\n");
    assertThat(fields.texts("tools")).containsExactly("Read", "Bash(git log:*)");
    assertThat(fields.texts("one")).containsExactly("Read");
    assertThat(fields.texts("none")).isEmpty();
    assertThat(fields.textsByName("env")).containsExactly(Map.entry("B", "1"), Map.entry("A", "x"));
    assertThat(read("").names()).isEmpty();
    assertThat(read("# nothing\n").names()).isEmpty();
  }

  @Test
  void a_fault_is_told_with_its_file_and_line() {
    refused("a: 1\n\na: 2\n", "a.yaml:3: the field \"a\" is given twice; keep one");
    refused("- one\n", "a.yaml:1: fields are needed, such as \"name: developer\"");
    refused("a: 1\n---\nb: 2\n", "a.yaml:3: there is a second document; keep one");
    refused("a: &x 1\nb: *x\n", "a.yaml:2: aliases (*name) are not read; write the value out");
    assertThatThrownBy(() -> read("a: 1\nb: [\n"))
        .isInstanceOf(Refusal.class)
        .hasMessageMatching("a\\.yaml:\\d: this is not valid YAML: \\S.*");
    YamlFields fields = read("a: 1\nempty:\nlist: [1]\nmodle: x\n");
    assertThatThrownBy(() -> fields.text("empty"))
        .hasMessage("a.yaml:2: the field \"empty\" is empty; give it a value or leave it out");
    assertThatThrownBy(() -> fields.text("list"))
        .hasMessage("a.yaml:3: the field \"list\" must be a text");
    assertThatThrownBy(() -> fields.fields("a"))
        .hasMessage("a.yaml:1: the field \"a\" must have fields of its own");
    assertThatThrownBy(() -> fields.truth("a"))
        .hasMessage("a.yaml:1: the field \"a\" must be true or false");
    assertThatThrownBy(() -> fields.only("a", "empty", "list", "model"))
        .hasMessage("a.yaml:4: there is no field \"modle\"; did you mean \"model\"?");
  }

  @Test
  void what_is_too_deep_too_long_or_too_much_is_refused() {
    assertThatThrownBy(() -> read("a: " + "[".repeat(500) + "]".repeat(500)))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("a.yaml:1: ");
    assertThatThrownBy(() -> read("a: " + "x".repeat(YamlText.DOCUMENT_CHARS_MAX)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("shorten it");
    assertThatThrownBy(() -> read("a: [" + "x,".repeat(YamlText.VALUES_MAX + 1) + "]"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("more than 10,000 values");
  }

  @Test
  void whatever_is_typed_is_read_or_refused() {
    String signs = "ab:-#|>[]{}&*!%@`'\"\\?,~ \n\t\r\u0000\u0085\ufeff\ud83d\ude00\u2028é";
    Seeds.forAll(1_000, random -> readOrRefused(text(random, signs)));
  }

  private static String text(Random random, String signs) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(60);
    for (int i = 0; i < length; i++) text.append(signs.charAt(random.nextInt(signs.length())));
    return text.toString();
  }

  private static void readOrRefused(String text) {
    try {
      YamlFields fields = read(text);
      for (String name : fields.names()) assertThat(fields.has(name)).isTrue();
    } catch (Refusal refused) {
      assertThat(refused.sentence()).matches("(?s)a\\.yaml:\\d+: \\S.*");
    }
  }

  @Test
  void front_matter_stands_between_two_fences_and_counts_the_lines_of_the_file() {
    FrontMatter read =
        FrontMatter.read("p.md", "\ufeff---\r\na: 1\r\n---\r\n\r\nOne\r\n---\r\ntwo\r\n");
    assertThat(read.fields().text("a")).isEqualTo("1");
    assertThat(read.body()).isEqualTo("One\n---\ntwo");
    assertThat(FrontMatter.read("p.md", "---\n---").body()).isEmpty();
    assertThatThrownBy(() -> FrontMatter.read("p.md", "a: 1\n"))
        .hasMessage("p.md:1: the first line must be ---, with the fields below it");
    assertThatThrownBy(() -> FrontMatter.read("p.md", "---\na: 1\n"))
        .hasMessage("p.md:1: the fields have no end; put a line --- below them");
    assertThatThrownBy(() -> FrontMatter.read("p.md", "---\na: 1\na: 2\n---\n"))
        .hasMessage("p.md:3: the field \"a\" is given twice; keep one");
  }
}
