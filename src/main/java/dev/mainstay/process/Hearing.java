package dev.mainstay.process;

import dev.mainstay.process.Programs.Listener;
import dev.mainstay.process.Programs.Order;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program whose answer is what it prints: apart from what it complains about, and with how
 * it ended. Within the same limits as {@link Programs}.
 */
public final class Hearing {
  private Hearing() {}

  /** How a program ended. */
  public enum End {
    EXITED,
    NOT_STARTED,
    TOO_SLOW,
    /** Whoever waited for it was told to stop. */
    INTERRUPTED
  }

  /** How it ended, with which code if it exited, and the beginnings of what it said. */
  public record Heard(End end, int exit, String output, String complaints) {
    static Heard nothing(End end, String complaints) {
      return new Heard(end, -1, "", complaints);
    }
  }

  /** Runs a program to its end; one that takes too long is ended with all it started. */
  public static Heard of(Order order) {
    Process process = null;
    try {
      var builder =
          new ProcessBuilder(order.argv()).redirectInput(Redirect.from(new File("/dev/null")));
      Path folder = order.folder();
      if (folder != null) builder.directory(folder.toFile());
      process = builder.start();
      Listener output = new Listener(process.getInputStream(), order.shown());
      Listener complaints = new Listener(process.getErrorStream(), OutputStream.nullOutputStream());
      output.start();
      complaints.start();
      if (!process.waitFor(order.limit().toMillis(), TimeUnit.MILLISECONDS)) {
        return Heard.nothing(End.TOO_SLOW, complaints.heard());
      }
      // Something it started may keep the pipes open for ever; its own words have come by now.
      output.join(Programs.LAST_WORDS_MILLIS);
      complaints.join(Programs.LAST_WORDS_MILLIS);
      return new Heard(End.EXITED, process.exitValue(), output.heard(), complaints.heard());
    } catch (IOException notInstalled) {
      return Heard.nothing(End.NOT_STARTED, String.valueOf(notInstalled.getMessage()));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Heard.nothing(End.INTERRUPTED, "");
    } finally {
      if (process != null) Programs.end(process.toHandle());
    }
  }
}
