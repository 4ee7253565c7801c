import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Lets everybody take a turn in each round, in another order each time, in an empty folder each.
 */
final class Contest {
  /** One who takes part. */
  record Contestant(String variant, String who, Entry entry) {}

  interface Entry {
    void run(Path folder, int round) throws Exception;
  }

  private final List<Contestant> all = new ArrayList<>();
  private final Path work;

  Contest(Path work) {
    this.work = work;
  }

  void add(String variant, String who, Entry entry) {
    all.add(new Contestant(variant, who, entry));
  }

  void run(int rounds) throws Exception {
    for (int round = 1; round <= rounds; round++) {
      List<Contestant> order = new ArrayList<>(all);
      Collections.rotate(order, round - 1);
      if (round % 2 == 0) Collections.reverse(order);
      for (Contestant each : order) {
        Path folder = Files.createTempDirectory(work, "round-" + round + "-");
        long began = System.nanoTime();
        each.entry().run(folder, round);
        System.err.printf(
            "round %d, %s, %s: %.1f s%n",
            round, each.variant(), each.who(), (System.nanoTime() - began) / 1e9);
        Folders.delete(folder);
      }
    }
  }
}
