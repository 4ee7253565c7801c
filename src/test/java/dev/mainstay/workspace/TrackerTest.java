package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TrackerTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private List<String> open() {
      return tracker.state().openTasks().stream().map(OpenTask::description).toList();
    }

    @Test
    void a_story_begins_with_what_the_first_look_finds() {
      put("a.txt", "a");
      assertThat(tracker.scan().added()).isEqualTo(2);
      assertThat(files(tracker)).containsExactly("a.txt unchanged", "old.txt unchanged");
      assertThat(tracker.scan().foundNothing()).isTrue();
    }

    @Test
    void what_a_sparse_checkout_keeps_off_the_disk_was_not_deleted() throws IOException {
      Git git = Git.init(root);
      put("a/1.txt", "1");
      put("b/2.txt", "2");
      put("b/c/3.txt", "3");
      git.run("add", ".");
      git.run("commit", "-q", "-m", "all");
      tracker.scan();
      for (String index : List.of("--no-sparse-index", "--sparse-index")) {
        git.run("sparse-checkout", "set", "--cone", index, "a");
        assertThat(root.resolve("b")).doesNotExist();
        assertThat(tracker.scan().gone()).isZero();
        assertThat(files(tracker)).noneMatch(file -> file.startsWith("b/"));
        git.run("sparse-checkout", "disable");
        tracker.scan();
        assertThat(files(tracker)).anyMatch(file -> file.startsWith("b/c/3.txt"));
      }
      Files.delete(root.resolve("a/1.txt"));
      assertThat(tracker.scan().gone()).isOne();
    }

    @Test
    void a_status_says_what_became_of_a_file_since_the_story_began() throws IOException {
      put("a.txt", "a");
      tracker.scan();
      put("a.txt", "other");
      put("new.txt", "new");
      Files.delete(root.resolve("old.txt"));
      tracker.scan();
      assertThat(files(tracker))
          .containsExactly("a.txt modified", "new.txt created", "old.txt deleted");
      put("a.txt", "a");
      put("old.txt", "old");
      Files.delete(root.resolve("new.txt"));
      tracker.scan();
      assertThat(files(tracker)).containsExactly("a.txt unchanged", "old.txt unchanged");
    }

    @Test
    void the_files_of_a_state_directory_are_no_part_of_the_workspace() throws IOException {
      Path state = Files.createDirectories(root.resolve("workspace/state"));
      var shown =
          new StateDirectory(
              Host.current(), state.toRealPath().toString(), ONE, "exec_20260101T000000Z_1");
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.stateDirectories().put(shown);
            return true;
          });
      for (String name : StateDirectory.FILES) put("workspace/state/" + name, "1");
      put("workspace/state/notes.md", "mine");

      tracker.scan();

      assertThat(files(tracker))
          .containsExactly("old.txt unchanged", "workspace/state/notes.md unchanged");
    }

    @Test
    void another_story_counts_from_its_beginning_and_the_same_one_goes_on() throws IOException {
      tracker.beginStory("S-1", ADA);
      put("new.txt", "new");
      Files.delete(root.resolve("old.txt"));
      tracker.beginStory("S-1", ADA);
      assertThat(files(tracker)).containsExactly("new.txt created", "old.txt deleted");
      tracker.setTasks(List.of(new OpenTask("of S-1", OpenTask.Status.PENDING, 1)), ADA);
      tracker.beginStory("S-2", ADA);
      assertThat(files(tracker)).containsExactly("new.txt unchanged");
      assertThat(tracker.state().storyId()).isEqualTo("S-2");
      assertThat(open()).isEmpty();
      assertThat(journal()).hasSize(2);
    }

    @Test
    void what_the_tools_of_every_host_did_is_looked_at() {
      tracker.scan();
      put("claude.txt", "1");
      sawWrite("claude.txt", ONE);
      put("old.txt", "2");
      saw(
          "Edit",
          """
          {"tool_name":"Edit","tool_input":{"file_path":"%s/old.txt","old_string":"a",
           "new_string":"b"},"tool_response":{"filePath":"%s/old.txt"}}"""
              .formatted(root, root),
          ONE);
      put("codex.txt", "3");
      saw(
          "apply_patch",
          """
          {"tool_name":"apply_patch","tool_input":{"command":
           "*** Begin Patch\\n*** Add File: codex.txt\\n+3\\n*** End Patch\\n"},
           "tool_response":"Success. Updated the following files:\\nA codex.txt\\n"}""",
          ONE);
      put("gemini/heredoc.txt", "4");
      saw(
          "run_shell_command",
          """
          {"tool_name":"run_shell_command","tool_input":{"command":
           "cat > gemini/heredoc.txt <<EOF\\n4\\nEOF"},"tool_response":{"llmContent":"ok"}}""",
          ONE);
      put("generic.txt", "5");
      saw("some_tool", "{\"success\":true,\"path\":\"generic.txt\"}", ONE);
      assertThat(files(tracker))
          .containsExactly(
              "claude.txt created",
              "codex.txt created",
              "gemini/heredoc.txt created",
              "generic.txt created",
              "old.txt modified");
      assertThat(touched(ONE))
          .containsExactlyInAnyOrder(
              "claude.txt", "codex.txt", "gemini/heredoc.txt", "generic.txt", "old.txt");
    }

    @Test
    void a_tool_that_failed_changes_nothing() {
      tracker.scan();
      put("a.txt", "1");
      saw("some_tool", "{\"success\":false,\"path\":\"a.txt\"}", ONE);
      assertThat(files(tracker)).containsExactly("old.txt unchanged");
      assertThat(touched(ONE)).isEmpty();
    }

    @Test
    void what_a_hook_queued_is_looked_at_before_the_next_snapshot_by_whoever_makes_it() {
      tracker.scan();
      put("a.txt", "1");
      JsonObject result = JsonObject.of("success", true, "path", "a.txt");
      assertThat(tracker.queue("some_tool", result, ONE, BOT.withKey("k"))).isTrue();
      assertThat(tracker.queue("some_tool", result, ONE, BOT.withKey("k"))).isTrue();
      assertThat(files(tracker)).containsExactly("old.txt unchanged");
      Tracker later = Tracker.open(store, root);
      assertThat(later.snapshot().text()).contains("a.txt", hash("1").substring(0, 6));
      assertThat(touched(ONE)).containsExactly("a.txt");
      assertThat(later.drain().foundNothing()).isTrue();
    }

    @Test
    void a_path_counts_by_any_name_that_leads_into_the_workspace_and_by_no_other()
        throws IOException {
      tracker.scan();
      Path link = Files.createSymbolicLink(temp.resolve("link"), root);
      put("src/a.txt", "1");
      put("b.txt", "1");
      Files.createSymbolicLink(root.resolve("inner"), root.resolve("src"));
      Path outside = Files.writeString(temp.resolve("outside.txt"), "1");
      Files.createSymbolicLink(root.resolve("out"), temp.toRealPath());
      for (String path :
          List.of(link + "/b.txt", "inner/a.txt", outside.toString(), "out/outside.txt", "../x")) {
        saw("some_tool", JsonText.write(JsonObject.of("success", true, "path", path)), ONE);
      }
      assertThat(touched(ONE)).containsExactlyInAnyOrder("b.txt", "src/a.txt");
      assertThat(files(tracker))
          .containsExactly("b.txt created", "old.txt unchanged", "src/a.txt created");
    }

    @Test
    void open_tasks_are_the_plan_first_and_then_the_list_beside_it() {
      TaskStates states = new TaskStates(store);
      tracker.beginStory(ONE.value(), ADA);
      states.setPlan(ONE, List.of("design", "build", "ship"), ADA);
      states.moveStep(ONE, 0, StepStatus.DONE, null, ADA);
      saw(
          "TodoWrite",
          """
          {"tool_name":"TodoWrite","tool_input":{"todos":[
           {"content":"design","status":"pending"},
           {"content":"build","status":"in_progress"},
           {"content":"write docs","status":"pending"},
           {"content":"write docs","status":"pending"},
           {"content":"tidy","status":"completed"}]},"tool_response":{}}""",
          null);
      assertThat(open()).containsExactly("build", "ship", "write docs");
      assertThat(tracker.state().openTasks())
          .extracting(OpenTask::priority)
          .containsExactly(1, 2, 5);
      assertThat(tracker.snapshot().text()).contains("write docs");
    }

    @Test
    void priorities_that_a_list_gives_are_kept_and_order_the_tasks() {
      saw(
          "TodoWrite",
          """
          {"tool_name":"TodoWrite","tool_input":{"todos":[
           {"content":"last","status":"pending","priority":9},
           {"content":"first","status":"pending","priority":-1},
           {"content":"second","status":"pending","priority":"high"}]},"tool_response":{}}""",
          null);
      assertThat(tracker.state().openTasks())
          .extracting(OpenTask::description, OpenTask::priority)
          .containsExactly(tuple("first", -1), tuple("second", 3), tuple("last", 9));
    }

    @Test
    void a_story_that_is_named_like_a_task_needs_none() {
      tracker.beginStory("T-999", ADA);
      sawWrite("old.txt", null);
      assertThat(tracker.snapshot().text()).contains("T-999", "old.txt");
    }

    @Test
    void a_secret_in_a_list_is_not_kept_and_what_is_kept_can_be_read_again() {
      // Made here, so that no text of this repository looks like one.
      String secret = "ghp" + "_" + "a1B2c3D4e5".repeat(4).substring(0, 36);
      String text = "x ".repeat(100) + secret;
      JsonObject todo = JsonObject.of("content", text, "status", "pending");
      JsonObject input = JsonObject.of("todos", List.of(todo));
      tracker.updateFromToolResult(
          "TodoWrite", JsonObject.of("tool_name", "TodoWrite", "tool_input", input), null, BOT);
      assertThat(open()).hasSize(1).noneMatch(each -> each.contains(secret));
    }

    @Test
    void a_snapshot_never_shows_a_hash_that_the_file_has_not() throws IOException {
      tracker.snapshot();
      Path file = root.resolve("old.txt");
      FileTime time = Files.getLastModifiedTime(file);
      Files.writeString(file, "new");
      Files.setLastModifiedTime(file, time);
      assertThat(tracker.snapshot().text())
          .contains(hash("new").substring(0, 6))
          .doesNotContain(hash("old").substring(0, 6));
      assertThat(hashOf(tracker, "old.txt")).isEqualTo(hash("new"));
    }

    @Test
    void a_file_written_through_mainstay_is_listed_before_newer_files_of_others()
        throws IOException {
      write("src/written.txt", "by an agent");
      for (int i = 0; i < 200; i++) put("generated/file-" + i + ".txt", "x" + i);
      assertThat(tracker.snapshot().text()).contains("src/written.txt (");
    }

    @Test
    void every_snapshot_is_in_the_log_and_a_link_there_is_not_followed() throws IOException {
      String first = tracker.snapshot().text();
      put("a.txt", "1");
      tracker.scan();
      String second = tracker.snapshot().text();
      Path log = root.resolve(".mainstay/log/snapshots.jsonl");
      assertThat(Files.readAllLines(log))
          .extracting(line -> JsonText.object(line).text("snapshot"))
          .containsExactly(first, second);
      Path outside = Files.writeString(temp.resolve("outside.txt"), "");
      Files.delete(log);
      Files.createSymbolicLink(log, outside);
      tracker.snapshot();
      assertThat(outside).isEmptyFile();
    }

    @Test
    void verify_tells_every_difference_once() throws IOException {
      put("a.txt", "1");
      tracker.scan();
      put("a.txt", "2");
      put("b.txt", "1");
      Files.delete(root.resolve("old.txt"));
      assertThat(tracker.verify().differences())
          .extracting(d -> d.path() + " " + d.known() + " " + d.onDisk())
          .containsExactlyInAnyOrder(
              "a.txt " + hash("1") + " " + hash("2"),
              "b.txt null " + hash("1"),
              "old.txt " + hash("old") + " null");
      assertThat(tracker.verify().differences()).isEmpty();
    }
  }
}
