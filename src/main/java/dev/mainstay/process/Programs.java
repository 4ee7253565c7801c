package dev.mainstay.process;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs programs by their argument list, never through a shell, within limits. */
public final class Programs {
  private static final int OUTPUT_BYTES_MAX = 64 * 1024;
  private static final int BUFFER_BYTES = 8_192;
  static final long LAST_WORDS_MILLIS = 2_000;

  private Programs() {}

  /** How a program ended and the beginning of what it printed. */
  public record Ended(int exit, String output) {}

  /**
   * What to run, in which folder, how long at most, and who else gets to see what it prints.
   *
   * @param folder null for the current one
   */
  public record Order(
      List<String> argv, @Nullable Path folder, Duration limit, OutputStream shown) {
    public static Order of(List<String> argv, Duration limit) {
      return new Order(argv, null, limit, OutputStream.nullOutputStream());
    }

    public Order in(Path newFolder) {
      return new Order(argv, newFolder, limit, shown);
    }

    public Order showing(OutputStream newShown) {
      return new Order(argv, folder, limit, newShown);
    }
  }

  /** Runs a program to its end; empty when it is not installed or took too long. */
  public static Optional<Ended> run(List<String> argv, Duration limit) {
    return run(Order.of(argv, limit));
  }

  /** The same with more to say; a program that takes too long is ended with all it started. */
  public static Optional<Ended> run(Order order) {
    return run(order, Redirect.from(new File("/dev/null")));
  }

  /** The same for a program that asks the terminal itself, as {@code stty} does. */
  public static Optional<Ended> runOnTerminal(List<String> argv, Duration limit) {
    return run(Order.of(argv, limit), Redirect.from(new File("/dev/tty")));
  }

  /**
   * Runs a program for the person who called, with their terminal as its own, until it ends; empty
   * when it is not installed.
   */
  public static Optional<Integer> runHere(List<String> argv) {
    try {
      return Optional.of(new ProcessBuilder(argv).inheritIO().start().waitFor());
    } catch (IOException notInstalled) {
      return Optional.empty();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<Ended> run(Order order, Redirect input) {
    Process process = null;
    try {
      var builder = new ProcessBuilder(order.argv()).redirectErrorStream(true).redirectInput(input);
      Path folder = order.folder();
      if (folder != null) builder.directory(folder.toFile());
      process = builder.start();
      Listener listener = new Listener(process.getInputStream(), order.shown());
      listener.start();
      if (!process.waitFor(order.limit().toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
      // Something it started may keep the pipe open for ever; its own words have come by now.
      listener.join(LAST_WORDS_MILLIS);
      return Optional.of(new Ended(process.exitValue(), listener.heard()));
    } catch (IOException notInstalled) {
      return Optional.empty();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      if (process != null) end(process.toHandle());
    }
  }

  static void end(ProcessHandle process) {
    if (!process.isAlive()) return;
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Reads all that is printed, or a full pipe would stop the program, and keeps the beginning. */
  static final class Listener extends Thread {
    private final InputStream in;
    private final OutputStream shown;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    Listener(InputStream in, OutputStream shown) {
      super("program-output");
      this.in = in;
      this.shown = shown;
      setDaemon(true);
    }

    @Override
    public void run() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (in) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          keep(buffer, read);
          shown.write(buffer, 0, read);
          shown.flush();
        }
      } catch (IOException ended) {
        return;
      }
    }

    private synchronized void keep(byte[] bytes, int length) {
      kept.write(bytes, 0, Math.min(length, OUTPUT_BYTES_MAX - kept.size()));
    }

    synchronized String heard() {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }
}
