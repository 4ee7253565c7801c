import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.RepoStateText;
import dev.mainstay.render.Tokens;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Measures the rendering of snapshots; see the script beside this file. */
public final class SnapshotText {
  private static final List<Integer> SIZES = List.of(100, 10_000, 100_000);
  private static final int WARM_UP = 100;
  private static final double GOAL_MS = 50;
  private static final Instant NOW = Instant.parse("2025-10-22T03:15:42Z");

  private SnapshotText() {}

  private interface Paths {
    String path(Random random, int i);
  }

  /** Milliseconds and tokens. */
  private record Figures(String tree, int files, double median, double slowest, int tokens) {}

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[0]);
    List<Figures> all = new ArrayList<>();
    for (int size : SIZES) {
      all.add(figures("ordinary", state(size, SnapshotText::ordinary), times));
      all.add(figures("hostile", state(size, SnapshotText::hostile), times));
    }
    report(all, times, Path.of(args[1]));
  }

  private static String ordinary(Random random, int i) {
    return "src/%s/java/dev/example/room%d/shelf%d/Thing%d.java"
        .formatted(random.nextBoolean() ? "main" : "test", random.nextInt(40), i % 60, i);
  }

  private static String hostile(Random random, int i) {
    return "\ud83e\udd77\u4df5</x>".repeat(10) + random.nextInt() + "/deep/" + i + "/\u4df5.txt";
  }

  private static RepoState state(int size, Paths paths) {
    Random random = new Random(size);
    List<FileMeta> files = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      FileStatus status = random.nextInt(500) == 0 ? FileStatus.MODIFIED : FileStatus.UNCHANGED;
      String hash = "%08x".formatted(random.nextInt()).repeat(8);
      Instant time = NOW.minusSeconds(random.nextInt(10_000_000));
      files.add(new FileMeta(paths.path(random, i), hash, random.nextInt(90_000), time, status));
    }
    List<OpenTask> tasks = new ArrayList<>();
    for (int i = 0; i < RepoState.OPEN_TASKS_MAX; i++) {
      String words = "finish another of the many parts of this long story ".repeat(4);
      tasks.add(new OpenTask(i + ": " + words, OpenTask.Status.PENDING, i));
    }
    return new RepoState("/srv/example", "story-1", files, tasks, NOW);
  }

  private static Figures figures(String tree, RepoState state, int times) {
    List<String> touched = state.files().stream().limit(20).map(FileMeta::path).toList();
    for (int i = 0; i < WARM_UP; i++) RepoStateText.of(state, touched);
    double[] took = new double[times];
    int tokens = 0;
    for (int i = 0; i < times; i++) {
      long begin = System.nanoTime();
      RepoStateText rendered = RepoStateText.of(state, touched);
      took[i] = (System.nanoTime() - begin) / 1e6;
      if (i == 0) tokens = Tokens.O200K.count(rendered.text());
    }
    Arrays.sort(took);
    return new Figures(tree, state.files().size(), took[times / 2], took[times - 1], tokens);
  }

  private static void report(List<Figures> all, int times, Path json) throws Exception {
    System.out.printf(
        "%-9s %9s %10s %11s %7s%n", "tree", "files", "median ms", "slowest ms", "tokens");
    List<JsonObject> rows = new ArrayList<>();
    for (Figures f : all) {
      System.out.printf(
          Locale.ROOT,
          "%-9s %9d %10.2f %11.2f %7d%n",
          f.tree(),
          f.files(),
          f.median(),
          f.slowest(),
          f.tokens());
      rows.add(
          JsonObject.of("tree", f.tree(), "files", f.files(), "tokens", f.tokens())
              .with("median_ms", round(f.median()))
              .with("slowest_ms", round(f.slowest())));
    }
    boolean met = all.stream().allMatch(f -> f.median() < GOAL_MS);
    System.out.printf(Locale.ROOT, "goal: a median below %.0f ms (met: %s)%n", GOAL_MS, met);
    JsonObject figures =
        JsonObject.of("times", times, "goal_ms", GOAL_MS, "met", met, "trees", rows);
    Files.writeString(json, JsonText.write(figures) + "\n", StandardCharsets.UTF_8);
  }

  private static double round(double figure) {
    return Math.round(figure * 100) / 100.0;
  }
}
