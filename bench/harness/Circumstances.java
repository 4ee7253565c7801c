import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Where and when something was measured, without a word on whose machine it was. */
final class Circumstances {
  private Circumstances() {}

  static JsonObject before(Path disk) throws IOException {
    return JsonObject.of("at", Instant.now().truncatedTo(ChronoUnit.SECONDS), "load_before", load())
        .with("processor", field("/proc/cpuinfo", "model name"))
        .with("cores", Runtime.getRuntime().availableProcessors())
        .with("memory", field("/proc/meminfo", "MemTotal"))
        .with("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .with("disk", Files.getFileStore(disk).type())
        .with("java", System.getProperty("java.runtime.version"))
        .with("node", said("node", "--version"))
        .with("commit", said("git", "rev-parse", "--short=12", "HEAD"))
        .with("changed_since", changes());
  }

  static JsonObject after(JsonObject before) throws IOException {
    return before.with("load_after", load());
  }

  static String load() throws IOException {
    Path file = Path.of("/proc/loadavg");
    if (!Files.isReadable(file)) return "unknown";
    String[] words = Files.readString(file).split(" ");
    return words[0] + " " + words[1] + " " + words[2];
  }

  private static String field(String file, String name) throws IOException {
    if (!Files.isReadable(Path.of(file))) return "unknown";
    for (String line : Files.readAllLines(Path.of(file))) {
      if (line.startsWith(name)) return line.substring(line.indexOf(':') + 1).strip();
    }
    return "unknown";
  }

  /** Whether sources differed from the commit; what a run writes itself does not count. */
  private static boolean changes() {
    return !said("git", "status", "--porcelain", "--", "src", "pom.xml", "mainstay").isEmpty();
  }

  private static String said(String... command) {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? text : "unknown";
    } catch (IOException absent) {
      return "none";
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
