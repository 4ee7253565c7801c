package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs the usual commands once on a store of its own, so that an archive of their classes is made.
 */
final class WarmUp {
  private static final String INPUT = "{\"decisions\": [\"warm up\"], \"next_focus\": \"more\"}";

  private static final List<List<String>> USUAL =
      List.of(
          List.of(
              "task",
              "create",
              "warm up",
              "--description",
              "first",
              "--metadata",
              "{\"a\": [1, true]}"),
          List.of("task", "create", "then", "--depends-on", "T-001", "--key", "once"),
          List.of("task", "show", "T-002"),
          List.of("task", "show", "T-001", "--json"),
          List.of("task", "list"),
          List.of("task", "ready", "--json"),
          List.of("task", "update", "T-001", "--priority", "3"),
          List.of("task", "cancel", "T-002", "--reason", "warm"),
          List.of("task", "show", "T-999"),
          List.of("state", "start", "T-001", "--goal", "warm up"),
          List.of("state", "merge", "T-001", "-"),
          List.of("plan", "set", "T-001", "one", "two"),
          List.of("plan", "done", "T-001", "1"),
          List.of("directive", "add", "T-001", "stay warm"),
          List.of("dump", "T-001"),
          List.of("state", "show", "T-001"),
          List.of("state", "show", "T-001", "--json"),
          List.of("prompt", "T-001", "--for", "claude-code"),
          List.of("checkpoint", "save", "T-001", "warm"),
          List.of("journal"),
          List.of("verify"),
          List.of("--help"));

  private WarmUp() {}

  static int run() {
    return run(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static int run(Path parent) {
    try {
      Path folder = Files.createTempDirectory(parent, "mainstay-warm-up");
      // Temporary files may lie within somebody's project, whose store must not be written to.
      Files.createDirectory(folder.resolve(".git"));
      try {
        Map<String, String> env = new TreeMap<>(System.getenv());
        env.keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
        Wiring wiring = new Wiring(env, folder);
        PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        byte[] input = INPUT.getBytes(StandardCharsets.UTF_8);
        for (List<String> command : USUAL) {
          var in = new ByteArrayInputStream(input);
          var io = new Io(in, nowhere, nowhere, Map.of(), Io.Screen.PIPE);
          Door.run(command.toArray(String[]::new), io, wiring);
        }
        return 0;
      } finally {
        remove(folder);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
    }
  }
}
