package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** One command run to its end inside the test, as an agent would run it. */
record CliRun(int code, String out, String err) {
  private static final Map<String, String> ENV = Map.of("CODEX_SANDBOX", "1");

  static CliRun of(Path folder, String input, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var io =
        new Io(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            ENV,
            Io.Screen.PIPE);
    int code = Door.run(args, io, new Wiring(ENV, folder));
    return new CliRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
