import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end. */
final class Child {
  private static final int MINUTES_MAX = 20;

  private Child() {}

  /** What it said, how it ended, and how long that took from before its start. */
  record Ended(String said, int exit, double ms) {
    Ended well(List<String> argv) {
      if (exit == 0) return this;
      throw new IllegalStateException(argv + " ended with " + exit + ": " + said);
    }
  }

  static Ended run(Path folder, Map<String, String> environment, List<String> argv)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(argv).directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("stderr").toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    long began = System.nanoTime();
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException(argv + " took more than " + MINUTES_MAX + " minutes");
    }
    return new Ended(said, process.exitValue(), (System.nanoTime() - began) / 1e6);
  }

  /** A JSON line, the last that a program printed. */
  static JsonObject json(Path folder, List<String> argv) throws IOException, InterruptedException {
    String said = run(folder, Map.of(), argv).well(argv).said().strip();
    return JsonText.object(said.substring(said.lastIndexOf('\n') + 1));
  }

  /** This very program in a JVM of its own, with the options that the launcher gives a server. */
  static List<String> java(Class<?> main, Object... arguments) {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    argv.add("-Dslf4j.internal.verbosity=ERROR");
    argv.add("-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider");
    argv.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Object each : arguments) argv.add(String.valueOf(each));
    return argv;
  }
}
