package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.upkeep.HookLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookCliTest {
  private static final Map<String, String> ENV = Map.of("USER", "ada", "CLAUDECODE", "1");
  private static final CliRun SILENT = new CliRun(0, "", "");

  @TempDir Path folder;
  private HookHost claude;

  @BeforeEach
  void aProjectThatWasSetUp() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    OwnFolder.in(folder);
    claude = HookHost.of("claude-code", folder.toRealPath());
  }

  private static CliRun hook(Path from, String event, String payload, String... more) {
    return hook(from, event, payload.getBytes(StandardCharsets.UTF_8), ENV, more);
  }

  private static CliRun hook(
      Path from, String event, byte[] payload, Map<String, String> env, String... more) {
    String[] args = Arrays.copyOf(new String[] {"hook", event}, 2 + more.length);
    System.arraycopy(more, 0, args, 2, more.length);
    return CliRun.of(from, payload, env, args);
  }

  private CliRun hook(String recording, String... more) {
    JsonObject payload = claude.recorded(recording);
    return hook(folder, payload.text("hook_event_name"), JsonText.write(payload), more);
  }

  private String run(String... args) {
    return CliRun.of(folder, new byte[0], ENV, args).out();
  }

  private String log() throws IOException {
    Path file = folder.resolve(".mainstay/log/hooks.log");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void a_session_of_claude_code_is_heard_from_its_beginning_to_its_end() throws IOException {
    assertThat(hook("SessionStart-startup")).isEqualTo(SILENT);
    assertThat(hook("UserPromptSubmit").out())
        .isEqualTo(
            "{\"hookSpecificOutput\":{\"additionalContext\":\"Mainstay keeps the state of this work as"
                + " T-001.\",\"hookEventName\":\"UserPromptSubmit\"}}\n");
    assertThat(hook("PreToolUse-Write")).isEqualTo(SILENT);
    Files.writeString(folder.resolve("Price.java"), "class Price {}\n");
    assertThat(hook("PostToolUse-Write")).isEqualTo(SILENT);
    assertThat(hook("PostToolUseFailure-Bash-failing")).isEqualTo(SILENT);
    assertThat(hook("PreCompact-manual")).isEqualTo(SILENT);
    assertThat(hook("SessionStart-compact").out())
        .contains(
            "\"hookEventName\":\"SessionStart\"",
            "T-001: Please work.",
            "Write; files: Price.java");
    assertThat(hook("Stop")).isEqualTo(SILENT);
    assertThat(hook("SessionEnd-other")).isEqualTo(SILENT);
    assertThat(run("checkpoint", "list", "T-001")).contains("compact-1");
    assertThat(log()).isEmpty();
    assertThat(run("doctor")).contains("Hooks    no faults");
  }

  @Test
  void where_nobody_set_mainstay_up_a_hook_makes_nothing() throws IOException {
    for (String file : List.of("mark", ".gitignore", "")) {
      Files.delete(folder.resolve(".mainstay").resolve(file));
    }
    assertThat(hook("UserPromptSubmit")).isEqualTo(SILENT);
    assertThat(hook(folder, "PostToolUse", "garbage")).isEqualTo(SILENT);
    assertThat(folder.resolve(".mainstay")).doesNotExist();
  }

  @Test
  void the_project_is_where_the_agent_works_and_not_where_it_went() throws IOException {
    Path elsewhere = Files.createDirectories(folder.resolve("sub/deep"));
    Path outside = Files.createTempDirectory("elsewhere");
    Map<String, String> env = new HashMap<>(ENV);
    env.put("CLAUDE_PROJECT_DIR", folder.toString());
    JsonObject payload = claude.recorded("UserPromptSubmit").with("cwd", outside.toString());
    byte[] bytes = JsonText.write(payload).getBytes(StandardCharsets.UTF_8);
    assertThat(hook(outside, "UserPromptSubmit", bytes, env).out()).contains("T-001");
    payload = payload.with("cwd", elsewhere.toString()).with("prompt_id", "next");
    assertThat(hook(elsewhere, "UserPromptSubmit", JsonText.write(payload))).isEqualTo(SILENT);
    assertThat(run("task", "list")).contains("T-001").doesNotContain("T-002");
  }

  @Test
  void the_agent_is_the_one_that_is_named_or_else_the_one_around() {
    hook("UserPromptSubmit", "--agent", "codex");
    hook("UserPromptSubmit");
    hook("UserPromptSubmit", "--agent=opencode", "--later-option");
    assertThat(run("task", "list", "--json")).contains("codex@", "claude-code@", "opencode@");
  }

  @Test
  void garbage_is_answered_with_nothing_and_logged() throws IOException {
    assertThat(hook(folder, "PostToolUse", "no\nJSON")).isEqualTo(SILENT);
    assertThat(log().lines()).hasSize(1);
    assertThat(log()).contains(" PostToolUse: the JSON is not valid");
    assertThat(hook(folder, "Stop", "[1]")).isEqualTo(SILENT);
    assertThat(hook(folder, "Stop", "")).isEqualTo(SILENT);
    assertThat(log().lines()).hasSize(3);
    assertThat(run("doctor"))
        .contains("advice Hooks    the last fault was at 2", "Stop: the JSON text is empty")
        .contains("remove .mainstay/log/hooks.log");
  }

  @Test
  void a_payload_that_is_too_large_is_read_to_its_end_and_passed_over() throws IOException {
    byte[] huge = new byte[JsonText.DOCUMENT_BYTES_MAX + 500_000];
    Arrays.fill(huge, (byte) ' ');
    assertThat(hook(folder, "PostToolUse", huge, ENV)).isEqualTo(SILENT);
    assertThat(log()).contains("larger than 4,194,304 bytes");
  }

  @Test
  void a_store_that_cannot_be_read_does_not_disturb_the_agent() throws IOException {
    Files.writeString(folder.resolve(".mainstay/state.sqlite3"), "this is no database".repeat(500));
    assertThat(hook("UserPromptSubmit")).isEqualTo(SILENT);
    assertThat(hook("PreToolUse-Write")).isEqualTo(SILENT);
    assertThat(log().lines()).hasSize(2);
    Files.writeString(folder.resolve(".mainstay/config.toml"), "nonsense = 1\n");
    assertThat(hook("Stop")).isEqualTo(SILENT);
    assertThat(log()).contains("there is no setting \"nonsense\"");
  }

  @Test
  void the_log_has_a_limit_and_is_put_aside_once() throws IOException {
    HookLog log = new HookLog(folder.resolve(".mainstay"));
    for (int i = 0; i < 600; i++) log.note("Stop", new IllegalStateException("x".repeat(2_000)));
    Path kept = folder.resolve(".mainstay/log");
    try (var files = Files.list(kept)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("hooks.log", "hooks.log.1");
    }
    assertThat(Files.size(kept.resolve("hooks.log"))).isLessThanOrEqualTo(HookLog.FILE_BYTES_MAX);
    assertThat(log.last()).isPresent();
    String sample = "ghp_" + "a1B2".repeat(9);
    log.note("Stop", new IllegalStateException("in\ntwo lines with " + sample));
    assertThat(log.last().orElseThrow().what())
        .contains("IllegalStateException: in two lines with", " at dev.mainstay.app.HookCliTest")
        .doesNotContain(sample);
  }

  @Test
  void a_person_sets_whether_an_agent_that_stops_is_told_what_is_left() throws IOException {
    hook("UserPromptSubmit");
    run("plan", "set", "T-001", "form", "--fence", "1");
    assertThat(hook("Stop")).isEqualTo(SILENT);
    Files.writeString(folder.resolve(".mainstay/config.toml"), "[hooks]\nstop = \"remind\"\n");
    assertThat(hook("Stop").out()).contains("\"decision\":\"block\"", "step 1 is todo: form");
    assertThat(hook("Stop")).isEqualTo(SILENT);
    Files.writeString(folder.resolve(".mainstay/config.toml"), "[hooks]\nstop = \"maybe\"\n");
    assertThat(CliRun.of(folder, new byte[0], ENV, "task", "list").err())
        .contains("hooks.stop", "must be off or remind");
  }
}
