package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.upkeep.HookLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a hook for which nothing can be done: the agent never hears of it. */
final class HookLauncherTest extends OnSocket {
  private String logged() {
    return new HookLog(folder.resolve(".mainstay")).last().orElseThrow().what();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 134})
  void a_jvm_that_fails_is_no_answer_to_the_host_and_is_logged(int exit) throws Exception {
    jdk("echo said; exit " + exit);

    assertThat(run("hook", "PostToolUse")).isEqualTo(new Run(0, "said\n", ""));
    assertThat(run("hook").exit()).as("without an event").isZero();
    assertThat(run("task", "list").exit()).as("no hook").isEqualTo(exit);

    assertThat(logged())
        .isEqualTo(
            "hook: the JVM ended with exit code "
                + exit
                + "; 'mainstay --version' shows whether one starts");
    Path log = folder.resolve(".mainstay/log/hooks.log");
    assertThat(Files.readAllLines(log)).hasSize(2);
    assertThat(Files.getPosixFilePermissions(log))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void where_there_is_no_java_the_doctor_can_tell_so_later() throws Exception {
    env.put("MAINSTAY_JAVA_HOME", "/nowhere");

    assertThat(run("hook", "SessionStart").exit()).isZero();

    assertThat(logged()).contains("MAINSTAY_JAVA_HOME (/nowhere) is not a JDK");
  }

  @Test
  void an_agent_that_removed_the_folder_it_is_in_is_still_heard() throws Exception {
    Path gone = Files.createDirectories(root.resolve("gone"));
    String line = "rmdir \"$PWD\" && exec \"$0\" hook PostToolUse";
    List<String> command = List.of("/bin/sh", "-c", line, lib.resolve("mainstay").toString());
    jdk("pwd");

    assertThat(finish(start(gone, "{}", command)).out()).isEqualTo("/\n");

    own(new Echo("owner"));
    env.put("CLAUDE_PROJECT_DIR", folder.toString());
    Files.createDirectories(gone);
    assertThat(finish(start(gone, "{}", command)).out()).startsWith("owner");
  }

  @Test
  void what_an_owner_could_not_do_is_no_answer_to_the_host_either() throws Exception {
    own(
        new Echo("") {
          @Override
          public Desk.Done perform(Request request) {
            return new Desk.Done(2, "", "broken\n");
          }
        });

    assertThat(run("hook", "PreToolUse")).isEqualTo(new Run(0, "", "broken\n"));
    assertThat(logged()).endsWith("ended it with exit code 2");
  }

  @Test
  void a_log_that_is_a_link_is_not_written_through_and_one_that_is_full_is_put_aside()
      throws Exception {
    jdk("exit 1");
    Path elsewhere = Files.writeString(root.resolve("elsewhere"), "");
    Path log = Files.createDirectories(folder.resolve(".mainstay/log")).resolve("hooks.log");
    Files.createSymbolicLink(log, elsewhere);
    run("hook", "Stop");
    assertThat(elsewhere).isEmptyFile();

    Files.delete(log);
    Files.writeString(log, "x".repeat(HookLog.FILE_BYTES_MAX + 1_024));
    run("hook", "Stop");
    assertThat(Files.readAllLines(log)).hasSize(1);
    assertThat(log.resolveSibling("hooks.log.1")).hasSize(HookLog.FILE_BYTES_MAX + 1_024);
  }
}
