package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real disk that is small, full or read-only. Needs the right to mount one. */
class DiskTest {
  @TempDir Path folder;
  private Path disk;
  private String out = "";
  private String err = "";

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeThat(command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()))
        .as("mounting a small disk needs root on Linux")
        .isZero();
  }

  @AfterEach
  void unmount() throws Exception {
    // A process that another test starts at this moment has our files open until it is itself.
    command("umount", "-l", disk.toString());
  }

  private static int command(String... argv) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (IOException notThere) {
      return -1;
    }
  }

  /** Refused as long as a process that another test has just started has our files open. */
  private void makeReadOnly() throws Exception {
    for (int tries = 0; tries < 100; tries++) {
      if (command("mount", "-o", "remount,ro", disk.toString()) == 0) return;
    }
    throw new AssertionError("somebody writes to " + disk);
  }

  private int run(String... args) {
    var stdout = new ByteArrayOutputStream();
    var stderr = new ByteArrayOutputStream();
    var env = Map.of("USER", "ada");
    Io io =
        new Io(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(stdout, false, StandardCharsets.UTF_8),
            new PrintStream(stderr, false, StandardCharsets.UTF_8),
            env,
            Screen.PIPE);
    int code = Door.run(args, io, new Wiring(env, disk));
    out = stdout.toString(StandardCharsets.UTF_8);
    err = stderr.toString(StandardCharsets.UTF_8);
    return code;
  }

  @Test
  void a_full_disk_is_said_to_be_full_and_nothing_acknowledged_is_lost() throws IOException {
    int made = 0;
    int code;
    do {
      code = run("task", "create", "task " + made, "--description", "x".repeat(20_000));
      if (code == 0) made++;
    } while (code == 0 && made < 500);
    assertThat(code).isEqualTo(5);
    assertThat(err).contains("full").contains("make room").doesNotContain("Exception");
    assertThat(made).isPositive();
    assertThat(run("task", "list", "--json", "--limit", "1000")).as(err).isZero();
    assertThat(out.split("\"id\":")).hasSize(made + 1);
  }

  @Test
  void a_read_only_disk_can_be_read_and_says_that_it_cannot_be_written() throws Exception {
    assertThat(run("task", "create", "one")).isZero();
    makeReadOnly();
    assertThat(run("task", "show", "T-001")).as(err).isZero();
    assertThat(out).startsWith("T-001  one");
    assertThat(run("task", "create", "two")).isEqualTo(5);
    assertThat(err).contains("read-only").doesNotContain("Exception");
    assertThat(run("verify")).as(err).isZero();
  }

  @Test
  void a_new_store_on_a_read_only_disk_is_refused() throws Exception {
    makeReadOnly();
    assertThat(run("task", "create", "one")).isEqualTo(5);
    assertThat(err).contains("--db").doesNotContain("Exception");
  }
}
