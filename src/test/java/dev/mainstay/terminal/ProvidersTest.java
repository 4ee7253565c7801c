package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.McpServer;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ProviderCommand.Conversation;
import dev.mainstay.domain.ProviderCommand.Launch;
import dev.mainstay.domain.ProviderCommand.Place;
import dev.mainstay.domain.ProviderCommand.Start;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers as data: what is read, and the command lines that come of it. */
class ProvidersTest {
  private static final String UUID = "0b6f3c1e-7a52-4d0a-9a53-0d1f5a7e2c11";
  private static final String PROMPT = "--do \"this\" $HOME {value}\nand {file}";

  @TempDir Path folder;

  private Providers providers() {
    return new Providers(new Places(folder, null));
  }

  private static AgentProfile profile(String system) {
    McpServer server =
        new McpServer("notes", List.of("npx", "a \"b\""), null, Map.of("LEVEL", "3"));
    return new AgentProfile(
        "tester",
        new AgentProfile.About("tests", null),
        new AgentProfile.Engine(null, "m-1", List.of("Read", "Bash(git log:*)"), List.of(server)),
        new AgentProfile.Prompts(system, null));
  }

  private Launch launch(String provider, Start start) {
    return providers().get(provider).command().launch(start, name -> "/run/" + name);
  }

  private Launch launch(String provider) {
    return launch(provider, Start.of(profile("Be \"kind\".\n"), PROMPT));
  }

  @Test
  void every_built_in_provider_is_read_and_can_be_launched_judged_and_left() {
    for (String name : new ProviderText().builtIn()) {
      Provider provider = providers().get(name);
      assertThat(provider.name()).isEqualTo(name);
      assertThat(provider.signs().ready()).as(name).isNotEmpty();
      assertThat(provider.manners().exitCommand()).as(name).isNotBlank();
      assertThat(launch(name).argv()).as(name).isNotEmpty();
      if (name.equals("shell")) continue;
      assertThat(provider.signs().dialogs()).as(name).isNotEmpty();
      assertThat(provider.signs().busy()).as(name).isNotEmpty();
    }
    assertThat(providers().get(Provider.DEFAULT).name()).isEqualTo("claude-code");
  }

  @Test
  void claude_code_takes_its_prompts_by_file_and_argument() {
    Launch launch = launch("claude-code");
    assertThat(launch.argv())
        .containsExactly(
            "claude",
            "--model",
            "m-1",
            "--append-system-prompt-file",
            "/run/system_prompt.md",
            "--mcp-config=/run/mcp_config.json",
            "--allowedTools=Read,Bash(git log:*)",
            "--",
            PROMPT);
    assertThat(launch.files())
        .containsEntry("/run/system_prompt.md", "Be \"kind\".\n")
        .containsEntry(
            "/run/mcp_config.json",
            "{\"mcpServers\":{\"notes\":{\"args\":[\"a \\\"b\\\"\"],\"command\":\"npx\",\"env\":{\"LEVEL\":\"3\"}}}}");
    assertThat(launch.typed()).isNull();
    assertThat(launch.leftOut()).isEmpty();
  }

  @Test
  void codex_takes_settings_as_toml_and_says_what_it_cannot_be_told() {
    Launch launch = launch("codex");
    assertThat(launch.argv())
        .containsExactly(
            "codex",
            "--no-daemon",
            "--model",
            "m-1",
            "-c",
            "developer_instructions=\"Be \\\"kind\\\".\\n\"",
            "-c",
            "mcp_servers.notes={command=\"npx\",args=[\"a \\\"b\\\"\"],env={LEVEL=\"3\"}}",
            "--",
            PROMPT);
    assertThat(launch.leftOut()).containsExactly(Place.ALLOWED_TOOLS);
  }

  @Test
  void a_system_prompt_without_a_place_goes_before_the_initial_one() {
    Launch launch = launch("q", Start.of(profile("Be kind."), "Begin."));
    assertThat(launch.argv()).endsWith("--", "Be kind.\n\nBegin.");
    Launch alone = launch("q", Start.of(profile("Be kind."), null));
    assertThat(alone.argv()).endsWith("--", "Be kind.");
    var resumed = new Start(profile("Be kind."), "Go on.", new Conversation(UUID, true), List.of());
    assertThat(launch("q", resumed).argv()).contains("--resume-id", UUID).endsWith("--", "Go on.");
    assertThat(launch("q", resumed).leftOut()).containsExactly(Place.MCP_CONFIG);
  }

  @Test
  void opencode_and_gemini_are_told_by_variables_and_files() {
    Launch opencode = launch("opencode");
    assertThat(opencode.environment())
        .containsEntry(
            "OPENCODE_CONFIG_CONTENT",
            "{\"instructions\":[\"/run/system_prompt.md\"],"
                + "\"experimental\":{\"disable_paste_summary\":true}}")
        .containsEntry("OPENCODE_CONFIG", "/run/mcp_config.json");
    assertThat(opencode.files().get("/run/mcp_config.json"))
        .isEqualTo(
            "{\"mcp\":{\"notes\":{\"command\":[\"npx\",\"a \\\"b\\\"\"],\"environment\":{\"LEVEL\":\"3\"},\"type\":\"local\"}}}");
    assertThat(launch("gemini-cli").environment())
        .containsEntry("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "/run/mcp_config.json");
    assertThat(launch("gemini-cli").argv()).contains("--allowed-tools=Read,Bash(git log:*)");
  }

  @Test
  void a_conversation_is_begun_under_an_id_or_resumed_by_it() {
    var fresh = new Start(profile(""), null, new Conversation(UUID, false), List.of());
    var resumed = new Start(profile(""), null, new Conversation(UUID, true), List.of());
    assertThat(launch("claude-code", fresh).argv()).containsSequence("--session-id", UUID);
    assertThat(launch("claude-code", resumed).argv()).containsSequence("--resume", UUID);
    assertThat(launch("codex", resumed).argv()).contains("resume", UUID);
    assertThat(launch("codex", fresh).argv()).doesNotContain(UUID);
    assertThatThrownBy(() -> new Conversation("--yolo", true)).isInstanceOf(Refusal.class);
  }

  @Test
  void a_shell_runs_any_program_and_is_never_typed_a_system_prompt() {
    var start = new Start(profile("rm -rf /"), "ls", null, List.of("my agent", "$x"));
    Launch launch = launch("shell", start);
    assertThat(launch.argv()).containsExactly("my agent", "$x");
    assertThat(launch.typed()).isEqualTo("ls");
    assertThat(launch.environment())
        .containsEntry("AGENT_SYSTEM_PROMPT_FILE", "/run/system_prompt.md");
    assertThatThrownBy(() -> launch("codex", start)).hasMessageContaining("no other program");
  }

  @Test
  void a_prompt_that_no_word_can_hold_is_typed_and_a_system_prompt_refused() {
    String long40 = "ü".repeat(65_000);
    Launch launch = launch("claude-code", Start.of(profile("short"), long40));
    assertThat(launch.typed()).isEqualTo(long40);
    assertThat(launch.argv()).doesNotContain("--");
    assertThatThrownBy(() -> launch("codex", Start.of(profile(long40), null)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("system_prompt has more than");
    assertThat(launch("claude-code", Start.of(profile(long40), null)).files()).hasSize(2);
  }

  @Test
  void a_file_of_the_project_takes_the_place_of_a_built_in_provider() throws IOException {
    Path file = folder.resolve("providers/codex.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, "command: [my-codex]\nexit: bye\nsettle: 3s\nscreen: {ready: {idle: 'ok$'}}\n");
    Provider mine = providers().get("codex");
    assertThat(mine.command().program()).containsExactly("my-codex");
    assertThat(mine.manners().settle()).isEqualTo(Duration.ofSeconds(3));
    assertThat(providers().list())
        .filteredOn(each -> file.toString().equals(each.hiddenBy()))
        .hasSize(1);
    assertThatThrownBy(() -> providers().get("codx")).hasMessageContaining("\"codex\"");
  }

  @Test
  void a_fault_is_told_with_file_and_line() throws IOException {
    fault("comand: [x]\nexit: q\n", 1, "did you mean \"command\"?");
    fault("exit: q\n", 1, "names a program");
    fault("command: [x]\n", 1, "the field \"exit\" is missing");
    fault("command: [x]\nexit: q\nsettle: soon\n", 3, "such as 500ms or 2s");
    fault("command: [x]\nexit: q\nsettle: 90s\n", 2, "lies between");
    fault("command: [x]\nexit: q\narguments:\n  modle: {words: [a]}\n", 4, "\"model\"");
    fault("command: [x]\nexit: q\narguments:\n  model: {words: [a]}\n", 4, "{value}, {json}");
    fault("command: [x]\nexit: q\narguments:\n  model: {typed: true}\n", 1, "cannot be typed");
    fault("command: [x]\nexit: q\nscreen:\n  busy:\n    a: '(b+)+'\n", 5, "repeats a group");
    fault("command: [x]\nexit: q\nscreen:\n  idle: {}\n", 4, "there is no field \"idle\"");
  }

  private void fault(String text, int line, String sentence) throws IOException {
    Path file = folder.resolve("providers/mine.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThatThrownBy(() -> providers().get("mine"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(file + ":" + line + ": ")
        .hasMessageContaining(sentence);
  }
}
