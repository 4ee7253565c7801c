package dev.mainstay.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What init decides: beside what is there, never over it, all of it or nothing. */
class InitTest {
  private static final List<String> CLAUDE = List.of("claude-code");

  @TempDir Path folder;

  private Plan plan(List<String> agents) {
    return new Init(folder, Map.of()).plan(new Init.Wish(agents, false, false, null));
  }

  private Plan undo(String... agents) {
    return new Init(folder, Map.of()).plan(new Init.Wish(List.of(agents), true, false, null));
  }

  private Plan shared(List<String> agents) {
    return new Init(folder, Map.of()).plan(new Init.Wish(agents, false, false, null, true));
  }

  private void put(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  private String text(String path) throws IOException {
    return Files.readString(folder.resolve(path));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String path = folder.relativize(file).toString();
        if (!path.startsWith(".mainstay")) files.put(path, text(path));
      }
    }
    return files;
  }

  @Test
  void the_words_for_agents_are_few_and_name_the_tools() {
    assertThat(Instructions.block().strip().split("\\s+").length).isLessThanOrEqualTo(150);
    assertThat(Instructions.block())
        .contains("`state`", "`update`", "`next_task`", "`finish_task`");
  }

  @Test
  void claude_code_is_asked_for_every_event_that_mainstay_hears() {
    plan(CLAUDE).write();
    JsonSpot hooks =
        JsonReader.read("f", read(".claude/settings.local.json"), false).child("hooks");
    assertThat(Objects.requireNonNull(hooks).entries().stream().map(JsonSpot.Entry::name))
        .containsExactly(
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PreCompact",
            "Stop",
            "SubagentStop",
            "SessionEnd",
            "Notification");
    assertThat(hooks.entries()).allSatisfy(each -> assertThat(each.value().entries()).hasSize(1));
  }

  @Test
  void hooks_are_in_one_file_that_of_one_person_unless_the_team_shares_them() throws IOException {
    plan(CLAUDE).write();
    assertThat(files()).containsKey(".claude/settings.local.json");
    assertThat(files()).doesNotContainKey(".claude/settings.json");
    shared(CLAUDE).write();
    assertThat(files()).containsKey(".claude/settings.json");
    assertThat(files()).doesNotContainKey(".claude/settings.local.json");
    assertThat(plan(CLAUDE).changes()).isEmpty();
    put(".claude/settings.local.json", text(".claude/settings.json"));
    plan(CLAUDE).write();
    assertThat(files()).doesNotContainKey(".claude/settings.local.json");
    put(".claude/settings.local.json", text(".claude/settings.json"));
    undo().write();
    assertThat(files()).isEmpty();
  }

  private String read(String path) {
    return new FolderDisk(folder).text(path).orElseThrow();
  }

  @Test
  void files_that_are_shared_name_no_path_of_this_machine() throws IOException {
    plan(AgentName.WIRED).write();
    assertThat(files()).hasSizeGreaterThan(8);
    assertThat(files().values())
        .noneMatch(
            text ->
                text.contains(folder.toString())
                    || text.contains(System.getProperty("user.home") + "/"));
  }

  @Test
  void all_agents_are_wired_once_and_taken_out_without_a_trace() throws IOException {
    plan(AgentName.WIRED).write();
    assertThat(plan(AgentName.WIRED).changes()).isEmpty();
    undo().write();
    assertThat(files()).isEmpty();
    try (var left = Files.list(folder)) {
      assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactly(".mainstay");
    }
  }

  @Test
  void one_agent_is_taken_out_and_the_others_stay_wired() throws IOException {
    plan(AgentName.WIRED).write();
    undo("codex").write();
    assertThat(files().keySet()).contains("AGENTS.md", ".mcp.json", ".gemini/settings.json");
    assertThat(folder.resolve(".codex")).doesNotExist();
    undo().write();
    assertThat(files()).isEmpty();
  }

  @Test
  void without_notes_ours_goes_and_everything_else_stays() throws IOException {
    put(".mcp.json", "{\n  \"mcpServers\": {\n    \"web\": {\"command\": \"web\"}\n  }\n}\n");
    put(".codex/config.toml", "model = \"x\"\n");
    put("CLAUDE.md", "Use tabs.");
    Map<String, String> before = files();
    plan(AgentName.WIRED).write();
    Files.delete(folder.resolve(".mainstay/init.json"));
    undo().write();
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void what_the_person_has_changed_since_stays() throws IOException {
    plan(AgentName.WIRED).write();
    put(".mcp.json", text(".mcp.json").replace("{\n  \"mcp", "{\n  \"own\": true,\n  \"mcp"));
    put("AGENTS.md", "# Ours\n\n" + text("AGENTS.md") + "more\n");
    put(".codex/config.toml", "model = \"x\"\n" + text(".codex/config.toml") + "[tui]\n");
    undo().write();
    assertThat(files())
        .containsOnlyKeys(".mcp.json", "AGENTS.md", ".codex/config.toml")
        .containsEntry(".mcp.json", "{\n  \"own\": true\n}\n")
        .containsEntry("AGENTS.md", "# Ours\nmore\n")
        .containsEntry(".codex/config.toml", "model = \"x\"\n[tui]\n");
  }

  @Test
  void outdated_hooks_of_ours_are_replaced_and_others_in_the_same_group_stay() throws IOException {
    put(
        ".claude/settings.json",
        """
        {"hooks": {
          "Stop": [{"hooks": [
            {"type": "command", "command": "say done"},
            {"type": "command", "command": "mainstay hook Stop --old"}]}],
          "Gone": [{"hooks": [{"type": "command", "command": "mainstay hook Gone"}]}]
        }}""");
    plan(CLAUDE).write();
    String settings = text(".claude/settings.json");
    assertThat(settings)
        .contains("\"say done\"", "mainstay hook Stop; exit 0")
        .doesNotContain("--old", "Gone", "\"mainstay hook");
    assertThat(plan(CLAUDE).changes()).isEmpty();
    undo().write();
    assertThat(text(".claude/settings.json")).contains("say done").doesNotContain("mainstay");
  }

  @Test
  void hooks_of_an_earlier_version_are_taken_out_without_an_upgrade() throws IOException {
    String old = "{\"type\": \"command\", \"command\": \"mainstay hook Stop\"}";
    put(".claude/settings.json", "{\"hooks\": {\"Stop\": [{\"hooks\": [" + old + "]}]}}");
    undo().write();
    assertThat(files()).isEmpty();
  }

  @Test
  void hooks_of_an_earlier_version_of_codex_are_replaced() throws IOException {
    plan(List.of("codex")).write();
    String now = text(".codex/config.toml");
    put(".codex/config.toml", now.replaceAll("eval .*2>/dev/null[\\\\]\"; |; exit 0 [^\"]*", ""));
    assertThat(text(".codex/config.toml")).contains("\"mainstay hook Stop --agent codex\"");
    plan(List.of("codex")).write();
    assertThat(text(".codex/config.toml")).isEqualTo(now);
    undo().write();
    assertThat(files()).isEmpty();
  }

  @Test
  void a_server_of_the_same_name_that_is_not_ours_is_left_alone_and_told() throws IOException {
    String foreign = "{\"mcpServers\": {\"mainstay\": {\"command\": \"/opt/other\"}}}";
    put(".mcp.json", foreign);
    put(".codex/config.toml", "[mcp_servers.mainstay]\nurl = \"http://x\"\n");
    Plan plan = plan(List.of("claude-code", "codex"));
    assertThat(plan.remarks())
        .hasSize(2)
        .allMatch(told -> told.contains("starts something else and was left as it is"));
    plan.write();
    assertThat(text(".mcp.json")).isEqualTo(foreign);
    assertThat(text(".codex/config.toml")).contains("hook Stop").doesNotContain("args");
    undo().write();
    assertThat(text(".mcp.json")).isEqualTo(foreign);
  }

  @Test
  void a_server_of_ours_that_its_owner_has_added_to_is_current() throws IOException {
    put(
        ".mcp.json",
        "{\"mcpServers\": {\"mainstay\": {\"command\": \"mainstay\", \"args\": [\"mcp\", \"--db\", \"x\"]}}}");
    assertThat(plan(CLAUDE).changes()).noneMatch(change -> change.path().equals(".mcp.json"));
  }

  @Test
  void a_file_that_cannot_be_read_stops_everything() throws IOException {
    put(".claude/settings.local.json", "{\n  \"hooks\": {\n}\n");
    assertThatThrownBy(() -> plan(AgentName.WIRED))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(".claude/settings.local.json cannot be read at line 4");
    put(".claude/settings.local.json", "{}");
    put(".codex/config.toml", "model = \n");
    assertThatThrownBy(() -> plan(AgentName.WIRED))
        .hasMessageStartingWith(".codex/config.toml cannot be read at line 1");
    put(".codex/config.toml", "hooks = { Stop = [] }\n");
    assertThatThrownBy(() -> plan(AgentName.WIRED)).hasMessageContaining("write them as tables");
    put(".codex/config.toml", "");
    put(".claude/settings.local.json", "{\"hooks\": {\"Stop\": 7}}");
    assertThatThrownBy(() -> plan(AgentName.WIRED)).hasMessageContaining("Stop is not a list");
    Files.write(folder.resolve(".claude/settings.local.json"), new byte[] {'{', (byte) 0xc3, '}'});
    assertThatThrownBy(() -> plan(AgentName.WIRED)).hasMessageContaining("is not valid UTF-8");
    assertThat(folder.resolve(".mcp.json")).doesNotExist();
    assertThat(folder.resolve(".mainstay")).doesNotExist();
  }

  @Test
  void a_link_is_not_followed() throws IOException {
    Path outside = Files.createTempDirectory("outside");
    Files.createSymbolicLink(folder.resolve(".claude"), outside);
    assertThatThrownBy(() -> plan(CLAUDE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(".claude");
    Files.delete(folder.resolve(".claude"));
    Files.createSymbolicLink(folder.resolve(".mcp.json"), outside.resolve("x.json"));
    assertThatThrownBy(() -> plan(CLAUDE))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(".mcp.json");
    assertThat(outside).isEmptyDirectory();
    Files.delete(outside);
  }

  @Test
  void words_that_are_linked_to_each_other_are_written_once() throws IOException {
    put("CLAUDE.md", "# Ours\n");
    Files.createSymbolicLink(folder.resolve("AGENTS.md"), Path.of("CLAUDE.md"));
    plan(CLAUDE).write();
    assertThat(text("CLAUDE.md")).startsWith("# Ours\n").contains("`state`").doesNotContain("@AG");
    assertThat(folder.resolve("AGENTS.md")).isSymbolicLink();
    undo().write();
    assertThat(text("CLAUDE.md")).isEqualTo("# Ours\n");
  }

  @Test
  void codex_gets_its_hooks_where_the_project_has_hooks_already() throws IOException {
    put(".codex/hooks.json", "{}");
    plan(List.of("codex")).write();
    assertThat(text(".codex/config.toml")).contains("mcp_servers").doesNotContain("hooks");
    assertThat(text(".codex/hooks.json")).contains("mainstay hook Stop --agent codex");
    undo().write();
    assertThat(files()).containsExactly(Map.entry(".codex/hooks.json", "{}"));
  }

  @Test
  void a_file_that_changed_since_it_was_read_is_not_written_and_others_are_put_back()
      throws IOException {
    put(".claude/settings.local.json", "{}");
    Plan plan = plan(CLAUDE);
    put(".claude/settings.local.json", "{\"model\": \"opus\"}");
    assertThatThrownBy(plan::write)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(".claude/settings.local.json was changed by somebody");
    assertThat(files())
        .containsExactly(Map.entry(".claude/settings.local.json", "{\"model\": \"opus\"}"));
  }

  @Test
  void the_plugin_takes_the_place_of_the_projects_hooks() throws IOException {
    plan(CLAUDE).write();
    Path plugin = folder.resolve("plug");
    Init init = new Init(folder, Map.of());
    init.plan(new Init.Wish(CLAUDE, false, false, plugin)).write();
    assertThat(files().keySet())
        .containsExactly(
            "AGENTS.md",
            "CLAUDE.md",
            "plug/.claude-plugin/plugin.json",
            "plug/.mcp.json",
            "plug/commands/remember.md",
            "plug/hooks/hooks.json");
    assertThat(init.plan(new Init.Wish(CLAUDE, false, false, plugin)).changes()).isEmpty();
    init.plan(new Init.Wish(CLAUDE, true, false, plugin)).write();
    assertThat(plugin).isEmptyDirectory();
    assertThatThrownBy(() -> new Init.Wish(List.of("codex"), false, false, plugin))
        .hasMessageContaining("say --agent claude-code");
  }

  @Test
  void an_unknown_agent_is_told_with_those_there_are() {
    assertThatThrownBy(() -> plan(List.of("gemeni")))
        .hasMessageContaining("did you mean \"gemini\"?");
    assertThat(plan(List.of("claude", "claude-code")).agents()).containsExactly("claude-code");
  }

  @Test
  void somebody_elses_file_in_the_place_of_ours_stays() throws IOException {
    put(".opencode/plugins/mainstay.js", "export const Mine = 1\n");
    Plan plan = plan(List.of("opencode"));
    assertThat(plan.remarks()).singleElement().asString().contains("is not Mainstay's");
    plan.write();
    undo().write();
    assertThat(text(".opencode/plugins/mainstay.js")).isEqualTo("export const Mine = 1\n");
  }

  @Test
  void the_home_of_a_person_is_no_project() {
    Init init = new Init(folder, Map.of("HOME", folder.toString()));
    assertThatThrownBy(() -> init.plan(new Init.Wish(CLAUDE, false, false, null)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("this folder is your home");
    assertThat(init.plan(new Init.Wish(CLAUDE, false, true, null)).changes()).isNotEmpty();
  }
}
