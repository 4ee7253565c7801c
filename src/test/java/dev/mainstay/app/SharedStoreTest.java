package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.File;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hot commands over a store that another process has open: the same answers as of one's own. */
class SharedStoreTest extends OnSocket {
  private static final int ASKED_AGAIN_MAX = 20;

  private Mainstay mainstay;

  @BeforeEach
  void open_a_store() throws Exception {
    env.put("CODEX_SANDBOX", "1");
    assertThat(CliRun.of(folder, "", "task", "create", "one").code()).isZero();
    StoreAddress address = StoreAddress.parse(project().store().toString());
    mainstay =
        Mainstay.open(address, StoreSettings.DEFAULT, new TerminalSetup(folder, Map.of(), 1, ""));
    closing(mainstay);
  }

  private void answer() throws Exception {
    SharedStore.Answering owner = SharedStore.answerLaunchers(mainstay, env, build());
    await(() -> SocketState.read(project()).isPresent());
    closingFirst(owner);
  }

  /** The store is closed after whoever uses it. */
  private void closingFirst(SharedStore.Answering owner) {
    Mainstay store = mainstay;
    closing(
        () -> {
          owner.close();
          store.close();
        });
  }

  private static Run of(CliRun run) {
    return new Run(run.code(), run.out(), run.err());
  }

  @Test
  void answers_are_the_same_as_those_of_a_process_of_its_own() throws Exception {
    answer();
    for (String line :
        List.of(
            "task show T-001",
            "task show T-001 --json",
            "task show T-099",
            "task show",
            "task show T-099 --json",
            "task list",
            "task ready --json",
            "task list --nonsense",
            "state show T-001",
            "dump T-001",
            "prompt T-001 --for claude-code",
            "plan show T-001",
            "directive list T-001",
            "criteria list T-001",
            "inbox list",
            "checkpoint list T-001",
            "task complete T-001 --fence 7")) {
      CliRun expected = CliRun.of(folder, "", line.split(" "));

      assertThat(answered(line.split(" "))).as(line).isEqualTo(of(expected));
    }
  }

  /** An owner that is silent for too long on a busy machine is not waited for, but asked again. */
  private Run answered(String... args) throws Exception {
    Run run = run(args);
    for (int i = 0; i < ASKED_AGAIN_MAX && run.out().startsWith("jvm\n"); i++) run = run(args);
    return run;
  }

  @Test
  void a_task_is_claimed_and_noted_upon_without_a_jvm() throws Exception {
    answer();

    Run claimed = run("task", "claim", "--as", "ada", "--json");
    assertThat(claimed.exit()).as(claimed.toString()).isZero();
    env.put("MAINSTAY_TERMINAL", "ada");
    Run merged =
        run(
            folder,
            "{\"decisions\": [\"größe 漢字\"]}",
            "state",
            "merge",
            "T-001",
            "-",
            "--fence",
            "1");
    assertThat(merged.exit()).as(merged.toString()).isZero();

    assertThat(run("dump", "T-001").out()).contains("größe 漢字");
    assertThat(CliRun.of(folder, "", "dump", "T-001").out()).contains("größe 漢字");
  }

  private List<String> faults() throws Exception {
    Path log = folder.resolve(".mainstay/log/hooks.log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  @Test
  void a_store_that_is_stuck_keeps_no_hook() throws Exception {
    answer();
    env.remove("CODEX_SANDBOX");
    String prompt = "{\"session_id\": \"s\", \"prompt\": \"Add login\"}";
    String tool = "{\"session_id\": \"s\", \"tool_name\": \"Read\", \"tool_input\": {}}";
    assertThat(run(folder, prompt, "hook", "UserPromptSubmit").out()).contains("T-002");
    try (var other = DriverManager.getConnection("jdbc:sqlite:" + project().store())) {
      other.createStatement().execute("BEGIN IMMEDIATE");

      Run told = run(folder, tool, "hook", "PostToolUse");
      Run asked = run(folder, prompt, "hook", "UserPromptSubmit");

      assertThat(told).isEqualTo(new Run(0, "", ""));
      assertThat(asked).isEqualTo(new Run(0, "", ""));
      assertThat(spooled()).as("both were left while the owner still waits").hasSize(2);
      assertThat(faults()).hasSize(1).first().asString().contains("kept from writing to the store");
      other.createStatement().execute("ROLLBACK");
    }

    await(() -> spooled().isEmpty());
    assertThat(CliRun.of(folder, "", "journal", "--json").out()).contains("state.actions_noted");
  }

  @Test
  void who_calls_is_the_caller_and_not_the_owner() throws Exception {
    answer();
    env.remove("CODEX_SANDBOX");
    env.put("GEMINI_CLI", "1");

    run("directive", "add", "T-001", "stay small");

    assertThat(CliRun.of(folder, "", "journal", "--json").out()).contains("gemini");
  }

  @Test
  void a_caller_of_another_store_is_left_to_a_jvm() throws Exception {
    answer();
    env.put("MAINSTAY_DB", root.resolve("other.sqlite3").toString());
    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
    env.put("MAINSTAY_DB", ".mainstay/state.sqlite3");
    assertThat(run("task", "show", "T-001").wasJvm()).as("relative to whom?").isTrue();
    env.put("MAINSTAY_DB", project().store().toString());
    assertThat(run("task", "show", "T-001").wasJvm()).isFalse();
    env.put("MAINSTAY_PATIENCE", "nonsense");
    assertThat(run("task", "show", "T-001").wasJvm()).as("it says what is wrong").isTrue();
  }

  @Test
  void a_command_that_no_owner_took_is_done_by_a_jvm_with_its_input() throws Exception {
    spool().prepare();
    Path nobody = SocketPlace.of(project().folder(), env);
    closing(
            ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(nobody)))
        .close();
    Files.writeString(
        SocketState.file(project()),
        new SocketState(nobody, build().jar(), ProcessHandle.current().pid(), "1").lines());
    String java = ProcessHandle.current().info().command().orElse("java");
    jdk(
        "input=; while :; do case $1 in -Dmainstay.input=*) input=$1 ;; -cp) shift 3; break ;;"
            + " esac; shift; done; exec '%s' \"$input\" -cp '%s' %s \"$@\""
                .formatted(java, classPath(), Main.class.getName()));

    Run run = run(folder, "{\"next_focus\": \"größe\"}", "state", "merge", "T-001", "-");

    assertThat(run.exit()).as(run.toString()).isZero();
    assertThat(CliRun.of(folder, "", "dump", "T-001").out()).contains("größe");
    assertThat(spooled()).isEmpty();
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void hot_is_only_what_neither_waits_nor_names_files() {
    assertThat(SharedStore.isHot(List.of("state", "merge", "T-001", "-"))).isTrue();
    assertThat(SharedStore.isHot(List.of("state", "merge", "T-001", "file"))).isFalse();
    assertThat(SharedStore.isHot(List.of("task", "claim", "--wait=5s"))).isFalse();
    assertThat(SharedStore.isHot(List.of("plan", "set", "@file"))).isFalse();
    assertThat(SharedStore.isHot(List.of("task", "list", "--db", "x"))).isFalse();
    assertThat(SharedStore.isHot(List.of("task", "create", "a title"))).isTrue();
    assertThat(SharedStore.isHot(List.of("task", "create", "--from=task.json"))).isFalse();
    assertThat(SharedStore.isHot(List.of("inbox", "pull"))).isFalse();
    assertThat(SharedStore.isHot(List.of("hook"))).isFalse();
  }
}
