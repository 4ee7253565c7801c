import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time, in milliseconds: what a busy machine does not change much, while everybody waits
 * for it there. Linux counts it in ticks of 10 ms.
 */
final class Cpu {
  private static final double TICK_MS = 10;
  private static final int OWN = 11;
  private static final int OF_CHILDREN = 13;

  private Cpu() {}

  /** Of all processes that this one started and that have ended. */
  static double ofEndedChildren() throws IOException {
    return ms(Path.of("/proc/self/stat"), OF_CHILDREN);
  }

  /** Of a process that runs, without those it started. */
  static double of(long pid) throws IOException {
    return ms(Path.of("/proc", String.valueOf(pid), "stat"), OWN);
  }

  private static double ms(Path file, int field) throws IOException {
    if (!Files.exists(file)) return 0;
    String text = Files.readString(file);
    // The name of the program stands in brackets and may hold blanks.
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) * TICK_MS;
  }
}
