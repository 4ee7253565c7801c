package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.hook.Told;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher's way to whoever holds the store open: what is asked there and what comes back. */
class SocketLauncherTest extends OnSocket {
  /** Ends as it was told to. */
  private record Ends(int exit, String out, String err) implements Desk.Performer {
    @Override
    public boolean accepts(Request request) {
      return true;
    }

    @Override
    public Desk.Done perform(Request request) {
      return new Desk.Done(exit, out, err);
    }
  }

  @Test
  void a_hot_command_is_answered_by_the_owner_and_leaves_nothing() throws Exception {
    own(new Echo("owner"));

    Run run = run("task", "show", "T-001");

    assertThat(run).isEqualTo(new Run(0, "owner[task, show, T-001]", ""));
    assertThat(spooled()).isEmpty();
  }

  @Test
  void a_task_is_made_by_the_owner_unless_its_fields_are_in_a_file() throws Exception {
    own(new Echo("owner"));

    assertThat(run("task", "create", "a title").out()).isEqualTo("owner[task, create, a title]");
    assertThat(run("task", "create", "--from", "task.json").wasJvm()).isTrue();
    assertThat(run("task", "create", "--from=task.json").wasJvm()).isTrue();
  }

  @Test
  void arguments_arrive_exactly_as_they_were_given() throws Exception {
    Echo echo = new Echo("");
    own(echo);
    List<String> args =
        List.of(
            "plan",
            "set",
            "a b",
            "",
            "it's \"so\"",
            "größe 漢字 🙂",
            "*",
            "$HOME `x` \\",
            "1\n\n2\n");

    run(args.toArray(String[]::new));

    assertThat(echo.args()).containsExactly(args);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 77})
  void exit_code_output_and_errors_are_the_commands_own(int exit) throws Exception {
    own(new Ends(exit, "out\n\nmore\n\n", "größe\nerr\n"));

    assertThat(run("task", "list")).isEqualTo(new Run(exit, "out\n\nmore\n\n", "größe\nerr\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", ".", "done 7\nwait\n.", "%s \\n -e"})
  void any_output_comes_through_as_it_is(String out) throws Exception {
    own(new Ends(0, out, ""));

    assertThat(run("dump", "T-001")).isEqualTo(new Run(0, out, ""));
  }

  @Test
  void a_megabyte_goes_in_and_comes_out() throws Exception {
    Echo echo =
        new Echo("") {
          @Override
          public Desk.Done perform(Request request) {
            try {
              byte[] input = request.input().readAllBytes();
              return new Desk.Done(0, new String(input, StandardCharsets.UTF_8), "");
            } catch (java.io.IOException fault) {
              throw new java.io.UncheckedIOException(fault);
            }
          }
        };
    own(echo);
    String input = "größe\n".repeat(150_000);

    Run run = run(folder, input, "state", "merge", "T-001", "-");

    assertThat(run.out()).isEqualTo(input);
    assertThat(spooled()).isEmpty();
  }

  @Test
  void folder_and_environment_are_the_callers() throws Exception {
    Echo echo = new Echo("");
    own(echo);
    Path below = Files.createDirectories(folder.resolve("a b/c"));
    env.put("MAINSTAY_TERMINAL", "ada");
    env.put("CODEX_THREAD_ID", "thread\n1");
    env.put("SECRET_OF_OTHERS", "x");

    run(below, "", "task", "ready");

    Request.Caller caller = echo.performed.get(0).caller();
    assertThat(caller.folder()).isEqualTo(below);
    assertThat(caller.jar()).isEqualTo(lib.resolve("mainstay.jar").toString());
    assertThat(caller.env())
        .containsEntry("MAINSTAY_TERMINAL", "ada")
        .containsEntry("CODEX_THREAD_ID", "thread\n1")
        .doesNotContainKeys("SECRET_OF_OTHERS", "MAINSTAY_DB");
  }

  private Process host(String variable) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().remove("CLAUDECODE");
    builder.environment().put(variable, "1");
    return builder.start();
  }

  @Test
  void who_started_the_agent_of_a_prompt_is_seen_while_it_lives() throws Exception {
    assumeThat(Path.of("/proc/self/environ")).exists();
    Echo echo = new Echo("");
    own(echo);
    Process inner = host("CLAUDECODE");
    Process outer = host("NOT_CLAUDECODE");
    env.put("CLAUDE_PID", Long.toString(outer.pid()));
    run(folder, "{}", "hook", "UserPromptSubmit");
    run(folder, "{}", "hook", "PostToolUse");
    env.put("CLAUDE_PID", Long.toString(inner.pid()));
    run(folder, "{}", "hook", "UserPromptSubmit");
    for (Process each : List.of(inner, outer)) {
      each.destroyForcibly();
      each.waitFor();
    }
    env.put("CLAUDE_PID", Long.toString(outer.pid()));
    run(folder, "{}", "hook", "UserPromptSubmit");

    assertThat(echo.performed)
        .extracting(request -> request.caller().env().getOrDefault(Told.STARTER, ""))
        .containsExactly("person", "", "agent", "agent");
  }

  @Test
  void every_setting_is_sent_from_the_environment() throws Exception {
    String part = Files.readString(Path.of("src/main/sh/ask.sh"));

    for (Configuration.Key key : Configuration.Key.values()) {
      String variable = key.inEnvironment();
      assertThat(part).contains("\"" + variable + "=${" + variable + "-}\"");
    }
  }

  @Test
  void a_folder_by_another_name_and_a_worktree_find_the_owner_too() throws Exception {
    own(new Echo("owner"));
    Path link = Files.createSymbolicLink(root.resolve("link"), folder);
    Path tree = Files.createDirectories(root.resolve("tree/below"));
    Files.createDirectories(folder.resolve(".git/worktrees/tree"));
    Files.writeString(
        root.resolve("tree/.git"), "gitdir: " + folder.resolve(".git/worktrees/tree") + "\n");

    assertThat(run(link, "", "task", "list").out()).startsWith("owner");
    assertThat(run(tree, "", "task", "list").out()).startsWith("owner");
    assertThat(run(root, "", "task", "list").wasJvm()).as("outside").isTrue();
  }

  @Test
  void a_hook_is_heard_in_the_project_where_its_agent_was_started() throws Exception {
    Echo echo = new Echo("owner");
    own(echo);
    env.put("CLAUDE_PROJECT_DIR", folder.toString());

    assertThat(run(root, "{}", "hook", "PreToolUse").out()).startsWith("owner");

    Request heard = echo.performed.get(0);
    assertThat(heard.caller().folder()).isEqualTo(root);
    assertThat(heard.place()).isEqualTo(folder);
    assertThat(run(root, "", "task", "list").wasJvm()).isTrue();
  }

  @Test
  void a_host_that_says_too_much_is_heard_out() throws Exception {
    Echo echo = new Echo("owner");
    own(echo);
    int max = 4 * 1024 * 1024;

    Run run = run(folder, "x".repeat(max + 10) + "\nmore\n", "hook", "PostToolUse");

    assertThat(run.out()).startsWith("owner");
    assertThat(echo.performed.get(0).input().readAllBytes()).hasSize(max + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "task create --from x",
        "task claim --wait 5s",
        "task list --db other",
        "task list --db=other",
        "plan set @file",
        "serve",
        "inbox pull",
        "journal --follow",
        "--help"
      })
  void what_is_not_hot_goes_to_a_jvm(String line) throws Exception {
    Echo echo = new Echo("owner");
    own(echo);

    assertThat(run(line.split(" ")).wasJvm()).isTrue();
    assertThat(echo.args()).isEmpty();
  }

  @Test
  void fifty_callers_at_once_get_an_answer_each() throws Exception {
    Echo echo = new Echo("");
    own(echo);
    List<Process> running = new ArrayList<>();
    for (int i = 0; i < 50; i++) running.add(start(folder, "", "task", "show", "T-" + i));

    for (int i = 0; i < 50; i++) {
      assertThat(finish(running.get(i))).isEqualTo(new Run(0, "[task, show, T-" + i + "]", ""));
    }
    assertThat(echo.args()).hasSize(50).doesNotHaveDuplicates();
    assertThat(spooled()).isEmpty();
  }

  @Test
  void an_owner_that_declines_leaves_the_command_to_a_jvm_with_its_input() throws Exception {
    own(
        new Echo("owner") {
          @Override
          public boolean accepts(Request request) {
            return false;
          }
        });

    Run run = run(folder, "{}", "state", "merge", "T-001", "-");

    assertThat(run.wasJvm()).isTrue();
    String name = spooled().get(0);
    assertThat(run.out()).contains("-Dmainstay.input=" + folder + "/.mainstay/spool/" + name);
    try (PutDown input = PutDown.open(folder + "/.mainstay/spool/" + name)) {
      assertThat(input.in().readAllBytes()).asString().isEqualTo("{}");
    }
    assertThat(spooled()).isEmpty();
  }

  @Test
  void an_owner_of_another_installation_is_not_asked() throws Exception {
    Echo echo = new Echo("owner");
    var other = Build.of(Files.writeString(root.resolve("mainstay.jar"), "x").toString(), "2");
    closing(SocketOwner.start(project(), env, other, echo));
    await(() -> SocketState.read(project()).isPresent());

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
    assertThat(spooled()).isEmpty();
  }

  @Test
  void an_owner_whose_jar_was_replaced_gives_up() throws Exception {
    own(new Echo("owner"));

    Files.writeString(lib.resolve("mainstay.jar"), "a newer jar");

    await(() -> SocketState.read(project()).isEmpty());
    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
  }

  @Test
  void without_curl_a_jvm_does_it() throws Exception {
    own(new Echo("owner"));
    Path bin = Files.createDirectories(root.resolve("bin"));
    env.put("PATH", bin.toString());

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
    assertThat(spooled()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "task show T-001"})
  void when_curl_fails_a_jvm_does_it(String line) throws Exception {
    own(new Echo("owner"));
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path curl = Files.writeString(bin.resolve("curl"), "#!/bin/sh\nexit 7\n");
    Files.setPosixFilePermissions(curl, PosixFilePermissions.fromString("rwx------"));
    env.put("PATH", bin + ":" + env.getOrDefault("PATH", System.getenv("PATH")));

    Run run = run(line.split(" "));

    assertThat(run.wasJvm()).as(run.toString()).isTrue();
  }

  @Test
  void a_note_that_names_some_other_socket_is_not_followed() throws Exception {
    own(new Echo("owner"));
    SocketState state = SocketState.read(project()).orElseThrow();
    Path elsewhere = Files.createDirectories(root.resolve("agent")).resolve("other.sock");
    Files.createLink(elsewhere, state.socket());
    Files.writeString(
        SocketState.file(project()),
        new SocketState(elsewhere, state.jar(), state.process(), "1").lines());

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
  }
}
