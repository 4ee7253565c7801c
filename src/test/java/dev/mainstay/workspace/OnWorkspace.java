package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import dev.mainstay.workspace.FileWrites.Wanted;
import dev.mainstay.workspace.FileWrites.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder with one file in it, a tracker of it, and two tasks to work on. */
abstract class OnWorkspace extends OnDatabase {
  static final TaskId ONE = TaskId.of(1);
  static final TaskId TWO = TaskId.of(2);

  @TempDir Path temp;
  Path root;
  Tracker tracker;
  Leases leases;

  OnWorkspace(Databases database) {
    super(database);
  }

  @BeforeEach
  void workspace() throws IOException {
    root = Files.createDirectory(temp.toRealPath().resolve("repo"));
    Files.writeString(root.resolve("old.txt"), "old");
    leases = new Leases(store);
    Tasks tasks = new Tasks(store);
    tasks.create(NewTask.titled("one"), ADA);
    tasks.create(NewTask.titled("two"), ADA);
    tracker = Tracker.open(store, root);
  }

  /** Whatever a test did, journal and tables must agree afterwards. */
  @AfterEach
  void the_tables_equal_the_replay() {
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  Call held(TaskId id) {
    String holder = "bot-" + id.value();
    return BOT.as(holder).withFence(leases.hold(id, holder, Duration.ofMinutes(5), BOT).fence());
  }

  void put(String path, String content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  static Wanted wanted(
      String path, String content, @Nullable String expected, @Nullable TaskId task) {
    return new Wanted(new RepoPath(path), content.getBytes(StandardCharsets.UTF_8), expected, task);
  }

  Written write(String path, String content) {
    return new FileWrites(tracker).write(wanted(path, content, null, null), ADA);
  }

  static String hash(String content) {
    return JournalEntry.sha256(content);
  }

  /** A tool's result, for a task. */
  void saw(String tool, String result, @Nullable TaskId task) {
    tracker.updateFromToolResult(tool, JsonText.object(result), task, BOT);
  }

  /** What Claude Code's hook says of a file it wrote. */
  void sawWrite(String path, @Nullable TaskId task) {
    JsonObject input = JsonObject.of("file_path", root.resolve(path).toString());
    JsonObject hook =
        JsonObject.of("tool_name", "Write", "tool_input", input, "tool_response", JsonObject.EMPTY);
    tracker.updateFromToolResult("Write", hook, task, BOT);
  }

  /** What its hook says of a command that went well. */
  static JsonObject bash(String command) {
    return JsonObject.of("tool_name", "Bash", "tool_input", JsonObject.of("command", command))
        .with("tool_response", JsonObject.of("stdout", "", "stderr", "", "interrupted", false));
  }

  /** Every file of the state as "path status", by path. */
  static List<String> files(Tracker of) {
    return of.state().files().stream().map(f -> f.path() + " " + f.status().typed()).toList();
  }

  static @Nullable String hashOf(Tracker of, String path) {
    return of.state().files().stream()
        .filter(file -> file.path().equals(path))
        .findFirst()
        .map(FileMeta::hash)
        .orElse(null);
  }

  /** The files that a task changed, the newest first. */
  List<String> touched(TaskId task) {
    String id = tracker.workspace().id();
    List<Touch> touches = store.reading(tx -> tx.touches().of(id, task, 100));
    return touches.stream().map(Touch::path).toList();
  }

  List<JournalEntry> journal() {
    return store.reading(tx -> tx.journal().stream(Workspace.stream(tracker.workspace().id())));
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              for (String word : words) assertThat(refusal.sentence()).contains(word);
            });
  }
}
