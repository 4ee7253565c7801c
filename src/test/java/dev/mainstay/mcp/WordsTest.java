package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WordsTest {
  /** Commands that take something away, which a model is never sent to. */
  private static final Pattern TAKES_AWAY =
      Pattern.compile("--remove|forget|restore|gc|task retry|task cancel");

  @Test
  void commands_become_tools() {
    assertThat(Words.forModel("step 2 is todo: x; 'mainstay plan done T-001 2' says it is done"))
        .isEqualTo(
            "step 2 is todo: x; update {\"steps\":[{\"step\":2,\"status\":\"done\"}]} says it is"
                + " done");
    assertThat(Words.forModel("there is no task T-9; 'mainstay task list' shows those there are"))
        .isEqualTo("there is no task T-9; recall tasks shows those there are");
    assertThat(Words.forModel("x; 'mainstay exec accept 3' shows them"))
        .isEqualTo("x; a person with 'mainstay exec accept 3' shows them");
    assertThat(Words.forModel("nothing to see here")).isEqualTo("nothing to see here");
  }

  @Test
  void whatever_a_refusal_of_these_rooms_names_is_a_tool_a_shell_or_a_persons() throws IOException {
    List<String> named = new ArrayList<>();
    Pattern command = Pattern.compile("'mainstay [^'\"\\n]*'");
    for (String room : List.of("domain", "queue", "state", "session", "workspace", "terminal")) {
      try (var files = Files.walk(Path.of("src/main/java/dev/mainstay", room))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          Matcher found = command.matcher(Files.readString(file));
          while (found.find()) named.add(found.group().replace("%s", "T-001").replace("%d", "1"));
        }
      }
    }
    assertThat(named).hasSizeGreaterThan(20);
    for (String each : named) {
      String said = Words.forModel("no; " + each + " does it");
      boolean persons = said.contains("a person");
      assertThat(persons || !said.contains("'mainstay")).as(said).isTrue();
      if (!persons) assertThat(said).doesNotContainPattern(TAKES_AWAY);
    }
  }
}
