package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.RepoState.OpenTask.Status;
import dev.mainstay.domain.ToolMeaning.CommandSeen;
import dev.mainstay.domain.ToolMeaning.Effect;
import dev.mainstay.json.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One payload per tool and host, in the shape in which that host sends it. */
class ToolCatalogueTest {
  private static ToolMeaning hook(String payload) {
    JsonObject json = JsonText.object(payload);
    return ToolCatalogue.read(json.textOrNull("tool_name"), json);
  }

  private static ToolMeaning read(String tool, String result) {
    return ToolCatalogue.read(tool, JsonText.object(result));
  }

  private static void isFiles(ToolMeaning meaning, String... paths) {
    assertThat(meaning.effect()).isEqualTo(Effect.FILES);
    assertThat(meaning.paths()).containsExactly(paths);
    assertThat(meaning.command()).isNull();
  }

  private static void isDisk(ToolMeaning meaning, String command, Integer exitCode) {
    assertThat(meaning.effect()).isEqualTo(Effect.DISK);
    assertThat(meaning.command()).isEqualTo(new CommandSeen(command, exitCode));
  }

  private static void isTasks(ToolMeaning meaning, OpenTask... tasks) {
    assertThat(meaning.effect()).isEqualTo(Effect.TASKS);
    assertThat(meaning.tasks()).containsExactly(tasks);
  }

  @Test
  void claude_code_writes_and_edits_a_file() {
    isFiles(
        hook(
            """
            {"session_id":"s1","cwd":"/repo","hook_event_name":"PostToolUse","tool_name":"Write",
             "tool_input":{"file_path":"/repo/a.txt","content":"hi"},
             "tool_response":{"type":"create","filePath":"/repo/a.txt","structuredPatch":[]}}"""),
        "/repo/a.txt");
    isFiles(
        hook(
            """
            {"hook_event_name":"PostToolUse","tool_name":"Edit",
             "tool_input":{"file_path":"/repo/a.txt","old_string":"a","new_string":"b"},
             "tool_response":{"filePath":"/repo/a.txt","oldString":"a","userModified":false}}"""),
        "/repo/a.txt");
    isFiles(
        hook(
            """
            {"tool_name":"MultiEdit","tool_input":{"file_path":"/repo/b.txt",
             "edits":[{"old_string":"a","new_string":"b"}]},"tool_response":{}}"""),
        "/repo/b.txt");
    isFiles(
        hook(
            """
            {"tool_name":"NotebookEdit","tool_input":{"notebook_path":"/repo/n.ipynb",
             "new_source":"1"},"tool_response":{"notebook_path":"/repo/n.ipynb"}}"""),
        "/repo/n.ipynb");
  }

  @Test
  void claude_code_says_nothing_of_the_exit_code_when_a_command_went_well() {
    isDisk(
        hook(
            """
            {"hook_event_name":"PostToolUse","tool_name":"Bash",
             "tool_input":{"command":"mvn -q test","description":"Run the tests"},
             "tool_response":{"stdout":"ok","stderr":"","interrupted":false,"isImage":false}}"""),
        "mvn -q test",
        0);
    isDisk(
        hook(
            """
            {"tool_name":"Bash","tool_input":{"command":"serve","run_in_background":true},
             "tool_response":{"stdout":"","stderr":"","interrupted":false,
             "backgroundTaskId":"b1"}}"""),
        "serve",
        null);
    isDisk(
        hook(
            """
            {"tool_name":"Bash","tool_input":{"command":"sleep 9"},
             "tool_response":{"stdout":"","stderr":"","interrupted":true}}"""),
        "sleep 9",
        null);
  }

  @Test
  void a_command_that_failed_may_still_have_changed_files() {
    isDisk(
        hook(
            """
            {"hook_event_name":"PostToolUseFailure","tool_name":"Bash",
             "tool_input":{"command":"make > log && false"},
             "error":"Exit code 2\\nmake: nothing","is_interrupt":false}"""),
        "make > log && false",
        2);
  }

  @Test
  void claude_code_reads_and_its_helpers_may_do_anything() {
    assertThat(hook("{\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"/repo/a\"}}"))
        .isEqualTo(ToolMeaning.NOTHING);
    assertThat(hook("{\"tool_name\":\"Grep\",\"tool_input\":{\"path\":\"/repo\"}}"))
        .isEqualTo(ToolMeaning.NOTHING);
    ToolMeaning helper = hook("{\"tool_name\":\"Task\",\"tool_input\":{\"prompt\":\"do it\"}}");
    assertThat(helper.effect()).isEqualTo(Effect.DISK);
    assertThat(helper.command()).isNull();
  }

  @Test
  void claude_code_gives_its_tasks_as_a_list() {
    isTasks(
        hook(
            """
            {"tool_name":"TodoWrite","tool_input":{"todos":[
             {"content":"Add tests","status":"completed","activeForm":"Adding tests"},
             {"content":"Build","status":"in_progress","activeForm":"Building"}]},
             "tool_response":{"oldTodos":[],"newTodos":[{"content":"other","status":"pending"}]}}"""),
        new OpenTask("Add tests", Status.COMPLETED, 1),
        new OpenTask("Build", Status.IN_PROGRESS, 2));
    isTasks(
        hook(
            """
            {"tool_name":"TaskList","tool_input":{},"tool_response":{"tasks":[
             {"id":"1","subject":"Observe","description":"long","status":"pending","blockedBy":[]}]}}"""),
        new OpenTask("Observe", Status.PENDING, 1));
    isTasks(hook("{\"tool_name\":\"TaskList\",\"tool_response\":{\"tasks\":[]}}"));
  }

  @Test
  void a_tool_that_knows_one_task_says_nothing_of_the_list() {
    assertThat(
            hook(
                """
                {"tool_name":"TaskCreate","tool_input":{"subject":"A","description":"b"},
                 "tool_response":{"task":{"id":"1","subject":"A"}}}"""))
        .isEqualTo(ToolMeaning.NOTHING);
    assertThat(
            hook(
                "{\"tool_name\":\"TaskUpdate\",\"tool_input\":{\"taskId\":\"1\",\"status\":\"completed\"}}"))
        .isEqualTo(ToolMeaning.NOTHING);
  }

  private static final String PATCH =
      "*** Begin Patch\\n*** Add File: hello.txt\\n+*** Add File: no.txt\\n+++ b/no.txt\\n"
          + "*** Update File: src/old.py\\n*** Move to: src/new.py\\n@@\\n-a\\n+b\\n"
          + "*** Delete File: gone.txt\\n*** End Patch";

  @Test
  void codex_applies_a_patch_with_every_kind_of_change() {
    String[] paths = {"hello.txt", "src/old.py", "src/new.py", "gone.txt"};
    // As its hooks send it, as a function's argument, and as the argument vector of old.
    isFiles(
        hook(
            "{\"tool_name\":\"apply_patch\",\"tool_input\":{\"command\":\"%s\"},\"tool_response\":\"done\"}"
                .formatted(PATCH)),
        paths);
    isFiles(read("apply_patch", "{\"input\":\"%s\",\"success\":true}".formatted(PATCH)), paths);
    isFiles(read("apply_patch", "{\"command\":[\"apply_patch\",\"%s\"]}".formatted(PATCH)), paths);
  }

  @Test
  void a_patch_within_codex_shell_command_names_files_beside_the_whole_disk() {
    ToolMeaning meaning =
        read(
            "shell",
            """
            {"command":["bash","-lc","apply_patch <<'EOF'\\n%s\\nEOF"],
             "output":"Success","metadata":{"exit_code":1,"duration_seconds":0.1}}"""
                .formatted(PATCH));
    assertThat(meaning.effect()).isEqualTo(Effect.DISK);
    assertThat(meaning.paths())
        .containsExactly("hello.txt", "src/old.py", "src/new.py", "gone.txt");
    CommandSeen command = meaning.command();
    assertThat(command).isNotNull();
    assertThat(command.command()).startsWith("apply_patch <<'EOF'");
    assertThat(command.exitCode()).isEqualTo(1);
  }

  @Test
  void codex_runs_commands_by_many_names() {
    isDisk(
        read("shell", "{\"command\":[\"ls\",\"-l\"],\"metadata\":{\"exit_code\":0}}"), "ls -l", 0);
    isDisk(
        read(
            "shell_command",
            "{\"command\":\"ls\",\"output\":\"Exit code: 3\\nWall time: 0.1 seconds\\nOutput:\\nx\"}"),
        "ls",
        3);
    isDisk(
        read(
            "exec_command",
            """
            {"tool_input":{"cmd":"cargo test"},"tool_response":"Chunk ID: 1\\nWall time: 2.0 seconds\\n\
            Process exited with code 101\\nOriginal token count: 9\\nOutput:\\nExit code: 0"}"""),
        "cargo test",
        101);
    isDisk(
        read(
            "local_shell",
            "{\"action\":{\"type\":\"exec\",\"command\":[\"pwd\"]},\"status\":\"completed\"}"),
        "pwd",
        null);
    isDisk(
        hook(
            "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_response\":\"Exit code: 0\"}"),
        "ls",
        null);
    assertThat(read("write_stdin", "{\"session_id\":1,\"chars\":\"y\\n\"}").effect())
        .isEqualTo(Effect.DISK);
  }

  @Test
  void codex_gives_its_plan_and_reads() {
    isTasks(
        read(
            "update_plan",
            """
            {"explanation":"why","plan":[{"step":"Read","status":"completed"},
             {"step":"Write","status":"pending"}]}"""),
        new OpenTask("Read", Status.COMPLETED, 1),
        new OpenTask("Write", Status.PENDING, 2));
    assertThat(read("read_file", "{\"file_path\":\"/repo/a\"}")).isEqualTo(ToolMeaning.NOTHING);
    assertThat(read("list_dir", "{\"dir_path\":\"/repo\"}")).isEqualTo(ToolMeaning.NOTHING);
  }

  @Test
  void gemini_cli_writes_and_replaces() {
    isFiles(
        hook(
            """
            {"hook_event_name":"AfterTool","tool_name":"write_file","timestamp":"2026-01-01T00:00:00Z",
             "tool_input":{"file_path":"src/a.ts","content":"x"},
             "tool_response":{"llmContent":"Successfully created","returnDisplay":{}}}"""),
        "src/a.ts");
    isFiles(
        hook(
            """
            {"tool_name":"replace","tool_input":{"file_path":"/repo/b.ts","instruction":"i",
             "old_string":"a","new_string":"b"},"tool_response":{"llmContent":"ok","error":null}}"""),
        "/repo/b.ts");
    assertThat(
            hook(
                """
                {"tool_name":"replace","tool_input":{"file_path":"/repo/b.ts"},
                 "tool_response":{"llmContent":"no","error":{"message":"0 occurrences found",
                 "type":"edit_no_occurrence_found"}}}"""))
        .isEqualTo(ToolMeaning.NOTHING);
  }

  @Test
  void gemini_cli_names_the_exit_code_behind_the_output_unless_it_is_zero() {
    String shell =
        """
        {"tool_name":"run_shell_command","tool_input":{"command":"npm test","description":"d"},
         "tool_response":{"llmContent":"%s","returnDisplay":""}}""";
    String spoof = "Output: Exit Code: 0\\nExit Code: 9\\nfailed";
    isDisk(
        hook(shell.formatted(spoof + "\\nExit Code: 1\\nProcess Group PGID: 77")), "npm test", 1);
    isDisk(hook(shell.formatted(spoof + "\\nProcess Group PGID: 77")), "npm test", 0);
    isDisk(
        hook(shell.formatted(spoof + "\\nSignal: 9\\nProcess Group PGID: 77")), "npm test", null);
    isDisk(hook(shell.formatted("Command was cancelled")), "npm test", null);
  }

  @Test
  void gemini_cli_gives_its_todos_and_reads() {
    isTasks(
        hook(
            """
            {"tool_name":"write_todos","tool_input":{"todos":[
             {"description":"One","status":"cancelled"},{"description":"Two","status":"in_progress"}]},
             "tool_response":{"llmContent":"Successfully updated the todo list."}}"""),
        new OpenTask("One", Status.COMPLETED, 1),
        new OpenTask("Two", Status.IN_PROGRESS, 2));
    assertThat(hook("{\"tool_name\":\"read_many_files\",\"tool_input\":{\"include\":[\"a\"]}}"))
        .isEqualTo(ToolMeaning.NOTHING);
  }

  @Test
  void opencode_writes_edits_and_patches() {
    isFiles(
        read(
            "write",
            """
            {"tool":"write","args":{"filePath":"/repo/a.go","content":"x"},
             "metadata":{"filepath":"/repo/a.go","exists":false},"output":"Wrote file."}"""),
        "/repo/a.go");
    isFiles(
        read(
            "edit",
            """
            {"args":{"filePath":"a.go","oldString":"a","newString":"b"},
             "metadata":{"diff":"","filediff":{"file":"/repo/a.go","additions":1}}}"""),
        "a.go",
        "/repo/a.go");
    isFiles(
        read(
            "apply_patch",
            """
            {"args":{"patchText":"*** Begin Patch\\n*** Update File: x\\n*** Move to: y\\n*** End Patch"},
             "metadata":{"files":[{"filePath":"/repo/x","movePath":"/repo/y","type":"move"}]}}"""),
        "/repo/x",
        "/repo/y",
        "x",
        "y");
    isFiles(
        read(
            "patch",
            """
            {"args":{"patch":"--- a/one.c\\t2026\\n+++ b/one.c\\t2026\\n@@ -1 +1 @@\\n-a\\n+b\\n\
            --- /dev/null\\n+++ b/new.c\\n--- a/gone.c\\n+++ /dev/null\\n"}}"""),
        "one.c",
        "new.c",
        "gone.c");
  }

  @Test
  void opencode_runs_reads_and_plans() {
    isDisk(
        read(
            "bash",
            """
            {"args":{"command":"go build","description":"Build"},
             "metadata":{"output":"","exit":2,"description":"Build"},"output":"Exit code: 0"}"""),
        "go build",
        2);
    isDisk(
        read("bash", "{\"state\":{\"status\":\"error\",\"input\":{\"command\":\"go vet\"}}}"),
        "go vet",
        null);
    assertThat(read("read", "{\"args\":{\"filePath\":\"/repo/a\"}}"))
        .isEqualTo(ToolMeaning.NOTHING);
    isTasks(
        read(
            "todowrite",
            "{\"args\":{\"todos\":[{\"content\":\"A\",\"status\":\"pending\",\"priority\":\"high\"}]}}"),
        new OpenTask("A", Status.PENDING, 1));
  }

  @Test
  void our_own_write_file_is_known_by_each_of_its_names() {
    for (String name :
        List.of(
            "write_file",
            "mainstay_write_file",
            "mcp_mainstay_write_file",
            "mcp__mainstay__write_file")) {
      isFiles(read(name, "{\"success\":true,\"path\":\"a.txt\",\"changed\":true}"), "a.txt");
      assertThat(
              read(name, "{\"success\":true,\"noop\":true,\"changed\":false,\"path\":\"a.txt\"}"))
          .isEqualTo(ToolMeaning.NOTHING);
    }
    assertThat(
            hook(
                """
                {"tool_name":"mcp__mainstay__write_file","tool_input":{"path":"a.txt"},
                 "tool_response":{"content":[],"structuredContent":{"success":true,"noop":true}}}"""))
        .isEqualTo(ToolMeaning.NOTHING);
  }

  @Test
  void a_known_name_with_fields_of_its_own_is_taken_by_the_path_it_names() {
    isFiles(read("Write", "{\"success\":true,\"path\":\"a.txt\"}"), "a.txt");
    isFiles(read("mcp__disk__edit", "{\"tool_input\":{\"path\":\"b.txt\"}}"), "b.txt");
  }

  @Test
  void an_unknown_tool_is_taken_by_the_path_it_names() {
    isFiles(read("save_it", "{\"success\":true,\"path\":\"a.txt\"}"), "a.txt");
    isFiles(
        read("mcp__disk__move_file", "{\"tool_input\":{\"source\":\"a\",\"destination\":\"b\"}}"),
        "a",
        "b");
    isFiles(read("x", "{\"files\":[{\"path\":\"a\"},\"b\",3,null]}"), "b", "a");
    assertThat(read("x", "{\"success\":true}")).isEqualTo(ToolMeaning.NOTHING);
    assertThat(ToolCatalogue.read("", JsonText.object("{\"tool_name\":\"Bash\"}")).effect())
        .isEqualTo(Effect.DISK);
    // Names are exact: this is not the Write of Claude Code, but it names no known place either.
    assertThat(read("WRITE", "{\"target\":\"a\"}")).isEqualTo(ToolMeaning.NOTHING);
  }
}
