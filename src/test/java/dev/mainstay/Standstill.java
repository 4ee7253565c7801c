package dev.mainstay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes that are stopped by a signal, and go on by another. */
public final class Standstill {
  private Standstill() {}

  /** Stops a process; when this returns nothing of it moves any more. */
  public static void begin(Process process) {
    signal("STOP", process);
    while (!isWhole(process)) Pause.briefly();
  }

  public static void end(Process process) {
    signal("CONT", process);
  }

  /**
   * Each thread stops when it comes to it: on a busy machine one may answer somebody after the
   * signal was sent, and after others have stopped.
   */
  public static boolean isWhole(Process process) {
    Path threads = Path.of("/proc/" + process.pid() + "/task");
    try (Stream<Path> all = Files.list(threads)) {
      List<Path> found = all.toList();
      return !found.isEmpty() && found.stream().allMatch(Standstill::isStopped);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** The third field says it; the second is a name in parentheses. */
  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
    } catch (NoSuchFileException ended) {
      return true;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void signal(String name, Process to) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start().waitFor();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }
}
