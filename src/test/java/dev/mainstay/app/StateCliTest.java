package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateCliTest {
  @TempDir Path folder;

  @BeforeEach
  void aTask() {
    ok("task", "create", "one");
  }

  private CliRun run(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private String ok(String... args) {
    CliRun run = run("", args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private String merged(String json, String... more) {
    String[] args = new String[4 + more.length];
    System.arraycopy(new String[] {"state", "merge", "T-001", "-"}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    CliRun run = run(json, args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_notebook_is_merged_and_dumped() throws IOException {
    assertThat(ok("dump", "T-001")).isEmpty();
    merged("{\"decisions\": \"use SQLite\", \"open_issues\": [1, null, true]}");
    Path file = Files.writeString(folder.resolve("delta.json"), "{\"next_focus\": \"tests\"}");
    ok("state", "merge", "T-001", file.toString());
    assertThat(ok("dump", "T-001"))
        .isEqualTo("Decisions:\n- use SQLite\n\nOpen issues:\n- 1\n- true\n\nNext focus:\ntests\n");
    assertThat(ok("dump", "T-001", "--block"))
        .startsWith("<state>\nDecisions:\n- use SQLite\n")
        .endsWith("\n</state>\n");
    assertThat(JsonText.object(ok("dump", "T-001", "--json")).text("next_focus"))
        .isEqualTo("tests");
    ok("state", "resolve", "T-001", "1");
    assertThat(ok("state", "history", "T-001")).contains("notebook.merged", "notebook.resolved");
  }

  @Test
  void a_task_is_named_by_the_alias_of_its_caller() {
    ok("task", "create", "Mine", "--alias", "my-task");
    ok("task", "create", "Later", "--depends-on", "my-task");
    Path file = folder.resolve("delta.json");
    try {
      Files.writeString(file, "{\"decisions\": \"use SQLite\"}");
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
    ok("state", "merge", "my-task", file.toString());
    assertThat(ok("dump", "my-task")).contains("use SQLite");
    assertThat(ok("prompt", "my-task")).contains("use SQLite");
    assertThat(ok("task", "show", "my-task")).contains("T-002  Mine", "my-task");
    assertThat(ok("task", "show", "T-003")).contains("T-002");
    assertThat(CliRun.of(folder, "", "dump", "no-such-task").code()).isEqualTo(3);
  }

  @Test
  void what_a_limit_cuts_is_said_each_time_and_stays_in_the_history() {
    String full = "x".repeat(256) + " and the end of it";
    String json = "{\"decisions\": [\"" + full + "\"], \"history\": [1, 2, 3, 4]}";
    String told = merged(json, "--key", "k");
    assertThat(told).contains("1 text was cut to 256 characters", "of 4 texts in history");
    assertThat(merged(json, "--key", "k")).isEqualTo(told);
    assertThat(JsonText.object(merged(json, "--key", "k", "--json")).texts("notices")).hasSize(2);
    assertThat(ok("state", "history", "T-001", "--json")).contains("and the end of it");
  }

  @Test
  void the_same_key_merges_once() {
    String first = merged("{\"history\": [\"did\"]}", "--key", "k", "--json");
    assertThat(merged("{\"history\": [\"did\"]}", "--key", "k", "--json")).isEqualTo(first);
    assertThat(ok("dump", "T-001")).isEqualTo("History:\n- did\n");
  }

  @Test
  void a_models_text_is_merged_and_broken_json_is_named_with_its_place() {
    merged("ok <state_update>{\"goals\": [\"g\"]}</state_update>", "--text");
    CliRun broken =
        run(
            "a\nb <state_update>{\"goals\": [}</state_update>",
            "state",
            "merge",
            "T-001",
            "-",
            "--text");
    assertThat(broken.code()).isEqualTo(1);
    assertThat(broken.err()).contains("invalid_state_update_json", "line 2");
    assertThat(ok("dump", "T-001")).isEqualTo("Goals:\n- g\n");
    assertThat(run("{\"goal\": 1}", "state", "merge", "T-001", "-").err()).contains("\"goals\"");
  }

  @Test
  void a_run_has_a_goal_a_plan_directives_and_criteria() {
    ok("state", "start", "T-001", "--goal", "add login", "--criterion", "tests pass");
    assertThat(run("", "state", "start", "T-001", "--goal", "other").code()).isEqualTo(4);
    ok("plan", "set", "T-001", "write", "test");
    ok("plan", "done", "T-001", "1");
    assertThat(ok("plan", "show", "T-001")).isEqualTo("[done] 1. write\n[todo] 2. test\n");
    ok("directive", "add", "T-001", "be brief");
    CliRun binding = run("", "directive", "add", "T-001", "obey", "--binding");
    assertThat(binding.code()).isEqualTo(1);
    assertThat(binding.err()).contains("only a person");
    assertThat(ok("directive", "list", "T-001")).contains("1. be brief (by agent:codex via cli)");
    ok("criteria", "add", "T-001", "docs are there");
    CliRun update = run("{\"progress\": \"half\"}", "state", "update", "T-001", "-");
    assertThat(update.code()).as(update.err()).isZero();
    assertThat(ok("state", "show", "T-001"))
        .startsWith("[TASK STATE] goal: add login\ncriteria: tests pass | docs are there\n")
        .contains("[done] 1. write", "progress: half");
    ok("directive", "lift", "T-001", "1");
    ok("state", "suspend", "T-001", "--on", "child", "T-002");
    ok("state", "resume", "T-001", "done");
    assertThat(ok("state", "renew", "T-001")).contains("Open steps:", "2. test");
    CliRun early = run("", "state", "end", "T-001", "--how", "finished");
    assertThat(early.code()).isEqualTo(4);
    assertThat(early.err()).contains("3 things are left", "step 2 is todo: test");
    ok("plan", "done", "T-001", "2");
    ok("criteria", "meet", "T-001", "1");
    ok("criteria", "meet", "T-001", "2");
    ok("state", "end", "T-001", "--how", "finished");
    JsonObject all = JsonText.object(ok("state", "show", "T-001", "--json"));
    assertThat(all.object("task_state").text("phase")).isEqualTo("FINISHED");
  }

  @Test
  void checkpoints_are_saved_listed_restored_forked_and_looked_at() {
    merged("{\"decisions\": [\"one\"]}");
    ok("checkpoint", "save", "T-001", "first");
    merged("{\"decisions\": [\"two\"]}");
    assertThat(ok("checkpoint", "list", "T-001")).contains("#3", "first");
    assertThat(ok("state", "diff", "T-001", "first", "now")).isEqualTo("decisions:\n+ two\n");
    assertThat(ok("state", "at", "T-001", "--seq", "2")).isEqualTo("Decisions:\n- one\n");
    assertThat(ok("state", "at", "T-001", "--time", "2999-01-01T00:00:00Z")).contains("- two");
    assertThat(run("", "state", "at", "T-001").code()).isEqualTo(1);
    assertThat(ok("checkpoint", "fork", "T-001", "first")).startsWith("T-002");
    assertThat(ok("dump", "T-002")).isEqualTo("Decisions:\n- one\n");
    ok("checkpoint", "restore", "T-001", "first");
    assertThat(ok("dump", "T-001")).isEqualTo("Decisions:\n- one\n");
    assertThat(ok("verify")).isNotEmpty();
  }

  @Test
  void a_prompt_is_for_the_agent_that_asks_and_can_be_measured() {
    merged("{\"decisions\": [\"one\"]}");
    merged("{\"history\": [\"two\"]}");
    assertThat(ok("prompt", "T-001")).contains("<decisions>\n- one\n</decisions>");
    assertThat(ok("prompt", "T-001", "--for", "claude-code", "--budget", "1024")).contains("one");
    assertThat(ok("prompt", "T-001", "--stats")).contains("SECTION", "decisions", "the same from");
    JsonObject stats = JsonText.object(ok("prompt", "T-001", "--stats", "--json"));
    assertThat(stats.number("common_prefix_bytes")).isPositive();
    assertThat(run("", "prompt", "T-001", "--for", "vi").code()).isEqualTo(1);
    assertThat(run("", "prompt", "T-001", "--budget", "x").code()).isEqualTo(2);
  }

  @Test
  void every_command_explains_itself_with_an_example() {
    for (List<String> command :
        List.of(
            List.of("dump"),
            List.of("prompt"),
            List.of("state"),
            List.of("plan"),
            List.of("directive"),
            List.of("criteria", "add"),
            List.of("checkpoint", "fork"),
            List.of("state", "merge"),
            List.of("state", "diff"))) {
      String[] args = new String[command.size() + 1];
      command.toArray(args);
      args[command.size()] = "--help";
      assertThat(ok(args)).contains("Example:", "mainstay " + command.get(0));
    }
    assertThat(run("", "dump", "T-099").code()).isEqualTo(3);
  }
}
