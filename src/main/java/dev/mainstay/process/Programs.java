package dev.mainstay.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs by their argument list, never through a shell, within limits. */
public final class Programs {
  private static final int OUTPUT_BYTES_MAX = 64 * 1024;

  private Programs() {}

  /** How a program ended and the beginning of what it printed. */
  public record Ended(int exit, String output) {}

  /** Runs a program to its end; empty when it is not installed or took too long. */
  public static Optional<Ended> run(List<String> argv, Duration limit) {
    return run(argv, limit, Redirect.from(new File("/dev/null")));
  }

  /** The same for a program that asks the terminal itself, as {@code stty} does. */
  public static Optional<Ended> runOnTerminal(List<String> argv, Duration limit) {
    return run(argv, limit, Redirect.from(new File("/dev/tty")));
  }

  private static Optional<Ended> run(List<String> argv, Duration limit, Redirect input) {
    Process process = null;
    try {
      process = new ProcessBuilder(argv).redirectErrorStream(true).redirectInput(input).start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) return Optional.empty();
      try (InputStream out = process.getInputStream()) {
        String text = new String(out.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
        return Optional.of(new Ended(process.exitValue(), text));
      }
    } catch (IOException notInstalled) {
      return Optional.empty();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      if (process != null) process.toHandle().destroyForcibly();
    }
  }
}
