import dev.mainstay.bench.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims and completions per second: {@code QueueRow DATABASE FOLDER SECONDS ROUNDS WORKERS...}.
 * All take their turns round after round, each on tables of its own that were filled for it. Before
 * that all have worked with the most workers, so that their code is compiled; neither that nor the
 * first round is counted.
 */
public final class QueueRow {
  private static final Lines.Metric PAIRS = new Lines.Metric("pairs", "1/s", true);
  private static final Lines.Metric PROCESSOR =
      new Lines.Metric("processor time of a pair", "ms", false);
  private static final double WARM_UP_PER_SECOND = 500;
  private static final int WARM_UP_LEAST = 4_000;
  private static final int WARM_UP_TURNS = 3;
  private static final String OURS = "mainstay";
  private static final String BATCHED = "mainstay, four a claim";
  private static final String DB_SCHEDULER = "db-scheduler 16.12.0";
  private static final String JOBRUNR = "JobRunr 8.7.0";
  private static final String FLOOR = "floor: two bare statements and their journal entries";

  private final Lines lines = new Lines("claim and complete");
  private final QueueSupply supply;
  private final Processor processor;
  private final double seconds;
  private final Map<String, Double> fastest = new HashMap<>();

  private QueueRow(QueueSupply supply, Processor processor, double seconds) {
    this.supply = supply;
    this.processor = processor;
    this.seconds = seconds;
  }

  /** Those who are here: without the peers' own classes a part of them runs. */
  private static Map<String, QueueContestant.Opening> contestants() {
    Map<String, QueueContestant.Opening> all = new LinkedHashMap<>();
    all.put(OURS, OurQueue.claiming(1));
    all.put(BATCHED, OurQueue.claiming(4));
    all.put(FLOOR, FloorQueue::new);
    peer("DbSchedulerPeer").ifPresent(opening -> all.put(DB_SCHEDULER, opening));
    peer("JobRunrPeer").ifPresent(opening -> all.put(JOBRUNR, opening));
    return all;
  }

  private static Optional<QueueContestant.Opening> peer(String name) {
    try {
      var made =
          Class.forName(name).getDeclaredConstructor(QueueSupply.Place.class, int.class, int.class);
      return Optional.of(
          (place, workers, filled) -> (QueueContestant) made.newInstance(place, workers, filled));
    } catch (ClassNotFoundException left) {
      return Optional.empty();
    } catch (NoSuchMethodException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  public static void main(String[] args) throws Exception {
    boolean postgres = args[0].equals("postgresql");
    try (OwnPostgres server = postgres ? new OwnPostgres() : null) {
      var supply = new QueueSupply(server, Path.of(args[1]));
      QueueRow row = new QueueRow(supply, new Processor(server), Double.parseDouble(args[2]));
      row.settings();
      row.lines.goal(OURS, "within 2 times the floor", PAIRS, FLOOR, 2);
      row.warmUp(Integer.parseInt(args[args.length - 1]));
      for (int i = 4; i < args.length; i++) {
        row.run(Integer.parseInt(args[i]), Integer.parseInt(args[3]));
      }
    }
    System.exit(0); // threads of a peer that outlive it are not waited for
  }

  private void settings() {
    boolean postgres = supply.postgres();
    String disk =
        postgres
            ? "PostgreSQL 18 with fsync, synchronous_commit and full_page_writes on, HikariCP; "
            : "SQLite with journal_mode WAL and synchronous FULL; ";
    String ours = " through the dispatcher, one completion each, all journaled";
    lines.settings(OURS, disk + "one task a claim" + ours);
    lines.settings(BATCHED, disk + "up to four tasks a claim" + ours);
    lines.settings(
        FLOOR,
        disk
            + (postgres
                ? "a connection for each worker, prepared statements"
                : "one connection, for which the workers take turns"));
    lines.settings(
        DB_SCHEDULER,
        disk
            + (postgres
                ? "lock-and-fetch from 0.5 to 4 times its threads, polling every 100 ms"
                : "fetch from 0.5 to 3 times its threads (it has no other on SQLite), one connection,"
                    + " polling every 100 ms"));
    lines.settings(
        JOBRUNR,
        disk
            + "free edition, Jackson 3, cached job details, polling every 5 s (its least)"
            + (postgres ? "" : ", two connections, transactions that begin as writers"));
  }

  private void warmUp(int workers) throws Exception {
    for (int i = 0; i < WARM_UP_TURNS; i++) {
      int filled = Math.max(WARM_UP_LEAST, (int) (WARM_UP_PER_SECOND * workers * seconds));
      for (var each : contestants().entrySet()) {
        turn(each.getKey(), each.getValue(), workers, filled, false);
      }
    }
  }

  private void run(int workers, int rounds) throws Exception {
    String variant =
        (supply.postgres() ? "PostgreSQL, " : "SQLite, ")
            + (workers == 1 ? "1 worker" : workers + " workers");
    for (int round = 0; round <= rounds; round++) {
      List<Map.Entry<String, QueueContestant.Opening>> all =
          new ArrayList<>(contestants().entrySet());
      Collections.rotate(all, round);
      for (var each : all) {
        String who = each.getKey();
        // Twice as many as its fastest turn says, so that tasks last.
        int filled = 2_000 + (int) (2 * fastest.get(who) * 1.25 * seconds);
        Figure figure = turn(who, each.getValue(), workers, filled, true);
        report(variant, who, round, figure);
      }
    }
  }

  private record Pace(double perSecond, double millis) {}

  private record Figure(Pace pace, QueueContestant.Outcome outcome) {}

  private void report(String variant, String who, int round, Figure figure) {
    boolean ok = figure.outcome().ok();
    String sentence = "each task was done once, and what was not done still waits";
    if (round > 0 || !ok) lines.check(sentence, variant, who, ok, figure.outcome().toString());
    if (round == 0 || !ok) return;
    lines.sample(variant, who, PAIRS, round, figure.pace().perSecond());
    lines.sample(variant, who, PROCESSOR, round, figure.pace().millis());
  }

  private Figure turn(
      String who, QueueContestant.Opening opening, int workers, int filled, boolean counts)
      throws Exception {
    try (QueueContestant queue = opening.open(supply.next(), workers, filled)) {
      queue.begin();
      Pace pace = pace(queue, filled, counts);
      queue.end();
      fastest.merge(who, pace.perSecond(), Math::max);
      return new Figure(pace, queue.outcome());
    }
  }

  /** From the moment it has found its stride; tasks must last where it counts. */
  private Pace pace(QueueContestant queue, int filled, boolean counts) throws Exception {
    long patience = System.nanoTime() + 60_000_000_000L;
    while (queue.done() == 0) {
      if (System.nanoTime() > patience) throw new IllegalStateException("nobody works");
      Thread.sleep(1);
    }
    Thread.sleep((long) (seconds / 4 * 1e3));
    long before = queue.done();
    double used = processor.millis();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    while (System.nanoTime() < end && queue.done() < filled) Thread.sleep(5);
    long pairs = queue.done() - before;
    if (counts && (pairs == 0 || queue.done() >= filled)) {
      throw new IllegalStateException("tasks did not last");
    }
    double took = (System.nanoTime() - start) / 1e9;
    return new Pace(pairs / took, (processor.millis() - used) / Math.max(1, pairs));
  }
}
