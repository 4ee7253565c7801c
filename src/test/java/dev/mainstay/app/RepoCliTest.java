package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepoCliTest {
  @TempDir Path folder;

  @BeforeEach
  void twoFiles() throws IOException {
    Files.writeString(folder.resolve("a.txt"), "one\n");
    Files.createDirectories(folder.resolve("src"));
    Files.writeString(folder.resolve("src/App.java"), "class App {}\n");
  }

  private CliRun given(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private CliRun run(String... args) {
    return given("", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_scan_counts_what_became_of_files_since_the_last_one() throws IOException {
    assertThat(ok("repo", "scan"))
        .isEqualTo("2 files: 2 new, 0 changed, 0 gone since the last look\n");
    Files.delete(folder.resolve("src/App.java"));
    assertThat(ok("repo", "scan"))
        .isEqualTo("1 file: 0 new, 0 changed, 1 gone since the last look\n");
    JsonObject json = JsonText.object(ok("repo", "scan", "--json"));
    assertThat(json.number("files")).isEqualTo(1);
    assertThat(json.number("gone")).isZero();
    assertThat(json.text("workspace")).startsWith("w-");
  }

  @Test
  void a_snapshot_says_what_is_there_and_is_the_same_as_json_and_as_the_view() throws IOException {
    assertThat(ok("repo", "snapshot", "--story", "T-001"))
        .startsWith("--- Repository State ---\nWorkspace: ")
        .contains("Story: T-001\n", "Existing Files (2):\n", "a.txt (2c8b08, 4 bytes) - text\n");
    JsonObject json = JsonText.object(ok("repo", "snapshot", "--json"));
    assertThat(json.text("story_id")).isEqualTo("T-001");
    assertThat(json.objects("files")).hasSize(2);
    String view = Files.readString(folder.resolve(".mainstay/repostate.json"));
    assertThat(JsonText.object(view).objects("files")).isEqualTo(json.objects("files"));
  }

  @Test
  void what_differs_is_listed_once_and_ends_with_code_1() throws IOException {
    ok("repo", "scan");
    Files.writeString(folder.resolve("a.txt"), "two\n");
    CliRun differs = run("repo", "verify");
    assertThat(differs.code()).isEqualTo(1);
    assertThat(differs.out())
        .isEqualTo(
            "a.txt: known as 2c8b08, is 27dd8e\n1 difference; the state now says what is there: 2 files\n");
    assertThat(ok("repo", "verify")).isEqualTo("state and disk agree: 2 files\n");
    Files.writeString(folder.resolve("new.txt"), "");
    Files.delete(folder.resolve("a.txt"));
    CliRun json = run("repo", "verify", "--json");
    assertThat(json.code()).isEqualTo(1);
    assertThat(JsonText.object(json.out()).objects("differences"))
        .extracting(each -> each.text("path"))
        .containsExactlyInAnyOrder("new.txt", "a.txt");
  }

  @Test
  void a_folder_that_cannot_be_a_workspace_is_refused_with_its_kind() {
    assertThat(run("repo", "scan", "--dir", folder.resolve("none").toString()).code()).isEqualTo(3);
    assertThat(run("repo", "scan", "--dir", folder.resolve("a.txt").toString()).code())
        .isEqualTo(1);
    assertThat(run("repo", "scan", "--story", " ").code()).isEqualTo(1);
    assertThat(run("repo", "scan", "--nonsense").code()).isEqualTo(2);
    assertThat(run("repo").code()).isEqualTo(2);
    CliRun slip = run("repo", "snapshto");
    assertThat(slip.code()).isEqualTo(2);
    assertThat(slip.err()).contains("did you mean \"snapshot\"?");
  }

  @Test
  void what_only_looks_takes_neither_a_key_nor_a_fence() {
    for (String looks : List.of("scan", "snapshot", "verify", "prompt", "watch", "reservations")) {
      assertThat(run("repo", looks, "--key", "k").code()).as(looks).isEqualTo(2);
      assertThat(run("repo", looks, "--fence", "1").code()).as(looks).isEqualTo(2);
    }
  }

  @Test
  void looking_for_reservations_makes_no_store() {
    assertThat(run("repo", "reservations").code()).isEqualTo(3);
    assertThat(run("repo", "settle", "T-001", "a.txt").code()).isEqualTo(3);
    assertThat(folder.resolve(".mainstay")).doesNotExist();
  }

  @Test
  void a_tools_result_is_noted_and_seen_by_the_next_snapshot() throws IOException {
    ok("repo", "snapshot");
    Files.writeString(folder.resolve("b.txt"), "b");
    CliRun noted =
        given("{\"success\": true, \"path\": \"b.txt\"}", "repo", "observe", "--tool", "Write");
    assertThat(noted.out()).isEqualTo("noted\n");
    assertThat(ok("repo", "snapshot")).contains("b.txt (");
    CliRun nothing = given("{\"success\": false}", "repo", "observe", "--tool", "Write", "--json");
    assertThat(JsonText.object(nothing.out()).get("queued")).isEqualTo(false);
  }

  @Test
  void a_result_that_cannot_be_noted_is_refused() {
    String result = "{\"success\": true, \"path\": \"a.txt\"}";
    assertThat(given(result, "repo", "observe", "--tool", "Write", "--task", "T-009").code())
        .isEqualTo(3);
    assertThat(given(result, "repo", "observe").code()).isEqualTo(2);
    assertThat(given(result, "repo", "observe", "--tool", "Write", "--fence", "1").code())
        .isEqualTo(1);
    for (String wrong : List.of("", "not json", "[]")) {
      assertThat(given(wrong, "repo", "observe", "--tool", "Write").code()).as(wrong).isEqualTo(1);
    }
    assertThat(run("repo", "observe", "--tool", "Write", "no-such-file").code()).isEqualTo(3);
  }

  @Test
  void the_list_a_model_gives_becomes_the_open_tasks_of_the_story() {
    assertThat(run("repo", "tasks").err()).contains("no open tasks", "repo tasks FILE");
    String list = "Here is my plan:\n- [ ] write it\n- [x] read it\n- [ ] test it\n";
    assertThat(given(list, "repo", "tasks", "-", "--story", "S-1", "--key", "k").out())
        .contains("[pending] write it\n", "[pending] test it\n")
        .doesNotContain("read it");
    assertThat(given("1. another\n", "repo", "tasks", "-", "--key", "k").code()).isEqualTo(4);
    JsonObject json = JsonText.object(ok("repo", "tasks", "--json"));
    assertThat(json.objects("open_tasks")).hasSize(2);
    assertThat(ok("repo", "snapshot")).contains("Open Tasks (2):");
    assertThat(ok("repo", "snapshot", "--story", "S-2")).contains("Open Tasks (0):");
    assertThat(given("no list", "repo", "tasks", "-").code()).isEqualTo(1);
    assertThat(run("repo", "tasks", "--key", "k").code()).isEqualTo(1);
  }

  @Test
  void a_watch_ends_by_itself_when_it_is_told_to() {
    assertThat(run("repo", "watch", "--seconds", "0").code()).isEqualTo(1);
    CliRun watched = run("repo", "watch", "--seconds", "1");
    assertThat(watched.code()).isZero();
    assertThat(watched.err()).startsWith("watching ");
  }

  @Test
  void every_command_explains_itself_with_an_example() {
    String all =
        "scan snapshot verify write observe tasks prompt watch reserve release reservations settle worktree";
    for (String command : all.split(" ")) {
      assertThat(ok("repo", command, "--help")).contains("Example:", "  mainstay repo " + command);
    }
  }

  @Test
  void the_help_and_the_completion_script_know_the_commands() {
    assertThat(ok("--help")).contains("  repo ", "  evidence ", "  criteria ", "  demo ");
    List<String> words = new ArrayList<>(List.of("--expect", "--story", "--restart-every"));
    words.addAll(List.of("mainstay_repo_worktree_add", "mainstay_repo_reserve"));
    words.addAll(List.of("mainstay_evidence_run", "mainstay_criteria_meet"));
    assertThat(ok("completion")).contains(words);
  }
}
