import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the program of one row in an empty folder of its own, and reads what it prints. */
final class RowProcess {
  private static final int MINUTES_MAX = 180;

  private RowProcess() {}

  static List<String> lines(Path program, Path work, boolean smoke)
      throws IOException, InterruptedException {
    empty(work);
    Files.createDirectories(work);
    Path said = said(work);
    ProcessBuilder builder =
        smoke
            ? new ProcessBuilder(program.toString(), "--smoke")
            : new ProcessBuilder(program.toString());
    builder.environment().put("BENCH_WORK", work.toString());
    // Backups and trust marks of earlier runs in the same folder must not be found.
    builder.environment().put("XDG_STATE_HOME", work.resolve("state-home").toString());
    builder.redirectOutput(said.toFile());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Process process = builder.start();
    try {
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
        throw new IOException(
            program.getFileName() + " took more than " + MINUTES_MAX + " minutes");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(program.getFileName() + " ended with exit code " + process.exitValue());
    }
    List<String> lines = Files.readAllLines(said, StandardCharsets.UTF_8);
    empty(work);
    return lines;
  }

  /**
   * What an earlier run had said when it was stopped; a line that it had only begun is left out.
   */
  static List<String> kept(Path work) throws IOException {
    List<String> lines = Files.readAllLines(said(work), StandardCharsets.UTF_8);
    return lines.stream().filter(line -> line.endsWith("}")).toList();
  }

  private static Path said(Path work) {
    return work.resolveSibling(work.getFileName() + ".jsonl");
  }

  private static void empty(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
