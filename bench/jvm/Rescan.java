package dev.mainstay.workspace; // what is measured is not for other packages

import dev.mainstay.bench.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A look at a workspace in which nothing changed, and one that finds what did: {@code Rescan FOLDER
 * ROUNDS LOOKS FILES...}. Ours in a warm process, the others as the processes that they are.
 */
public final class Rescan {
  private static final Lines.Metric TIME = new Lines.Metric("a look", "ms", false);
  private static final Lines.Metric PROCESSOR = new Lines.Metric("processor time", "ms", false);
  private static final double TICK_MS = 10;
  private static final int TIMES_FROM = 11;
  private static final int TIMES = 4;
  private static final String OURS = "mainstay";
  private static final String GIT = "git status";
  private static final String FLOOR = "floor: find -newer";
  private static final int FILES_A_FOLDER = 100;
  private static final int FILE_BYTES_MIN = 200;
  private static final int FILE_BYTES_MAX = 8_000;
  private static final int CHANGED = 7;
  private static final int ADDED = 3;

  private final Lines lines = new Lines("workspace re-scan");
  private final Path tree;
  private final Path stamp;
  private final int looks;

  private Rescan(Path folder, int files, int looks) throws Exception {
    this.looks = looks;
    tree = Files.createDirectory(folder.resolve("tree-" + files));
    stamp = folder.resolve("stamp-" + files);
    generate(files);
  }

  private interface Look {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    for (int i = 3; i < args.length; i++) {
      int files = Integer.parseInt(args[i]);
      Rescan row = new Rescan(Path.of(args[0]), files, Integer.parseInt(args[2]));
      if (i == 3) row.settings();
      row.run(files, Integer.parseInt(args[1]));
    }
    System.exit(0);
  }

  private void settings() throws Exception {
    lines.settings(
        OURS, "a warm process that has seen the workspace once, as a server or an MCP process has");
    String version = text("git --version").strip();
    lines.settings(
        GIT,
        version + " with feature.manyFiles (index 4, untracked cache), a process each; gc.auto 0");
    lines.goal("within 2 times the floor", TIME, FLOOR, 2);
    lines.goal("within 2 times the floor", PROCESSOR, FLOOR, 2);
    lines.settings(FLOOR, "find . -type f -newer STAMP, a process each");
  }

  private void run(int files, int rounds) throws Exception {
    String variant = String.format(Locale.ROOT, "%,d files", files);
    FileIndex index = new FileIndex(SafeTree.at(tree), ScanLimits.DEFAULT, Set.of());
    index.refresh();
    lines.check(
        "the first scan knows every file",
        variant,
        OURS,
        index.files().size() == files,
        index.files().size() + " files");
    Map<String, Look> contestants = new LinkedHashMap<>();
    contestants.put(OURS, index::refresh);
    contestants.put(GIT, () -> must(run("git status --porcelain")));
    contestants.put(FLOOR, () -> must(run(find())));
    for (int round = 0; round <= rounds; round++) { // the first one warms up
      List<Map.Entry<String, Look>> all = new ArrayList<>(contestants.entrySet());
      Collections.rotate(all, round);
      for (var each : all) {
        double before = processorMillis();
        double millis = median(each.getValue());
        double used = (processorMillis() - before) / looks;
        if (round == 0) continue;
        lines.sample(variant, each.getKey(), TIME, round, millis);
        lines.sample(variant, each.getKey(), PROCESSOR, round, used);
      }
    }
    boolean nothing = index.refresh().isNothing();
    lines.check("nothing is said to have changed when nothing did", variant, OURS, nothing, "");
    lines.check(
        "nothing is said to have changed when nothing did",
        variant,
        GIT,
        text("git status --porcelain").isEmpty(),
        "");
    change();
    String sentence = "each changed and each new file is found, and none besides";
    ScanResult found = index.refresh();
    lines.check(
        sentence,
        variant,
        OURS,
        found.changed().size() == CHANGED
            && found.added().size() == ADDED
            && found.gone().isEmpty(),
        found.changed().size() + " changed, " + found.added().size() + " added");
    long told = text("git status --porcelain").lines().count();
    lines.check(sentence, variant, GIT, told == CHANGED + ADDED, told + " lines");
    long newer = text(find()).lines().count();
    lines.check(sentence, variant, FLOOR, newer == CHANGED + ADDED, newer + " lines");
  }

  private String find() {
    return "find . -name .git -prune -o -type f -newer '" + stamp + "' -print";
  }

  /** Old enough that neither git nor the scan doubts the times. */
  private void generate(int files) throws Exception {
    Random random = new Random(4);
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
    int folders = Math.max(1, files / FILES_A_FOLDER);
    for (int i = 0; i < files; i++) {
      int folder = i % folders;
      Path into = tree.resolve("area" + folder % 10).resolve("part" + folder % 50);
      into = into.resolve("folder" + folder);
      if (i < folders) Files.createDirectories(into);
      byte[] content = new byte[FILE_BYTES_MIN + random.nextInt(FILE_BYTES_MAX - FILE_BYTES_MIN)];
      random.nextBytes(content);
      Files.setLastModifiedTime(Files.write(into.resolve("File" + i + ".java"), content), old);
    }
    try (var all = Files.walk(tree)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Files.isDirectory(each)) Files.setLastModifiedTime(each, old);
      }
    }
    must(run("git init -q && git config feature.manyFiles true && git config gc.auto 0"));
    must(run("git add -A"));
    must(run("git -c user.name=Ada -c user.email=ada@example.org commit -q -m all"));
    Thread.sleep(2_500); // the inodes' own times must be settled as well
    must(run("git status --porcelain"));
    must(run("git status --porcelain"));
    Files.writeString(stamp, "");
  }

  private void change() throws Exception {
    Path folder = tree.resolve("area0").resolve("part0").resolve("folder0");
    Path[] files;
    try (var all = Files.list(folder)) {
      files = all.sorted().limit(CHANGED).toArray(Path[]::new);
    }
    for (Path file : files) Files.writeString(file, "changed " + file.getFileName());
    for (int i = 0; i < ADDED; i++) Files.writeString(folder.resolve("New" + i + ".java"), "new");
    Thread.sleep(50); // what was written in this very moment is looked at again anyway
  }

  /** Of this process and of those that it started and that have ended; Linux counts in ticks. */
  private static double processorMillis() throws IOException {
    Path own = Path.of("/proc/self/stat");
    if (!Files.exists(own)) return 0;
    String text = Files.readString(own);
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
    long ticks = 0;
    for (int i = 0; i < TIMES; i++) ticks += Long.parseLong(fields[TIMES_FROM + i]);
    return ticks * TICK_MS;
  }

  private double median(Look look) throws Exception {
    double[] millis = new double[looks];
    for (int i = 0; i < looks; i++) {
      long start = System.nanoTime();
      look.run();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return millis[looks / 2];
  }

  private int run(String command) throws IOException, InterruptedException {
    return started(command, ProcessBuilder.Redirect.DISCARD).waitFor();
  }

  private String text(String command) throws Exception {
    Process process = started(command, ProcessBuilder.Redirect.PIPE);
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    must(process.waitFor());
    return text;
  }

  private Process started(String command, ProcessBuilder.Redirect out) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + command);
    if (command.contains("&&")) builder.command("sh", "-c", command);
    return builder
        .directory(tree.toFile())
        .redirectOutput(out)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void must(int code) {
    if (code != 0) throw new IllegalStateException("a command failed with " + code);
  }
}
