package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgvTest {
  @Test
  void words_are_split_as_a_shell_would_without_being_one() {
    assertThat(Argv.split("mvn  -B\t'a b' \"c 'd'\" e\\ f ''"))
        .containsExactly("mvn", "-B", "a b", "c 'd'", "e f", "");
    assertThat(Argv.split("sh -c 'a | b > $c'")).containsExactly("sh", "-c", "a | b > $c");
    assertThat(Argv.split("a\\\"b '\\' x\"\\\"\"")).containsExactly("a\"b", "\\", "x\"");
    assertThat(Argv.split("a\\")).containsExactly("a\\");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a | b", "a&", "a;b", "a > b", "a < b", "`a`", "$a", "'a", "\"a", " ", ""})
  void what_only_a_shell_understands_is_refused(String line) {
    assertThatThrownBy(() -> Argv.split(line)).isInstanceOf(Refusal.class);
  }

  @Test
  void plain_words_are_joined_as_they_are_and_others_in_quotes() {
    assertThat(Argv.join(List.of("ls", "-l", "a b", "", "it's", "x=1,2%")))
        .isEqualTo("ls -l 'a b' '' 'it'\\''s' x=1,2%");
  }

  @Test
  void what_is_joined_is_split_into_the_same_words() {
    Seeds.forAll(
        300,
        random -> {
          List<String> words = new ArrayList<>();
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            StringBuilder word = new StringBuilder();
            for (int k = random.nextInt(6); k > 0; k--) {
              word.append("ab1 \t'\"\\|&;<>`$é-_#!*".charAt(random.nextInt(21)));
            }
            words.add(word.toString());
          }
          assertThat(Argv.split(Argv.join(words))).isEqualTo(words);
        });
  }

  @Test
  void an_agent_is_known_by_one_name_however_it_is_written() {
    assertThat(AgentName.of(" Claude ")).isEqualTo("claude-code");
    assertThat(AgentName.of("gemini-cli-mcp-client")).isEqualTo("gemini");
    assertThat(AgentName.of("--My Agent!--")).isEqualTo("my-agent");
    assertThat(AgentName.of("!!")).isEqualTo("agent");
    assertThat(AgentName.of("x".repeat(500))).hasSize(Actor.NAME_CHARS_MAX);
    assertThat(AgentName.around(Map.of("CLAUDECODE", "1", "CODEX_SANDBOX", " ")))
        .containsExactly("claude-code");
    assertThat(AgentName.around(Map.of())).isEmpty();
  }
}
