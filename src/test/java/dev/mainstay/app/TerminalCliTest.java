package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Terminals and what they begin with, by commands; the caller is the agent "codex". */
class TerminalCliTest {
  @TempDir Path folder;

  private CliRun run(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private String ok(String input, String... args) {
    CliRun run = run(input, args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_terminal_is_registered_told_and_asked_for_its_prompt() {
    assertThat(
            ok(
                "You are {{role}}.\n",
                "terminal",
                "register",
                "dev-1",
                "--profile",
                "developer",
                "--initial-prompt",
                "-",
                "--var",
                "role=tester"))
        .isEqualTo("dev-1 is registered\n");
    assertThat(ok("", "terminal", "list")).containsPattern("dev-1 +- +developer +external");
    assertThat(ok("", "terminal", "prompt", "dev-1")).startsWith("You are tester.\n");
    ok("", "terminal", "state", "dev-1", "--var", "branch=main", "--set-context", "{\"a\": 1}");
    JsonObject state = JsonText.object(ok("", "terminal", "state", "dev-1", "--json"));
    assertThat(state.object("variables"))
        .isEqualTo(JsonObject.of("role", "tester", "branch", "main"));
    assertThat(state.object("context_data").number("a")).isEqualTo(1);
    assertThat(state.number("version")).isEqualTo(2);
    assertThat(ok("", "terminal", "checkpoint", "dev-1", "--status", "before the migration"))
        .contains("version 3");
    assertThat(ok("", "terminal", "state", "dev-1"))
        .contains("before the migration", "You are {{role}}.");
    ok("", "terminal", "state", "dev-1", "--initial-prompt", "");
    CliRun none = run("", "terminal", "prompt", "dev-1");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("no initial prompt");
    assertThat(ok("", "terminal", "prompt", "dev-1", "--profile-prompt", "On {{branch}}"))
        .isEqualTo("On main\n");
  }

  @Test
  void a_registered_worker_begins_with_the_prompt_of_its_profile() throws IOException {
    ok("", "task", "create", "makes the folder");
    Path profiles = Files.createDirectories(folder.resolve(".mainstay/agents"));
    Files.writeString(
        profiles.resolve("tester.md"),
        "---\nname: tester\ndescription: tests\ninitial_prompt: Test {{what}}.\n---\nYou test.\n");
    ok("", "terminal", "register", "w5", "--profile", "tester", "--var", "what=logins");
    assertThat(ok("", "terminal", "prompt", "w5")).isEqualTo("Test logins.\n");
    ok("", "terminal", "register", "w6", "--profile", "unknown-here");
    assertThat(run("", "terminal", "prompt", "w6").err()).contains("no initial prompt");
  }

  @Test
  void what_cannot_be_is_refused_with_the_right_code() {
    ok("", "terminal", "register", "dev-1");
    assertThat(run("", "terminal", "register", "dev-1").code()).isEqualTo(4);
    assertThat(run("", "terminal", "state", "nobody").code()).isEqualTo(3);
    assertThat(run("", "terminal", "checkpoint", "dev-1").code()).isEqualTo(1);
    CliRun own = run("", "terminal", "register", "codex", "--initial-prompt", "x");
    assertThat(own.code()).isEqualTo(4);
    assertThat(own.err()).contains("its own initial prompt");
    CliRun old = run("", "terminal", "state", "dev-1", "--var", "a=b", "--version", "7");
    assertThat(old.code()).isEqualTo(4);
    assertThat(old.err()).contains("version 0, not 7");
  }
}
