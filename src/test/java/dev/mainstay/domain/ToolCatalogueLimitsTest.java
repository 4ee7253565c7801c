package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.ToolMeaning.Effect;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Failures, wrong types and limits: what no host promises, and what must not hurt. */
class ToolCatalogueLimitsTest {
  private static final List<String> TOOLS =
      List.of(
          "Write",
          "NotebookEdit",
          "Bash",
          "TodoWrite",
          "TaskList",
          "apply_patch",
          "shell",
          "edit",
          "update_plan",
          "write_file",
          "mcp__a__b",
          "mcp__",
          "mainstay_",
          "Read",
          "",
          "unheard_of");

  private static final List<String> KEYS =
      List.of(
          "tool_name",
          "tool_input",
          "tool_response",
          "args",
          "metadata",
          "state",
          "input",
          "todos",
          "plan",
          "tasks",
          "content",
          "status",
          "command",
          "cmd",
          "action",
          "patchText",
          "files",
          "path",
          "file_path",
          "filePath",
          "error",
          "success",
          "exit_code",
          "exit",
          "stdout",
          "");

  @Test
  void each_declared_failure_changes_nothing() {
    for (String failure :
        List.of(
            "\"success\":false",
            "\"is_error\":true",
            "\"isError\":true",
            "\"error\":\"no such file\"",
            "\"error\":{\"message\":\"no\"}",
            "\"interrupted\":true",
            "\"is_interrupt\":true",
            "\"status\":\"error\"",
            "\"status\":\"failed\"")) {
      for (String tool : List.of("Write", "unheard_of")) {
        String flat = "{\"file_path\":\"a\",%s}".formatted(failure);
        String hook =
            "{\"tool_input\":{\"file_path\":\"a\"},\"tool_response\":{%s}}".formatted(failure);
        assertThat(read(tool, flat).effect()).as(flat).isEqualTo(Effect.NOTHING);
        assertThat(read(tool, hook).effect()).as(hook).isEqualTo(Effect.NOTHING);
      }
      assertThat(read("Bash", "{\"command\":\"x\",%s}".formatted(failure)).effect())
          .as(failure)
          .isEqualTo(Effect.DISK);
      assertThat(read("TodoWrite", "{\"todos\":[],%s}".formatted(failure)).effect())
          .as(failure)
          .isEqualTo(Effect.NOTHING);
    }
  }

  @Test
  void what_only_looks_like_a_failure_is_none() {
    for (String fine :
        List.of(
            "\"error\":null",
            "\"error\":\" \"",
            "\"error\":false",
            "\"error\":{}",
            "\"success\":true",
            "\"status\":\"completed\"",
            "\"noop\":false")) {
      assertThat(read("Write", "{\"file_path\":\"a\",%s}".formatted(fine)).effect())
          .as(fine)
          .isEqualTo(Effect.FILES);
    }
  }

  private static ToolMeaning read(String tool, String result) {
    return ToolCatalogue.read(tool, JsonText.object(result));
  }

  @Test
  void nothing_given_means_nothing_and_a_shell_still_means_the_disk() {
    assertThat(ToolCatalogue.read(null, null)).isEqualTo(ToolMeaning.NOTHING);
    assertThat(ToolCatalogue.read("Write", JsonObject.EMPTY)).isEqualTo(ToolMeaning.NOTHING);
    assertThat(read("Write", "{\"tool_input\":\"a\",\"tool_response\":[1]}"))
        .isEqualTo(ToolMeaning.NOTHING);
    assertThat(read("Bash", "{\"tool_input\":{\"command\":{\"a\":1}}}").effect())
        .isEqualTo(Effect.DISK);
    assertThat(ToolCatalogue.read("Bash", null).effect()).isEqualTo(Effect.DISK);
  }

  @Test
  void too_many_paths_mean_the_whole_disk() {
    assertThat(files(ToolCatalogue.PATHS_MAX).paths()).hasSize(ToolCatalogue.PATHS_MAX);
    ToolMeaning more = files(ToolCatalogue.PATHS_MAX + 1);
    assertThat(more.effect()).isEqualTo(Effect.DISK);
    assertThat(more.paths()).isEmpty();
  }

  private static ToolMeaning files(int count) {
    List<String> paths = IntStream.range(0, count).mapToObj(i -> "f" + i).toList();
    return ToolCatalogue.read("x", JsonObject.of("paths", paths));
  }

  @Test
  void a_path_that_cannot_be_one_is_left_out() {
    JsonObject json =
        JsonObject.of(
            "paths", List.of("a\0b", " ", "x".repeat(ToolCatalogue.PATH_CHARS_MAX + 1), "ok"));
    assertThat(ToolCatalogue.read("x", json).paths()).containsExactly("ok");
  }

  @Test
  void descriptions_are_cleaned_and_cut_and_blank_ones_dropped() {
    String family = "👨‍👩‍👧‍👦";
    List<Object> todos = new ArrayList<>();
    todos.add(JsonObject.of("content", "  a\nb\u0007\u001b[1m\ud800 ", "status", "In Progress"));
    todos.add(JsonObject.of("content", " \t "));
    todos.add(JsonObject.of("content", 7));
    todos.add(JsonObject.of("content", "x".repeat(250) + family + "y", "status", "whatever"));
    todos.add("plain");
    List<OpenTask> tasks = ToolCatalogue.read("TodoWrite", JsonObject.of("todos", todos)).tasks();
    assertThat(tasks)
        .containsExactly(
            new OpenTask("a b[1m", OpenTask.Status.IN_PROGRESS, 1),
            new OpenTask("x".repeat(250), OpenTask.Status.PENDING, 2),
            new OpenTask("plain", OpenTask.Status.PENDING, 3));
  }

  @Test
  void a_list_that_cannot_be_read_does_not_wipe_out_the_tasks() {
    assertThat(read("TodoWrite", "{\"todos\":[1,{\"a\":2}]}")).isEqualTo(ToolMeaning.NOTHING);
    assertThat(read("TodoWrite", "{\"todos\":\"all of them\"}")).isEqualTo(ToolMeaning.NOTHING);
  }

  @Test
  void of_too_many_tasks_the_open_ones_are_kept() {
    List<JsonObject> todos = new ArrayList<>();
    for (int i = 0; i < ToolCatalogue.TASKS_MAX; i++) {
      todos.add(JsonObject.of("content", "done " + i, "status", "completed"));
    }
    for (int i = 0; i < 5; i++) todos.add(JsonObject.of("content", "open " + i));
    List<OpenTask> tasks = ToolCatalogue.read("TodoWrite", JsonObject.of("todos", todos)).tasks();
    assertThat(tasks).hasSize(ToolCatalogue.TASKS_MAX);
    assertThat(tasks).filteredOn(OpenTask::isOpen).hasSize(5);
    assertThat(tasks.get(0)).isEqualTo(new OpenTask("done 5", OpenTask.Status.COMPLETED, 1));
  }

  @Test
  void a_long_command_is_cut_and_can_be_stored() {
    JsonObject json = JsonObject.of("command", "echo \0\udc00" + "x".repeat(10_000));
    ToolMeaning.CommandSeen command = ToolCatalogue.read("Bash", json).command();
    assertThat(command).isNotNull();
    assertThat(Text.body("a command", command.command(), ToolCatalogue.COMMAND_CHARS_MAX))
        .startsWith("echo xxx");
  }

  @Test
  void no_json_whatever_makes_it_throw_or_exceed_a_limit() {
    Seeds.forAll(
        3_000,
        random -> {
          String tool = TOOLS.get(random.nextInt(TOOLS.size()));
          ToolMeaning meaning = ToolCatalogue.read(tool, object(random, 4));
          assertThat(meaning.paths()).hasSizeLessThanOrEqualTo(ToolCatalogue.PATHS_MAX);
          assertThat(meaning.effect() == Effect.FILES)
              .isEqualTo(!meaning.paths().isEmpty() && meaning.effect() != Effect.DISK);
          if (tool.equals("Bash") || tool.equals("shell")) {
            assertThat(meaning.effect()).isEqualTo(Effect.DISK);
          }
        });
  }

  private static JsonObject object(Random random, int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      fields.put(KEYS.get(random.nextInt(KEYS.size())), value(random, depth));
    }
    return JsonObject.copyOf(fields);
  }

  private static Object value(Random random, int depth) {
    return switch (depth == 0 ? random.nextInt(4) : random.nextInt(7)) {
      case 0 -> random.nextBoolean();
      case 1 -> random.nextLong();
      case 2 -> "*** Begin Patch\n*** Add File: " + (char) random.nextInt(0xffff) + "\n";
      case 3 ->
          random.nextBoolean() ? "Exit code: 99999999999\nWall time: 1\nOutput:" : "completed";
      case 4 -> List.of(value(random, depth - 1), value(random, depth - 1));
      default -> object(random, depth - 1);
    };
  }
}
