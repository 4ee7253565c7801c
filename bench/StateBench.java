import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Prompts.Wanted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures one task with a journal that grows; see the script beside this file. */
public final class StateBench {
  private static final List<Integer> LENGTHS = List.of(10, 1_000, 100_000);
  private static final int SEEDING_THREADS = 32;
  private static final int WARM_UP = 3_000;
  private static final int RENDERINGS = 200;
  private static final double FLAT_RATIO_MAX = 2;

  /** The whole state is long at the end: so few turns of the baseline are enough. */
  private static final int BASELINE_TURNS = 10;

  private static final Call BOT = Call.by(Actor.agent("bench"), "bench");
  private static final TaskId ONE = TaskId.of(1);

  private StateBench() {}

  /** Medians in milliseconds. */
  private record Figures(int length, double update, double dump, double prompt, double earlier) {
    double updatesPerSecond() {
      return 1_000 / update;
    }
  }

  private interface Step {
    void run(int i) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Path work = Path.of(args[0]);
    int updates = Integer.parseInt(args[1]);
    List<Figures> all = new ArrayList<>();
    try (Mainstay mainstay = Mainstay.open(work.resolve("state.sqlite3").toString())) {
      mainstay.tasks().create(NewTask.titled("one"), BOT);
      warmUp(mainstay);
      int done = 0;
      for (int length : LENGTHS) {
        // A task of its own for each length, so that measuring does not lengthen the next one.
        TaskId id = mainstay.tasks().create(NewTask.titled("length " + length), BOT).id();
        seed(mainstay, id, length);
        all.add(figures(mainstay, id, length, updates));
        done++;
        System.err.printf(Locale.ROOT, "measured %d of %d%n", done, LENGTHS.size());
      }
    }
    List<Double> baseline = new ArrayList<>();
    for (int length : LENGTHS) baseline.add(baseline(work, length));
    report(all, baseline, updates, Path.of(args[2]));
  }

  private static void seed(Mainstay mainstay, TaskId id, int entries) throws Exception {
    var pool = Executors.newFixedThreadPool(SEEDING_THREADS);
    AtomicInteger next = new AtomicInteger();
    for (int thread = 0; thread < SEEDING_THREADS; thread++) {
      pool.submit(
          () -> {
            for (int i = next.getAndIncrement(); i < entries; i = next.getAndIncrement()) {
              mainstay.notebooks().merge(id, delta(i), BOT);
            }
            return 0;
          });
    }
    pool.shutdown();
    if (!pool.awaitTermination(30, TimeUnit.MINUTES)) throw new IllegalStateException("too slow");
  }

  private static NotebookDelta delta(int i) {
    String text = "turn " + i + ": " + "read, changed and tested one thing more ".repeat(3);
    return i % 10 == 0
        ? NotebookDelta.of(Section.DECISIONS, text)
        : NotebookDelta.of(Section.HISTORY, text);
  }

  private static Figures figures(Mainstay mainstay, TaskId id, int length, int updates)
      throws Exception {
    // The lists are full before anything is measured: a notebook is as large as it gets.
    for (int i = 0; i < 60; i++) {
      mainstay.notebooks().merge(id, NotebookDelta.of(Section.DECISIONS, "decision " + i), BOT);
    }
    double update =
        median(updates, i -> mainstay.notebooks().merge(id, delta(length + 1 + i), BOT));
    double dump = median(RENDERINGS, i -> mainstay.notebooks().dump(id, null));
    Wanted claude = Wanted.by("claude-code");
    double prompt = median(RENDERINGS, i -> mainstay.prompts().render(id, claude));
    // As far behind a snapshot as can be.
    Moment middle = Moment.entry(Math.max(1, length * 3 / 4 - 1));
    double earlier = median(20, i -> mainstay.timeTravel().at(id, middle));
    return new Figures(length, update, dump, prompt, earlier);
  }

  /** Without this the first length would be measured while Java still compiles. */
  private static void warmUp(Mainstay mainstay) {
    for (int i = 0; i < WARM_UP; i++) {
      mainstay.notebooks().merge(ONE, delta(i), BOT);
      mainstay.notebooks().dump(ONE, null);
      mainstay.prompts().render(ONE, Wanted.by("claude-code"));
    }
  }

  /** Milliseconds. */
  private static double median(int times, Step step) throws Exception {
    double[] took = new double[times];
    for (int i = 0; i < times; i++) {
      long begin = System.nanoTime();
      step.run(i);
      took[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(took);
    return took[times / 2];
  }

  /** Each turn writes all turns so far as one row, as durably as Mainstay does. */
  private static double baseline(Path work, int length) throws Exception {
    Path file = Files.createTempFile(work, "baseline", ".sqlite3");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("CREATE TABLE checkpoints (id INTEGER PRIMARY KEY, state TEXT NOT NULL)");
      List<String> turns = new ArrayList<>();
      for (int i = 0; i < length; i++) turns.add(delta(i).toJson().toString());
      return median(
          BASELINE_TURNS,
          i -> {
            turns.add(delta(length + i).toJson().toString());
            try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO checkpoints (state) VALUES (?)")) {
              insert.setString(1, JsonText.write(JsonObject.of("turns", turns)));
              insert.executeUpdate();
            }
          });
    }
  }

  private static void report(List<Figures> all, List<Double> baseline, int updates, Path json)
      throws Exception {
    List<JsonObject> rows = new ArrayList<>();
    System.out.printf(
        "%-9s %10s %10s %10s %10s %10s %16s%n",
        "entries", "updates/s", "update ms", "dump ms", "prompt ms", "at ms", "whole state ms");
    for (int i = 0; i < all.size(); i++) {
      Figures f = all.get(i);
      double ratio = baseline.get(i) / f.update();
      System.out.printf(
          Locale.ROOT,
          "%-9d %10.0f %10.2f %10.2f %10.2f %10.2f %10.2f (%.1fx)%n",
          f.length(),
          f.updatesPerSecond(),
          f.update(),
          f.dump(),
          f.prompt(),
          f.earlier(),
          baseline.get(i),
          ratio);
      rows.add(
          JsonObject.of("entries", f.length(), "updates_per_second", round(f.updatesPerSecond()))
              .with("update_ms", round(f.update()))
              .with("dump_ms", round(f.dump()))
              .with("prompt_ms", round(f.prompt()))
              .with("earlier_moment_ms", round(f.earlier()))
              .with("whole_state_ms", round(baseline.get(i)))
              .with("whole_state_ratio", round(ratio)));
    }
    Figures first = all.get(0);
    Figures last = all.get(all.size() - 1);
    double update = last.update() / first.update();
    double render = last.prompt() / first.prompt();
    boolean flat = update <= FLAT_RATIO_MAX && render <= FLAT_RATIO_MAX;
    System.out.printf(
        Locale.ROOT,
        "longest / shortest journal: update %.2f, prompt %.2f (goal %.0f met: %s);"
            + " whole state per turn %.1f%n",
        update,
        render,
        FLAT_RATIO_MAX,
        flat,
        baseline.get(all.size() - 1) / baseline.get(0));
    JsonObject figures =
        JsonObject.of("updates", updates, "goal", FLAT_RATIO_MAX, "met", flat, "lengths", rows)
            .with("update_ratio", round(update))
            .with("prompt_ratio", round(render))
            .with("whole_state_growth", round(baseline.get(all.size() - 1) / baseline.get(0)));
    Files.writeString(json, JsonText.write(figures) + "\n");
  }

  private static double round(double figure) {
    return Math.round(figure * 100) / 100.0;
  }
}
