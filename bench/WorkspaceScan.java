package dev.mainstay.workspace; // what is measured is not for other packages

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Measures scans of a generated repository; see the script beside this file. */
public final class WorkspaceScan {
  private static final int FILES = 50_000;
  private static final int FOLDERS = 500;
  private static final int FILE_BYTES_MIN = 200;
  private static final int FILE_BYTES_MAX = 20_000;
  private static final int WARM_UP = 5;
  private static final int FIRST_SCANS_MAX = 5;
  private static final double STATUS_RATIO_MAX = 1.5;
  private static final double FIRST_RATIO_MAX = 2;

  private WorkspaceScan() {}

  private interface Step {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Path tree = Files.createDirectory(Path.of(args[0]));
    int rounds = Integer.parseInt(args[1]);
    String before = load();
    generate(tree);
    String pin = run(tree, "command -v taskset") == 0 ? "taskset -c 0 " : "";
    String status = "git status --porcelain";
    String sums = pin + "sh -c 'git ls-files -z | xargs -0 sha256sum'";

    // A first scan comes first: nothing in this process is warm for it.
    int firsts = Math.min(rounds, FIRST_SCANS_MAX);
    double[] first = new double[firsts];
    double[] hashing = new double[firsts];
    run(tree, sums); // the disk's cache is warm for both
    FileIndex index = fresh(tree);
    for (int i = 0; i < firsts; i++) {
      FileIndex each = fresh(tree);
      first[i] = millis(each::refresh);
      hashing[i] = millis(() -> must(run(tree, sums)));
      index = each;
    }
    check(index);

    FileIndex warm = index;
    run(tree, status);
    for (int i = 0; i < WARM_UP; i++) warm.refresh();
    double[] again = new double[rounds];
    double[] git = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      again[i] = millis(warm::refresh);
      git[i] = millis(() -> must(run(tree, status)));
    }
    if (warm.refresh().work().filesHashed() != 0) throw new IllegalStateException("not warm");
    report(new double[][] {first, hashing, again, git}, before, Path.of(args[2]));
    Reference.reachabilityFence(warm); // its memory is part of the figures
  }

  private static FileIndex fresh(Path tree) {
    return new FileIndex(SafeTree.at(tree), ScanLimits.DEFAULT, Set.of());
  }

  private static void check(FileIndex index) {
    long hashed = index.files().stream().filter(file -> file.hash() != null).count();
    if (hashed != FILES) throw new IllegalStateException(hashed + " files were hashed");
  }

  /** Old enough that neither git nor the scan doubts the times. */
  private static void generate(Path tree) throws Exception {
    Random random = new Random(4);
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
    for (int i = 0; i < FILES; i++) {
      int folder = i % FOLDERS;
      Path into = tree.resolve("area" + folder % 10).resolve("part" + folder % 50);
      into = into.resolve("folder" + folder);
      if (i < FOLDERS) Files.createDirectories(into);
      int size = FILE_BYTES_MIN + random.nextInt(FILE_BYTES_MAX - FILE_BYTES_MIN);
      byte[] content = new byte[size];
      random.nextBytes(content);
      Files.setLastModifiedTime(Files.write(into.resolve("File" + i + ".java"), content), old);
    }
    try (var all = Files.walk(tree)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Files.isDirectory(each)) Files.setLastModifiedTime(each, old);
      }
    }
    must(run(tree, "git init -q"));
    must(run(tree, "git add -A"));
    must(
        run(
            tree,
            "git -c gc.auto=0 -c user.name=Ada -c user.email=ada@example.org commit -q -m all"));
    Thread.sleep(3_000); // the inodes' own times must be settled as well
    must(run(tree, "git status --porcelain"));
  }

  private static int run(Path folder, String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command)
        .directory(folder.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static void must(int code) {
    if (code != 0) throw new IllegalStateException("a command failed with " + code);
  }

  private static double millis(Step step) throws Exception {
    long start = System.nanoTime();
    step.run();
    return (System.nanoTime() - start) / 1e6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String spread(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%.0f ms (%.0f to %.0f)",
        median(values),
        sorted[0],
        sorted[sorted.length - 1]);
  }

  private static void report(double[][] all, String before, Path out) throws IOException {
    System.gc();
    double heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
    double first = median(all[0]) / median(all[1]);
    double cold = all[0][0] / all[1][0];
    double again = median(all[2]) / median(all[3]);
    List<String> lines =
        List.of(
            "nothing changed, against git status            %.2f times (goal: at most %.1f)"
                .formatted(again, STATUS_RATIO_MAX),
            "  scan        " + spread(all[2]),
            "  git status  " + spread(all[3]),
            "first scan, against sha256sum on one core      %.2f times (goal: at most %.1f)"
                .formatted(first, FIRST_RATIO_MAX),
            "  scan        " + spread(all[0]),
            "  sha256sum   " + spread(all[1]),
            "  the very first one of the process            %.2f times".formatted(cold),
            "heap in use after it all                       %.0f MB of 256".formatted(heap),
            "load before: " + before + "; now: " + load() + "; java " + Runtime.version());
    lines.forEach(System.out::println);
    Files.writeString(
        out,
        "{\"status_ratio\":%.3f,\"first_ratio\":%.3f,\"very_first_ratio\":%.3f,\"heap_mb\":%.0f}%n"
            .formatted(again, first, cold, heap));
  }

  private static String load() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "%.2f on %d cores",
        system.getSystemLoadAverage(),
        system.getAvailableProcessors());
  }
}
