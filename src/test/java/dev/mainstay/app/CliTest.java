package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a person or an agent meets it: what it prints, and its exit code. */
class CliTest {
  @TempDir Path folder;
  private final Map<String, String> env = new TreeMap<>(Map.of("USER", "ada"));
  private Screen screen = Screen.PIPE;
  private byte[] input = {};
  private String out = "";
  private String err = "";

  @BeforeEach
  void repository() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
  }

  private int run(String... args) {
    return runIn(folder, args);
  }

  private int runIn(Path where, String... args) {
    var stdout = new ByteArrayOutputStream();
    var stderr = new ByteArrayOutputStream();
    Io io =
        new Io(
            new ByteArrayInputStream(input),
            new PrintStream(stdout, false, StandardCharsets.UTF_8),
            new PrintStream(stderr, false, StandardCharsets.UTF_8),
            env,
            screen);
    int code = Door.run(args, io, new Wiring(env, where));
    out = stdout.toString(StandardCharsets.UTF_8);
    err = stderr.toString(StandardCharsets.UTF_8);
    return code;
  }

  private void refused(int code, String word, String... args) {
    assertThat(run(args)).as(String.join(" ", args) + "\n" + err).isEqualTo(code);
    assertThat(out).as("nothing on standard output").isEmpty();
    assertThat(err).contains(word).doesNotContain("\tat ").doesNotContain("Exception");
    assertThat(err.strip().lines().count()).as("one sentence: " + err).isLessThanOrEqualTo(2);
  }

  @Test
  void a_task_is_made_shown_listed_and_cancelled() {
    assertThat(run("task", "create", "Add login", "--priority", "5")).isZero();
    assertThat(out).isEqualTo("T-001  Add login (ready)\n");
    assertThat(run("task", "create", "Add logout", "--depends-on", "T-001")).isZero();
    assertThat(out).isEqualTo("T-002  Add logout (waits for 1)\n");
    assertThat(run("task", "show", "t-2")).isZero();
    assertThat(out).startsWith("T-002  Add logout\n").contains("waits for    T-001; 1 not met yet");
    assertThat(run("task", "list")).isZero();
    assertThat(out.lines()).hasSize(3);
    assertThat(run("task", "ready", "--json")).isZero();
    assertThat(out)
        .startsWith("{\"tasks\":[{")
        .contains("\"id\":\"T-001\"")
        .doesNotContain("T-002\"");
    assertThat(run("task", "cancel", "T-001", "--reason", "changed our mind")).isZero();
    run("task", "show", "T-002");
    assertThat(out).contains("CANCELLED: it waits for T-001, which is CANCELLED");
    assertThat(run("verify")).isZero();
    assertThat(out).startsWith("all is well");
  }

  @Test
  void a_worker_claims_works_and_completes_and_the_next_task_becomes_ready() {
    run("task", "create", "first");
    run("task", "create", "second", "--depends-on", "T-001");
    assertThat(run("task", "claim", "--as", "coder-1")).isZero();
    assertThat(out).isEqualTo("T-001  fence 1  first\n");
    assertThat(run("task", "claim", "--as", "coder-2")).isZero();
    assertThat(out).isEmpty();
    refused(4, "lease lost", "task", "complete", "T-001", "--fence", "9");
    assertThat(run("task", "start", "T-001", "--fence", "1")).isZero();
    assertThat(run("task", "heartbeat", "T-001", "--fence", "1", "--lease", "2h")).isZero();
    assertThat(run("task", "complete", "T-001", "--fence", "1", "--result", "{\"ok\": true}"))
        .isZero();
    run("task", "ready", "--json");
    assertThat(out).contains("\"T-002\"");
    run("task", "claim", "--as", "coder-2", "--json");
    assertThat(out).contains("\"lease_holder\":\"coder-2\"");
    assertThat(run("task", "release", "T-002", "--fence", "1")).isZero();
    run("task", "claim", "--as", "coder-3");
    assertThat(out).contains("fence 3");
    assertThat(run("task", "fail", "T-002", "--fence", "3", "--error", "no")).isZero();
    refused(1, "such as 90s", "task", "claim", "--as", "x", "--lease", "soon");
    assertThat(run("verify")).isZero();
  }

  @Test
  void the_same_key_gives_the_same_answer() {
    run("task", "create", "once", "--key", "k1", "--json");
    String first = out;
    run("task", "create", "once", "--key", "k1", "--json");
    assertThat(out).isEqualTo(first);
    refused(4, "another request", "task", "create", "twice", "--key", "k1");
  }

  @Test
  void bad_input_gets_one_sentence_and_the_right_code() {
    run("task", "create", "one");
    refused(3, "there is no task T-099", "task", "show", "T-099");
    refused(1, "not a task id", "task", "show", "T-1x");
    refused(1, "title", "task", "create", "");
    refused(1, "title", "task", "create", "   ");
    refused(1, "one line", "task", "create", "two\nlines");
    refused(1, "title", "task", "create", "x".repeat(10_000_000));
    refused(1, "UTF-8", "task", "create", "caf\ufffd");
    refused(1, "surrogate", "task", "create", "half \ud83d a smile");
    refused(1, "NUL", "task", "create", "t", "--description", "a\u0000b");
    refused(1, "JSON", "task", "create", "t", "--metadata", "{\"a\":");
    assertThat(err).doesNotContain("Source").contains("column");
    refused(1, "JSON object", "task", "create", "t", "--metadata", "[1]");
    refused(1, "Duplicate", "task", "create", "t", "--metadata", "{\"a\":1,\"a\":2}");
    refused(
        1,
        "deep",
        "task",
        "create",
        "t",
        "--metadata",
        "{\"a\":".repeat(100) + "1" + "}".repeat(100));
    refused(1, "priority", "task", "create", "t", "--priority", "2000000");
    refused(1, "proportion", "task", "create", "t", "--metadata", "{\"a\":1e900}");
    refused(1, "limit", "journal", "--limit", "-1");
    refused(
        1,
        "did you mean \"sslmode\"",
        "task",
        "list",
        "--db",
        "postgresql://a@localhost/b?sslmod=x");
    refused(1, "task type", "task", "create", "t", "--type", "no type!");
    refused(3, "T-050", "task", "create", "t", "--depends-on", "T-050");
    refused(3, "workflow", "task", "create", "t", "--workflow", "W-1");
    refused(1, "not a status", "task", "list", "--status", "DONE");
    refused(1, "limit", "task", "list", "--limit", "0");
    refused(2, "priority", "task", "create", "t", "--priority", "high");
    refused(2, "did you mean \"create\"", "task", "crate", "t");
    refused(2, "did you mean \"task\"", "tusk");
    refused(2, "--prio", "task", "create", "t", "--prio", "3");
    refused(2, "TASK", "task", "show");
    refused(1, "itself", "task", "depend", "T-001", "--on", "T-001");
    run("task", "list", "--json");
    assertThat(out).contains("\"T-001\"").doesNotContain("T-002");
  }

  @Test
  void an_unknown_field_of_a_json_task_names_the_nearest() throws IOException {
    Path file = Files.writeString(folder.resolve("t.json"), "{\"title\": \"a\", \"prority\": 3}");
    refused(1, "did you mean \"priority\"", "task", "create", "--from", file.toString());
    input =
        "{\"title\": \"from input\", \"priority\": 3, \"dependencies\": []}"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(run("task", "create", "--from", "-", "--json")).isZero();
    assertThat(out).contains("\"priority\":3");
    input = new byte[] {(byte) 0xc3, (byte) 0x28};
    refused(1, "not valid UTF-8", "task", "create", "t", "--description", "-");
    input = new byte[5 * 1024 * 1024];
    refused(1, "4 MiB", "task", "create", "t", "--description", "-");
    refused(3, "no file", "task", "create", "--from", folder.resolve("none.json").toString());
  }

  @Test
  void errors_in_json_mode_are_json_too() {
    run("task", "create", "one");
    assertThat(run("task", "show", "T-009", "--json")).isEqualTo(3);
    assertThat(err).startsWith("{\"error\":\"not_found\",\"message\":\"there is no task T-009");
  }

  @Test
  void a_store_that_cannot_be_used_is_said_to_be_and_left_alone() throws IOException {
    refused(3, "there is no store", "task", "list");
    assertThat(folder.resolve(".mainstay")).as("looking makes no files").doesNotExist();
    Path directory = Files.createDirectory(folder.resolve("dir.sqlite3"));
    refused(5, "is a folder", "task", "create", "t", "--db", directory.toString());
    Path text = Files.writeString(folder.resolve("text.sqlite3"), "not a database ".repeat(500));
    refused(5, "not a Mainstay store", "task", "list", "--db", text.toString());
    assertThat(text).hasContent("not a database ".repeat(500));
    refused(1, "neither", "task", "list", "--db", "mysql://root:" + "pw" + "@host/db");
    assertThat(err).doesNotContain("pw");
    refused(
        5,
        "does not answer",
        "task",
        "list",
        "--db",
        "postgresql://ada:" + "hush" + "@localhost:1/db");
    assertThat(err).doesNotContain("hush");
  }

  @Test
  void a_damaged_store_is_reported_and_its_backup_restores() throws IOException {
    for (int i = 0; i < 30; i++)
      run("task", "create", "task " + i, "--description", "text ".repeat(200));
    assertThat(run("backup", folder.resolve("copy.sqlite3").toString())).isZero();
    Path store = folder.resolve(".mainstay/state.sqlite3");
    byte[] bytes = Files.readAllBytes(store);
    for (int i = 5_000; i < bytes.length - 5_000; i++) bytes[i] = (byte) (i * 31);
    Files.write(store, bytes);
    assertThat(run("verify")).isIn(1, 5);
    assertThat(out + err).containsAnyOf("damaged", "not well").doesNotContain("\tat ");
    assertThat(
            run(
                "restore",
                folder.resolve("copy.sqlite3").toString(),
                "--db",
                folder.resolve("new.sqlite3").toString()))
        .isZero();
    run("task", "list", "--json", "--db", folder.resolve("new.sqlite3").toString());
    assertThat(out).contains("\"T-030\"");
  }

  @Test
  void the_store_is_the_repositorys_from_any_folder_and_any_worktree() throws IOException {
    run("task", "create", "one");
    Path deep = Files.createDirectories(folder.resolve("src/main/java"));
    assertThat(runIn(deep, "task", "show", "T-001")).isZero();
    Path worktree =
        Files.createDirectories(folder.resolve("../" + folder.getFileName() + "-wt").normalize());
    Files.writeString(
        worktree.resolve(".git"), "gitdir: " + folder.resolve(".git/worktrees/wt") + "\n");
    assertThat(runIn(worktree, "task", "show", "T-001")).isZero();
    Files.delete(worktree.resolve(".git"));
    Files.delete(worktree);
  }

  @Test
  void settings_come_by_flag_environment_file_and_default_in_this_order() throws IOException {
    run("task", "create", "one");
    run("doctor", "--config");
    assertThat(out).containsPattern("key_life +7d").contains("default");
    Path config = folder.resolve(".mainstay/config.toml");
    Files.writeString(config, "key_life = \"3d\"\ndb = \"other.sqlite3\"\n");
    run("doctor", "--config", "--json");
    assertThat(out).contains("\"3d\"").contains(folder.resolve("other.sqlite3").toString());
    env.put("MAINSTAY_KEY_LIFE", "12h");
    run("doctor", "--config", "--json", "--db", "flag.sqlite3");
    assertThat(out).contains("\"12h\"").contains("MAINSTAY_KEY_LIFE").contains("--db");
    Files.writeString(config, "keylife = \"3d\"\n");
    refused(1, "did you mean \"key_life\"", "task", "list");
    Files.writeString(config, "key_life = \n");
    refused(1, "not valid TOML (line 1", "task", "list");
    Files.delete(config);
    env.put("MAINSTAY_KEY_LIFE", "soon");
    refused(1, "such as 500ms", "task", "list");
    env.remove("MAINSTAY_KEY_LIFE");
    env.put("MAINSTAY_COLOR", "pink");
    refused(1, "auto, always or never", "doctor", "--config");
    env.remove("MAINSTAY_COLOR");
    env.put("MAINSTAY_DBB", "x");
    refused(1, "did you mean \"MAINSTAY_DB\"", "task", "list");
  }

  @Test
  void the_doctor_looks_at_everything_and_says_what_to_do() throws IOException {
    assertThat(run("doctor")).isZero();
    assertThat(out).contains("Java", "Store", "Disk", "tmux", "git", "Agents").contains("makes it");
    run("task", "create", "one");
    Files.writeString(folder.resolve(".mcp.json"), "{\"mcpServers\":{\"mainstay\":{}}}");
    assertThat(run("doctor")).isZero();
    assertThat(out).contains("Chain    1 entries").contains("wired: Claude Code");
    Files.writeString(folder.resolve("opencode.jsonc"), "{\"mcp\":{\"mainstay\":{}}} // ours");
    run("doctor");
    assertThat(out).contains("wired: Claude Code, opencode");
    Files.writeString(folder.resolve("bad.sqlite3"), "nonsense ".repeat(1000));
    assertThat(run("doctor", "--db", folder.resolve("bad.sqlite3").toString())).isEqualTo(1);
    assertThat(out).contains("broken");
  }

  @Test
  void tables_fit_the_screen_and_colour_is_for_screens_alone() {
    run(
        "task",
        "create",
        "a title that is far too long for a narrow screen, with 漢字 in it " + "x".repeat(100));
    screen = new Screen(true, 60, true);
    run("task", "list");
    assertThat(out.lines()).allMatch(line -> line.length() <= 60);
    screen = new Screen(true, 44, true);
    run("task", "list");
    assertThat(out.lines())
        .allMatch(line -> line.length() <= 44)
        .anyMatch(line -> line.contains("a title"));
    run("doctor");
    assertThat(out).contains("\u001b[");
    screen = new Screen(true, 60, false);
    run("doctor");
    assertThat(out).doesNotContain("\u001b[");
  }

  @Test
  void stored_control_characters_do_nothing_to_the_terminal() {
    run("task", "create", "t", "--description", "red \u001b[31m and back \u202e");
    run("task", "show", "T-001");
    assertThat(out).contains("\\u001b[31m").doesNotContain("\u001b").doesNotContain("\u202e");
  }

  @Test
  void the_journal_shows_what_happened_and_pages_without_loss() {
    for (int i = 0; i < 5; i++) run("task", "create", "t" + i);
    run("journal", "--task", "T-002");
    assertThat(out.lines()).hasSize(1);
    assertThat(out).contains("T-002 #1").contains("task.created");
    run("journal", "--since", "start", "--json");
    assertThat(out.lines()).hasSize(5);
    String position =
        out.lines().skip(2).findFirst().orElseThrow().replaceAll(".*\"position\":\"|\".*", "");
    run("journal", "--since", position, "--json");
    assertThat(out.lines()).hasSize(2);
    refused(1, "not a position", "journal", "--since", "yesterday");
    refused(3, "no task T-099", "journal", "--task", "T-099");
  }

  @Test
  void an_agent_is_known_by_its_environment() {
    env.put("CLAUDECODE", "1");
    run("task", "create", "one");
    run("journal", "--json");
    assertThat(out).contains("\"actor\":\"agent:claude-code\"");
    env.put("MAINSTAY_TERMINAL", "dev-1");
    run("task", "create", "two");
    run("journal", "--json");
    assertThat(out).contains("\"actor\":\"agent:dev-1\"");
  }

  @Test
  void every_command_has_help_with_an_example() {
    run("--help");
    assertThat(out).contains("Examples:");
    for (List<String> command : commands(List.of())) {
      assertThat(help(command)).as(command.toString()).contains("Example:", "Usage: mainstay");
    }
    assertThat(run()).isEqualTo(2);
    assertThat(run("--version")).isZero();
    assertThat(out).startsWith("mainstay ");
  }

  private String help(List<String> command) {
    List<String> args = new ArrayList<>(command);
    args.add("--help");
    assertThat(run(args.toArray(String[]::new))).as(command.toString()).isZero();
    return out;
  }

  /** All commands and their subcommands, as the help itself lists them. */
  private List<List<String>> commands(List<String> prefix) {
    List<List<String>> found = new ArrayList<>();
    Matcher names = Pattern.compile("(?m)^  ([a-z-]+) {2,}[A-Z]").matcher(help(prefix));
    while (names.find()) {
      List<String> command = new ArrayList<>(prefix);
      command.add(names.group(1));
      found.add(command);
    }
    for (List<String> command : List.copyOf(found)) {
      if (help(command).contains("COMMAND")) found.addAll(commands(command));
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  @Test
  void the_completion_script_knows_the_commands() {
    assertThat(run("completion")).isZero();
    assertThat(out).contains("_picocli_mainstay_task_create").contains("--depends-on");
  }
}
