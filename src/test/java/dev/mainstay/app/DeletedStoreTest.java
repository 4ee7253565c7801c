package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.trust.TrustedFolders;
import dev.mainstay.trust.UserFolders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The online backup of a project's store, and what happens until a person decides about it. */
@Timeout(120)
class DeletedStoreTest {
  private static final String GONE = "was deleted, and there is a backup of 20";

  @TempDir Path folder;
  @TempDir Path home;
  private HookHost claude;

  @BeforeEach
  void aRepository() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    claude = HookHost.of("claude-code", folder.toRealPath());
  }

  private Map<String, String> env(String... more) {
    var env = new java.util.HashMap<>(Map.of("USER", "ada", "XDG_STATE_HOME", home.toString()));
    for (String each : more) env.put(each, "1");
    return env;
  }

  private CliRun person(String... args) {
    return CliRun.byPerson(folder, env(), args);
  }

  private CliRun agent(String... args) {
    return CliRun.of(folder, new byte[0], env("CLAUDECODE"), args);
  }

  private CliRun hook(String recording) {
    JsonObject payload = claude.recorded(recording);
    byte[] bytes = JsonText.write(payload).getBytes(StandardCharsets.UTF_8);
    return CliRun.of(folder, bytes, env("CLAUDECODE"), "hook", payload.text("hook_event_name"));
  }

  private List<Path> backups() {
    return files(home.resolve("mainstay/backups")).stream()
        .filter(file -> file.toString().contains(".sqlite3"))
        .toList();
  }

  private static List<Path> files(Path below) {
    if (!Files.exists(below)) return List.of();
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void makeOlder(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  /** What {@code git clean -fdx} does to the ignored folder. */
  private void clean() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve(".mainstay"))) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }

  /** As Mainstay makes it for this user. */
  private void markedFolder() {
    new TrustedFolders(UserFolders.of(env()), List.of()).make(folder.resolve(".mainstay"));
  }

  private void workUntilTheTurnEnds() {
    assertThat(person("task", "create", "one").code()).isZero();
    hook("UserPromptSubmit");
    assertThat(hook("Stop").code()).isZero();
  }

  private String call(String tool, String arguments) {
    String hello =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
            + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + tool
            + "\",\"arguments\":"
            + arguments
            + "}}\n";
    var out = new ByteArrayOutputStream();
    var in = new ByteArrayInputStream((hello + call).getBytes(StandardCharsets.UTF_8));
    new Wiring(env(), folder).mcp(null, in, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_restored_folder_is_trusted_no_more_than_the_one_that_was_there() throws IOException {
    workUntilTheTurnEnds();
    Path own = folder.resolve(".mainstay");
    var folders = new TrustedFolders(UserFolders.of(env()), List.of());
    folders.open(own, false);
    assertThat(folders.isTrusted(own)).isFalse();
    clean();
    assertThat(person("restore", "--latest").code()).isZero();
    assertThat(person("task", "list").out()).contains("one");
    assertThat(folders.isTrusted(own)).isFalse();
  }

  @Test
  void a_store_that_git_cleaned_away_comes_back_with_what_hooks_queued() throws IOException {
    workUntilTheTurnEnds();
    assertThat(backups()).hasSize(1);
    Path backup = backups().get(0);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rw-------");
    clean();

    for (String[] command :
        new String[][] {{"task", "list"}, {"task", "create", "two"}, {"prompt", "T-001"}}) {
      CliRun refused = person(command);
      assertThat(refused.code()).isEqualTo(5);
      assertThat(refused.err()).contains(GONE, "mainstay restore --latest").hasLineCount(1);
    }
    assertThat(call("create_task", "{\"title\":\"three\"}")).contains(GONE);
    assertThat(hook("SessionStart-resume").out())
        .contains("additionalContext", "the store of this project was deleted", "Ask the person");
    assertThat(hook("UserPromptSubmit").out()).contains("is kept until a person decides");
    assertThat(hook("PostToolUse-Write").out()).isEmpty();
    assertThat(person("doctor").out()).contains("broken Backup");
    assertThat(folder.resolve(".mainstay")).doesNotExist();
    List<Path> queued =
        files(home).stream().filter(file -> file.toString().contains("/spool/hook-")).toList();
    assertThat(queued).hasSize(3);
    for (Path each : queued) makeOlder(each, Duration.ofSeconds(10));

    assertThat(agent("restore", "--latest").code()).isEqualTo(4);
    assertThat(agent("restore", "--decline").code()).isEqualTo(4);
    CliRun restored = person("restore", "--latest");
    assertThat(restored.err()).isEmpty();
    assertThat(restored.out()).contains("from the backup of");
    assertThat(person("task", "list").out()).contains("one");
    assertThat(person("verify").code()).isZero();
    LeftEvents.hearBefore(new String[] {"prompt"}, env(), folder);
    assertThat(files(home)).noneMatch(file -> file.toString().contains("/spool/hook-"));
    assertThat(files(folder.resolve(".mainstay/spool"))).isEmpty();
    assertThat(person("journal", "--json").out()).contains("Write; files: Price.java");
    assertThat(person("restore", "--latest").err()).contains("there is a store");
  }

  @Test
  void the_end_of_a_turn_makes_a_backup_of_changes_and_at_most_every_five_minutes()
      throws IOException {
    workUntilTheTurnEnds();
    List<Path> first = backups();
    assertThat(first).hasSize(1);
    person("task", "create", "two");
    hook("Stop");
    assertThat(backups()).as("it is not five minutes old").isEqualTo(first);
    makeOlder(first.get(0), Duration.ofMinutes(6));
    hook("Stop");
    List<Path> second = backups();
    assertThat(second).hasSize(1).isNotEqualTo(first);
    makeOlder(second.get(0), Duration.ofMinutes(6));
    new Wiring(env(), folder).open(null).close();
    try (Mainstay open =
        Mainstay.open(
            dev.mainstay.store.StoreAddress.parse(
                folder.resolve(".mainstay/state.sqlite3").toString()),
            dev.mainstay.store.StoreSettings.DEFAULT,
            new TerminalSetup(folder, env(), 1, ""))) {
      open.saveOnline(Duration.ZERO);
    }
    assertThat(backups()).as("nothing changed").isEqualTo(second);
  }

  @Test
  void a_declined_backup_is_set_aside_and_never_replaced_by_the_new_store() throws IOException {
    workUntilTheTurnEnds();
    Path first = backups().get(0);
    clean();
    assertThat(person("restore", "--decline").code()).isZero();
    assertThat(person("task", "list").out()).doesNotContain("one");
    person("task", "create", "other");
    hook("Stop");
    assertThat(backups()).hasSize(2).contains(Path.of(first + ".declined"));
    assertThat(
            person("restore", first + ".declined", "--db", folder.resolve("x.db").toString())
                .code())
        .isZero();
    assertThat(person("task", "list", "--db", folder.resolve("x.db").toString()).out())
        .contains("one");
    assertThat(person("restore", "--decline").err()).contains("nothing is to be declined");
  }

  @Test
  void a_store_without_entries_is_replaced_and_one_with_entries_is_not() throws IOException {
    workUntilTheTurnEnds();
    clean();
    String file = folder.resolve(".mainstay/state.sqlite3").toString();
    markedFolder();
    Mainstay.open(file).close(); // an earlier version made an empty one
    assertThat(person("restore", "--latest").code()).isZero();
    assertThat(person("task", "list").out()).contains("one");
    person("task", "create", "after the restore");
    CliRun refused = person("restore", "--latest");
    assertThat(refused.code()).isEqualTo(4);
    assertThat(person("task", "list").out()).contains("after the restore");
  }

  @Test
  void forgetting_removes_the_backup() throws IOException {
    workUntilTheTurnEnds();
    String secret = String.join(" ", "correct", "horse", "battery", "staple");
    person("task", "create", "Use " + secret);
    makeOlder(backups().get(0), Duration.ofMinutes(6));
    hook("Stop");
    assertThat(backups()).hasSize(1);
    Path file = Files.writeString(folder.resolve("secret"), secret);
    assertThat(person("forget", file.toString(), "--apply").code()).isZero();
    assertThat(backups()).isEmpty();
  }

  @Test
  void a_store_that_lost_commits_does_not_replace_its_backup() throws IOException {
    workUntilTheTurnEnds();
    Path old = Files.copy(backups().get(0), folder.resolve("old"));
    person("task", "create", "two");
    makeOlder(backups().get(0), Duration.ofMinutes(6));
    hook("Stop");
    Path newer = backups().get(0);
    clean();
    markedFolder();
    Files.move(old, folder.resolve(".mainstay/state.sqlite3"));
    makeOlder(newer, Duration.ofMinutes(6));
    hook("Stop");
    assertThat(backups()).containsExactly(newer);
    assertThat(Files.readString(folder.resolve(".mainstay/log/hooks.log")))
        .contains("has fewer commits than its backup");
  }

  @Test
  void where_the_state_folder_cannot_be_written_all_goes_on_and_the_doctor_says_so()
      throws IOException {
    Files.writeString(home.resolve("mainstay"), "a file in the way");
    workUntilTheTurnEnds();
    assertThat(backups()).isEmpty();
    assertThat(folder.resolve(".mainstay/log/hooks.log")).doesNotExist();
    assertThat(person("doctor").out())
        .contains("advice Backup", "no backup can be written below " + home);
  }

  @Test
  void a_server_makes_the_backup_and_one_of_another_place_is_left_alone() throws Exception {
    person("task", "create", "one");
    var wiring = new Wiring(env(), folder);
    try (Serving serving = wiring.serve(null, new Serving.Wanted("127.0.0.1", 0, null, null))) {
      assertThat(serving.address()).isNotEmpty();
      while (backups().isEmpty()) Pause.briefly();
    }
    String elsewhere = folder.resolve("elsewhere.sqlite3").toString();
    CliRun.byPerson(folder, env(), "task", "create", "x", "--db", elsewhere);
    try (Mainstay open = Mainstay.open(elsewhere)) {
      open.saveOnline(Duration.ZERO);
    }
    assertThat(backups()).as("a file that --db names has none").hasSize(1);
  }

  @Test
  void a_project_that_was_moved_takes_its_backup_along() throws IOException {
    workUntilTheTurnEnds();
    Path first = backups().get(0);
    Path moved = Files.createDirectory(folder.resolve("moved"));
    Files.createDirectory(moved.resolve(".git"));
    Files.move(folder.resolve(".mainstay"), moved.resolve(".mainstay"));
    CliRun.byPerson(moved, env(), "task", "create", "two");
    JsonObject payload = claude.recorded("Stop").with("cwd", moved.toString());
    byte[] bytes = JsonText.write(payload).getBytes(StandardCharsets.UTF_8);
    CliRun.of(moved, bytes, env("CLAUDECODE"), "hook", "Stop");
    assertThat(backups()).hasSize(1).doesNotContain(first);
    assertThat(person("task", "list").code()).as("nothing is missing here").isEqualTo(3);
  }
}
