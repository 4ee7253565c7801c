package dev.mainstay.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stand-in was told to do.
 *
 * @param log where each submitted text is noted; null for nowhere
 * @param program what is run for each text; empty for nothing
 * @param exitOn the text that makes it leave
 */
record StandInOrder(
    Pace pace, @Nullable Path log, List<String> program, boolean dialog, String exitOn) {
  static final int MILLIS_MAX = 3_600_000;
  private static final int ARGV_LINES_MAX = 1_000;

  /**
   * How long it is at work, how late it draws, and with which turn it crashes.
   *
   * @param crashAfter 0 for never
   */
  record Pace(int workMillis, int lateMillis, int crashAfter) {}

  /** Reads the arguments; what is wrong with them is one sentence. */
  static StandInOrder of(String... args) throws IOException {
    Deque<String> left = new ArrayDeque<>(List.of(args));
    int work = 300;
    int late = 100;
    int crash = 0;
    Path log = null;
    List<String> program = List.of();
    boolean dialog = false;
    String exit = "/exit";
    while (!left.isEmpty()) {
      String name = left.pop();
      if (name.equals("--dialog")) {
        dialog = true;
        continue;
      }
      if (left.isEmpty()) throw new IllegalArgumentException(name + " needs a value");
      String value = left.pop();
      switch (name) {
        case "--work" -> work = number(name, value);
        case "--late" -> late = number(name, value);
        case "--crash-after" -> crash = number(name, value);
        case "--log" -> log = Path.of(value);
        case "--do" -> program = program(Path.of(value));
        case "--exit-on" -> exit = value;
        default -> throw new IllegalArgumentException("there is no argument " + name);
      }
    }
    return new StandInOrder(new Pace(work, late, crash), log, program, dialog, exit);
  }

  private static int number(String name, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 0 && number <= MILLIS_MAX) return number;
    } catch (NumberFormatException none) {
      // Told below, together with what is too large.
    }
    throw new IllegalArgumentException(name + " is a number from 0 to " + MILLIS_MAX);
  }

  /** What can be run is run; of all else each line is an argument. */
  private static List<String> program(Path file) throws IOException {
    if (Files.isExecutable(file)) return List.of(file.toAbsolutePath().toString());
    List<String> argv = new ArrayList<>(Files.readAllLines(file));
    if (argv.isEmpty() || argv.size() > ARGV_LINES_MAX) {
      throw new IllegalArgumentException(
          file + " must be executable, or have an argument on each of its lines");
    }
    return argv;
  }
}
