package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.hook.Answer;
import dev.mainstay.hook.Hooks;
import dev.mainstay.hook.Told;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other hosts than Claude Code say and read, as they were recorded. */
class HookAgentsTest {
  private static final TaskId FIRST = new TaskId("T-001");
  private static final Call ADA = Call.by(Actor.person("ada"), "test");

  @TempDir Path folder;
  private Mainstay house;

  @BeforeEach
  void begin() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    house = Mainstay.open(folder.resolve("state.sqlite3").toString());
  }

  @AfterEach
  void end() {
    house.close();
  }

  private HookHost host(String agent) throws IOException {
    return HookHost.of(agent, folder.toRealPath());
  }

  private TaskState state() {
    return house.states().load(FIRST);
  }

  private static JsonObject json(Answer answer) {
    return JsonText.object(answer.out().strip());
  }

  private Hooks reminding() {
    return new Hooks(house, new Hooks.Setting(true, fault -> {}));
  }

  @Test
  void codex_is_heard_from_its_beginning_to_its_end() throws IOException {
    HookHost codex = host("codex");
    assertThat(codex.tell(house, "SessionStart-startup")).isEqualTo(Answer.SILENT);
    assertThat(HookHost.shown(codex.tell(house, "UserPromptSubmit"))).contains("T-001");
    assertThat(codex.tell(house, "PreModelRequest")).isEqualTo(Answer.SILENT);
    assertThat(codex.tell(house, "PreToolUse-apply_patch")).isEqualTo(Answer.SILENT);
    assertThat(codex.tell(house, "PostToolUse-apply_patch")).isEqualTo(Answer.SILENT);
    assertThat(codex.tell(house, "PostToolUse-Bash-failing")).isEqualTo(Answer.SILENT);
    assertThat(state().trail().actions()).containsExactly("apply_patch; files: Price.java", "Bash");
    assertThat(codex.tell(house, "PreCompact-manual")).isEqualTo(Answer.SILENT);
    assertThat(HookHost.shown(codex.tell(house, "SessionStart-compact")))
        .contains("just compacted", "T-001: Please work.");
    assertThat(state().trail().compressions()).hasSize(2);
    house.states().setPlan(FIRST, List.of("form"), ADA);
    assertThat(json(codex.tell(reminding(), codex.recorded("Stop"))).asMap().keySet())
        .containsExactly("decision", "reason");
    assertThat(codex.tell(reminding(), codex.recorded("Stop-active"))).isEqualTo(Answer.SILENT);
    assertThat(codex.tell(house, "SessionEnd-other")).isEqualTo(Answer.SILENT);
  }

  @Test
  void files_are_named_from_the_folder_that_the_agent_is_in() throws IOException {
    HookHost codex = host("codex");
    codex.tell(house, "UserPromptSubmit");
    Path below = Files.createDirectory(codex.folder().resolve("sub"));
    JsonObject patched = codex.recorded("PostToolUse-apply_patch").with("cwd", below.toString());
    house.workspace(codex.folder()).scan();
    Files.writeString(below.resolve("Price.java"), "class Price {}\n");
    codex.tell(new Hooks(house), patched);
    assertThat(state().trail().actions()).containsExactly("apply_patch; files: sub/Price.java");
  }

  @Test
  void gemini_is_heard_under_its_own_names() throws IOException {
    HookHost gemini = host("gemini");
    assertThat(gemini.tell(house, "SessionStart-startup")).isEqualTo(Answer.SILENT);
    Answer answer = gemini.tell(house, "BeforeAgent");
    assertThat(json(answer).object("hookSpecificOutput").text("hookEventName"))
        .isEqualTo("BeforeAgent");
    house.states().addCriterion(FIRST, "fine", "echo fine", ADA);
    house.states().addCriterion(FIRST, "fails", "sh -c 'echo failing; exit 1'", ADA);
    assertThat(gemini.tell(house, "BeforeTool-write_file")).isEqualTo(Answer.SILENT);
    gemini.tell(house, "AfterTool-write_file");
    gemini.tell(house, "AfterTool-run_shell_command");
    gemini.tell(house, "AfterTool-run_shell_command-failing");
    house.workspace(gemini.folder()).drain();
    assertThat(house.evidence().list(FIRST))
        .extracting(seen -> seen.evidence().exitCode())
        .containsExactlyInAnyOrder(0, 1);
    assertThat(gemini.tell(house, "SessionEnd-exit")).isEqualTo(Answer.SILENT);
    assertThat(state().trail().actions()).noneMatch(action -> action.contains("ended"));
  }

  @Test
  void an_event_without_an_id_that_is_heard_again_by_its_receipt_counts_once() throws IOException {
    HookHost gemini = host("gemini");
    gemini.tell(house, "BeforeAgent");
    for (int i = 0; i < 4; i++) {
      gemini.with(Told.RECEIPT, "hook-1").tell(house, "AfterTool-run_shell_command");
    }
    assertThat(gemini.tell(house, "BeforeTool-run_shell_command")).isEqualTo(Answer.SILENT);
    assertThat(state().trail().actions()).hasSize(1);
    gemini.with(Told.RECEIPT, "hook-2").tell(house, "AfterTool-run_shell_command");
    assertThat(state().trail().actions()).hasSize(2);
  }

  @Test
  void gemini_is_refused_a_repeated_tool_by_a_decision() throws IOException {
    HookHost gemini = host("gemini");
    gemini.tell(house, "BeforeAgent");
    for (int i = 0; i < 4; i++) gemini.tell(house, "AfterTool-run_shell_command");
    Answer answer = gemini.tell(house, "BeforeTool-run_shell_command");
    assertThat(json(answer).text("decision")).isEqualTo("deny");
    assertThat(json(answer).text("reason")).contains("the 5th call in a row");
  }

  @Test
  void gemini_gets_its_state_back_with_the_prompt_after_a_compression() throws IOException {
    HookHost gemini = host("gemini");
    gemini.tell(house, "BeforeAgent");
    // It tells of an automatic compression before every request, which means nothing.
    assertThat(gemini.tell(house, "PreCompress-auto")).isEqualTo(Answer.SILENT);
    assertThat(state().trail().compressions()).isEmpty();
    JsonObject manual = gemini.recorded("PreCompress-manual");
    String session = gemini.recorded("BeforeAgent").text("session_id");
    gemini.tell(new Hooks(house), manual.with("session_id", session));
    assertThat(HookHost.shown(gemini.prompt(house, "go on")))
        .contains("just compacted", "T-001: Please work.");
    assertThat(state().trail().compressions())
        .extracting(each -> each.action())
        .containsExactly("compaction begins", "state given back");
    assertThat(gemini.prompt(house, "and on")).isEqualTo(Answer.SILENT);
  }

  @Test
  void what_gemini_is_told_at_its_stop_is_nobodys_prompt() throws IOException {
    HookHost gemini = host("gemini");
    gemini.tell(house, "BeforeAgent");
    house.states().setPlan(FIRST, List.of("never give up"), ADA);
    String reason = json(gemini.tell(reminding(), gemini.recorded("AfterAgent"))).text("reason");
    assertThat(gemini.prompt(house, reason)).isEqualTo(Answer.SILENT);
    assertThat(state().directives().items()).isEmpty();
    assertThat(gemini.tell(reminding(), gemini.recorded("AfterAgent"))).isEqualTo(Answer.SILENT);
  }

  @Test
  void opencode_is_heard_through_its_plugin_from_its_beginning_to_its_end() throws IOException {
    HookHost opencode = host("opencode");
    assertThat(opencode.tell(house, "SessionStart-startup")).isEqualTo(Answer.SILENT);
    assertThat(HookHost.shown(opencode.tell(house, "UserPromptSubmit"))).contains("T-001");
    house.states().addCriterion(FIRST, "tests", "npm test", ADA);
    for (String each :
        List.of(
            "PreToolUse-bash",
            "PostToolUse-bash",
            "PostToolUse-bash-failing",
            "PreToolUse-write",
            "PostToolUse-write",
            "PostToolUseFailure-read")) {
      assertThat(opencode.tell(house, each)).as(each).isEqualTo(Answer.SILENT);
    }
    assertThat(state().trail().actions())
        .containsExactly("bash", "bash", "write; files: Price.java", "read");
    house.workspace(opencode.folder()).drain();
    assertThat(house.evidence().list(FIRST))
        .extracting(seen -> seen.evidence().exitCode())
        .containsExactly(254);
    // It cannot be held at its stop, so nothing is said that nobody would read.
    assertThat(opencode.tell(reminding(), opencode.recorded("Stop"))).isEqualTo(Answer.SILENT);
    assertThat(opencode.tell(house, "SessionEnd-other")).isEqualTo(Answer.SILENT);
    assertThat(HookHost.shown(opencode.tell(house, "SessionStart-startup")))
        .contains("T-001: Please work.");
  }

  @Test
  void the_quotes_that_opencode_puts_around_a_prompt_are_nobodys_words() throws IOException {
    HookHost opencode = host("opencode");
    opencode.tell(house, "UserPromptSubmit");
    assertThat(state().run().goal()).isEqualTo("Please work. Always answer in English.");
    assertThat(state().directives().items())
        .extracting(each -> each.text())
        .containsExactly("Always answer in English.");
    opencode.prompt(house, "\"Always\" and \"never\" are words");
    assertThat(state().directives().items()).hasSize(1);
  }

  @Test
  void opencode_gets_its_state_back_after_a_compaction() throws IOException {
    HookHost opencode = host("opencode");
    opencode.tell(house, "UserPromptSubmit");
    // As the plugin tells it; no compaction could be recorded with a model that answers by rote.
    JsonObject compacts =
        opencode.recorded("Stop").with("hook_event_name", "PreCompact").with("trigger", "auto");
    assertThat(opencode.tell(new Hooks(house), compacts)).isEqualTo(Answer.SILENT);
    JsonObject begins = opencode.recorded("SessionStart-startup").with("source", "compact");
    assertThat(HookHost.shown(opencode.tell(new Hooks(house), begins)))
        .contains("just compacted", "T-001: Please work.");
  }
}
