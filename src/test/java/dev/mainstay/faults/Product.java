package dev.mainstay.faults;

import dev.mainstay.Jvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The product as this build made it, in processes of its own. */
final class Product {
  /** Nobody's environment but this one, so that a repetition comes from the same agent. */
  static final Map<String, String> ENV =
      Map.of("PATH", System.getenv("PATH"), "CODEX_SANDBOX", "1", "LC_ALL", "C.UTF-8");

  static final String MAIN = "dev.mainstay.app.Main";
  private static final long PATIENCE_SECONDS = 120;

  private final Path folder;

  /** What its processes put down beside their project goes into the folder. */
  Product(Path folder) {
    this.folder = folder;
  }

  /** How a process ended, and what it said. */
  record Ended(int exit, String out, String err) {}

  /** The words that start a class of the product, or of the tests, with arguments. */
  List<String> command(String main, List<String> args) {
    List<String> options = new ArrayList<>(Jvm.QUIET);
    options.addAll(List.of("-XX:-UsePerfData", "-Xmx128m", "-Djava.io.tmpdir=" + folder));
    return Jvm.words(options, main, args);
  }

  /** Runs a command to its end. */
  static Ended run(List<String> command, Path project, String input) throws Exception {
    Path err = Files.createTempFile("mainstay-faults", ".err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
    builder.environment().clear();
    builder.environment().putAll(ENV);
    Process process = builder.redirectError(err.toFile()).start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
    } catch (IOException itDidNotReadOn) {
      process.getOutputStream();
    }
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(command + " does not end");
      }
      return new Ended(process.exitValue(), out, Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(err);
    }
  }
}
