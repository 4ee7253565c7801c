package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is parsed by hand is done as picocli would have it done. {@code --option=value} is for
 * picocli alone, so the same command is written in both ways.
 */
class HotCommandsTest {
  @TempDir Path byHand;
  @TempDir Path byPicocli;

  @BeforeEach
  void make_the_same_in_both() {
    for (Path each : List.of(byHand, byPicocli)) {
      for (String title : List.of("first", "second")) {
        assertThat(CliRun.of(each, "", "task", "create", title, "--type=TEST").code()).isZero();
      }
    }
  }

  private static List<String> joined(List<String> args) {
    List<String> joined = new ArrayList<>();
    for (String arg : args) {
      boolean isValue = !joined.isEmpty() && joined.get(joined.size() - 1).matches("--[a-z]+");
      boolean isOption = arg.startsWith("--");
      if (isValue && !isOption)
        joined.set(joined.size() - 1, joined.get(joined.size() - 1) + "=" + arg);
      else joined.add(arg);
    }
    return joined;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "task create third --type REVIEW --priority 7 --key once",
        "task create third --description more --parent T-001",
        "task create third --metadata {\"a\":[1]}",
        "task create third --metadata nonsense",
        "task create third --priority 7 --priority 8",
        "task create third --priority much",
        "task create third --priority 99999999999",
        "task create third fourth",
        "task create third --parent T-999",
        "task create third --type ?",
        "task create",
        "task create third --nothing",
        "task list --status READY --type TEST --limit 1",
        "task list --search first --order newest",
        "task list --order sideways",
        "task list --limit 0",
        "task list --limit x",
        "task list --status SOMEHOW",
        "task list --after here",
        "task list --parent T-001 --workflow none",
        "task list more"
      })
  void both_ways_give_the_same(String line) {
    List<String> args = List.of(line.split(" "));
    CliRun hand = CliRun.of(byHand, "", args.toArray(String[]::new));
    CliRun picocli = CliRun.of(byPicocli, "", joined(args).toArray(String[]::new));

    assertThat(hand.code()).isEqualTo(picocli.code());
    assertThat(hand.out()).isEqualTo(picocli.out());
    assertThat(hand.err()).isEqualTo(picocli.err());
    assertThat(CliRun.of(byHand, "", "task", "list").out())
        .isEqualTo(CliRun.of(byPicocli, "", "task", "list", "--limit=50").out());
  }

  @Test
  void a_file_of_arguments_and_what_looks_like_an_option_are_for_picocli() {
    assertThat(CliRun.of(byHand, "words", "task", "create", "third", "--description", "-").code())
        .isZero();
    assertThat(CliRun.of(byHand, "", "task", "show", "T-003").out()).contains("words");
    CliRun json = CliRun.of(byHand, "", "task", "list", "--json", "--json");
    assertThat(json.code()).isEqualTo(2);
  }
}
