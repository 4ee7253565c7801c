package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** One command run to its end inside the test, as an agent or a person would run it. */
public record CliRun(int code, String out, String err) {
  private static final Map<String, String> ENV = Map.of("CODEX_SANDBOX", "1");

  public static CliRun of(Path folder, String input, String... args) {
    return of(folder, input.getBytes(StandardCharsets.UTF_8), ENV, args);
  }

  /** With standard input of any bytes and an environment of its own. */
  public static CliRun of(Path folder, byte[] input, Map<String, String> env, String... args) {
    return of(folder, input, env, Io.Screen.PIPE, args);
  }

  /** By somebody who sits at a terminal. */
  public static CliRun byPerson(Path folder, Map<String, String> env, String... args) {
    return of(folder, new byte[0], env, Io.Screen.PIPE.attended(true), args);
  }

  private static CliRun of(
      Path folder, byte[] input, Map<String, String> env, Io.Screen screen, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var io =
        new Io(
            new ByteArrayInputStream(input),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            env,
            screen);
    int code = Door.run(args, io, new Wiring(env, folder));
    return new CliRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
