package dev.mainstay.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.domain.AgentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hook commands that init writes, run by shells as the hosts run them. */
class HookGuardTest {
  private static final String PAYLOAD = "{\"hook_event_name\": \"Stop\"}\n";

  @TempDir Path temp;

  private record Ended(int exit, String out, String err) {}

  /** All hook commands in the files that init writes for a project. */
  private List<String> written() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("project"));
    Init init = new Init(folder, Map.of());
    init.plan(new Init.Wish(AgentName.WIRED, false, false, null)).write();
    List<String> commands = new ArrayList<>();
    for (String file : List.of(".claude/settings.local.json", ".gemini/settings.json")) {
      String text = Files.readString(folder.resolve(file));
      collect(JsonReader.read(file, text, true).child(HookEntries.HOOKS), commands);
    }
    String toml = Files.readString(folder.resolve(".codex/config.toml"));
    collect(Toml.read("config.toml", toml).get(HookEntries.HOOKS), commands);
    int events = ClaudeCode.EVENTS.size() + GeminiCli.EVENTS.size() + Codex.EVENTS.size();
    assertThat(commands).hasSize(events);
    return commands;
  }

  private static void collect(@Nullable Object hooks, List<String> commands) {
    if (hooks instanceof JsonSpot spot) collect(spot.value(), commands);
    else if (hooks instanceof List<?> list) list.forEach(each -> collect(each, commands));
    else if (hooks instanceof Map<?, ?> fields) {
      if (fields.get("command") instanceof String command) commands.add(command);
      else fields.values().forEach(each -> collect(each, commands));
    }
  }

  private Ended run(String shell, String command, String path) throws Exception {
    Path program = Path.of("/bin", shell);
    assumeTrue(Files.isExecutable(program), shell + " is not installed");
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    Path in = Files.writeString(temp.resolve("in"), PAYLOAD);
    ProcessBuilder builder = new ProcessBuilder(program.toString(), "-c", command);
    builder.environment().clear();
    builder.environment().put("PATH", path);
    Process process =
        builder
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sh", "dash", "bash"})
  void a_hook_is_silent_and_succeeds_where_mainstay_is_missing(String shell) throws Exception {
    String nowhere = temp.resolve("nowhere").toString();
    for (String command : written()) {
      assertThat(run(shell, command, nowhere)).as(command).isEqualTo(new Ended(0, "", ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sh", "dash", "bash"})
  void an_answer_of_mainstay_reaches_the_host(String shell) throws Exception {
    Path bin = Files.createDirectory(temp.resolve("bin"));
    Path program = bin.resolve("mainstay");
    Files.writeString(program, "#!/bin/sh\nIFS= read -r payload\necho \"$*: $payload\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String ofCodex =
        written().stream()
            .filter(each -> each.contains("Stop --agent codex"))
            .findFirst()
            .orElseThrow();
    assertThat(run(shell, ofCodex, bin.toString()))
        .isEqualTo(new Ended(0, "hook Stop --agent codex: " + PAYLOAD, ""));
  }

  /** Windows PowerShell 5 refuses a line with bars or an ampersand outside of text and comments. */
  @Test
  void a_hook_holds_nothing_that_powershell_cannot_parse() throws IOException {
    for (String command : written()) {
      String code = command.replaceAll("\"[^\"]*\"", "TEXT").replaceFirst(" # .*", "");
      assertThat(code).matches("eval TEXT; mainstay hook \\w+( --agent \\w+)?; exit 0");
    }
  }

  /** cmd knows neither semicolons nor number signs; the whole line is one command and its bars. */
  @Test
  void a_hook_is_one_unknown_command_to_cmd_which_then_succeeds() throws IOException {
    for (String command : written()) {
      String code = command.replaceAll("\"[^\"]*\"", "TEXT");
      assertThat(code).matches("eval [^<>&|^%]* \\|\\| exit 0");
    }
  }
}
