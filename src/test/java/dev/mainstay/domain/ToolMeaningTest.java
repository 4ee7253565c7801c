package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.ToolMeaning.CommandSeen;
import dev.mainstay.domain.ToolMeaning.Effect;
import dev.mainstay.json.JsonText;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits to be looked at, and how a command ended by what its host says. */
class ToolMeaningTest {
  private static final OpenTask OPEN = new OpenTask("write", OpenTask.Status.PENDING, 1);

  private static ToolMeaning disk(CommandSeen command) {
    return new ToolMeaning(Effect.DISK, List.of("a", "/b"), List.of(OPEN), command);
  }

  @Test
  void a_meaning_comes_back_from_its_text() {
    for (CommandSeen command :
        Arrays.asList(null, new CommandSeen("make", null), new CommandSeen("make", 2))) {
      ToolMeaning meaning = disk(command);
      JsonObject kept = JsonText.object(JsonText.write(meaning.toJson()));
      assertThat(ToolMeaning.fromJson(kept)).isEqualTo(meaning);
    }
    assertThat(ToolMeaning.fromJson(ToolMeaning.NOTHING.toJson())).isEqualTo(ToolMeaning.NOTHING);
    assertThat(disk(new CommandSeen("make", 2)).toJson().number("exit_code")).isEqualTo(2);
    assertThat(disk(null).toJson().has("command")).isFalse();
  }

  @Test
  void what_is_not_absolute_lies_in_the_folder_of_the_agent() {
    ToolMeaning meaning = disk(new CommandSeen("make", 2));
    assertThat(meaning.from("/repo"))
        .isEqualTo(
            new ToolMeaning(
                Effect.DISK, List.of("/repo/a", "/b"), List.of(OPEN), meaning.command()));
  }

  @Test
  void a_command_is_one_text_and_of_a_shell_with_a_script_the_script() {
    assertThat(CommandText.command("make test")).isEqualTo("make test");
    assertThat(CommandText.command(" ")).isNull();
    assertThat(CommandText.command(7L)).isNull();
    assertThat(CommandText.command(List.of())).isNull();
    assertThat(CommandText.command(List.of("make", 7L))).isNull();
    assertThat(CommandText.command(List.of("make", "-k", "test"))).isEqualTo("make -k test");
    assertThat(CommandText.command(List.of("/bin/bash", "-lc", "make test")))
        .isEqualTo("make test");
    assertThat(CommandText.command(List.of("bash", "-x", "a.sh"))).isEqualTo("bash -x a.sh");
    assertThat(CommandText.command(List.of("awk", "-c", "x"))).isEqualTo("awk -c x");
  }

  @Test
  void an_exit_code_is_what_the_hosts_own_lines_say() {
    assertThat(CommandText.exitCode("Exit code: 2\nWall time: 1 s\nOutput:\nExit code: 0"))
        .isEqualTo(2);
    assertThat(CommandText.exitCode("Exit code: 2\nOutput:\nx")).as("no time").isNull();
    assertThat(CommandText.exitCode("Exit code: 2")).as("perhaps the output alone").isNull();
    assertThat(CommandText.exitCode("Output: x\nExit Code: 3")).isEqualTo(3);
    assertThat(CommandText.exitCode("Output: x\nProcess Group PGID: 12")).isEqualTo(0);
    assertThat(CommandText.exitCode("Command: x\nProcess Group PGID: 12")).isNull();
    assertThat(CommandText.exitCode("Output: x\nSignal: 9\nProcess Group PGID: 12")).isNull();
    assertThat(CommandText.exitCode("Exit code: two\nWall time: 1 s\nOutput:\nx")).isNull();
    assertThat(CommandText.errorCode("Exit code 4\nmore")).isEqualTo(4);
    assertThat(CommandText.errorCode("no")).isNull();
  }

  @Test
  void what_is_wrapped_as_untrusted_is_read_within_its_wrapping() {
    String given = "<untrusted_context>\nOutput: x\nExit Code: 3\n</untrusted_context>";
    assertThat(CommandText.exitCode(given)).isEqualTo(3);
    assertThat(CommandText.exitCode(" " + given + "\n")).isEqualTo(3);
    assertThat(CommandText.exitCode("<untrusted_context>\nOutput: x\nExit Code: 3")).isNull();
  }

  @Test
  void a_tool_is_known_by_its_name() {
    assertThat(ToolCatalogue.isKnown("Read")).isTrue();
    assertThat(ToolCatalogue.isKnown("frobnicate")).isFalse();
  }
}
