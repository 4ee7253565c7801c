package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first thing a newcomer runs must go through to its end. */
class DemoTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String... args) {
    Map<String, String> env = Map.of("USER", "ada");
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    Io io = new Io(new ByteArrayInputStream(new byte[0]), stream, stream, env, Screen.PIPE);
    return Door.run(args, io, new Wiring(env, folder));
  }

  @Test
  void the_demo_tells_its_story_by_real_commands_and_ends_well() {
    Path place = folder.resolve("demo");
    assertThat(run("demo", "--story", "commands", "--dir", place.toString())).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "$ mainstay task ready", "[done] 1. List the endpoints", "[redacted:", "all is well")
        .contains(
            "mainstay: T-001 is not done, 3 things are left: (1) step 2 is todo: Choose the token",
            "criterion 1 of T-001 is met",
            "T-001 is completed")
        .contains("T-004  Rotate the key (ready)\n\n$ mainstay task create 'Rotate the key'");
    assertThat(run("verify", "--db", place.resolve("state.sqlite3").toString())).isZero();
    assertThat(run("demo", "--story", "commands", "--dir", place.toString()))
        .as("never over a store")
        .isEqualTo(4);
    assertThat(run("demo", "--story", "commands", "--db", "x.sqlite3")).isEqualTo(1);
  }

  @Test
  void without_tmux_the_demo_says_so_and_tells_another_story() {
    Path place = folder.resolve("demo");
    assertThat(run("demo", "--dir", place.toString(), "--json"))
        .as("a program gets no other story than it asked for")
        .isEqualTo(5);
    assertThat(place).doesNotExist();
    assertThat(run("demo", "--dir", place.toString())).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("terminals need tmux: install it (apt-get install tmux", "T-001 is completed");
  }
}
