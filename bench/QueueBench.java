import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Claims and completions per second: {@code QueueBench DATABASE FOLDER SECONDS PART...} with
 * DATABASE sqlite or postgresql. Each part prints one JSON line. Parts run in turns, round after
 * round, so that whatever else the machine does meets all of them.
 */
public final class QueueBench {
  private static final int ROUNDS = 3;
  private static final double WARM_UP_SECONDS = 10;
  private static final Call BENCH = Call.by(Actor.agent("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final boolean postgres;
  private final Path folder;
  private final double seconds;
  private final String url;
  private int schemas;

  private QueueBench(boolean postgres, Path folder, double seconds, String url) {
    this.postgres = postgres;
    this.folder = folder;
    this.seconds = seconds;
    this.url = url;
  }

  public static void main(String[] args) throws Exception {
    boolean postgres = args[0].equals("postgresql");
    try (OwnPostgres server = postgres ? new OwnPostgres() : null) {
      String url = server == null ? "" : server.url();
      var bench = new QueueBench(postgres, Path.of(args[1]), Double.parseDouble(args[2]), url);
      for (String part : Arrays.asList(args).subList(3, args.length)) bench.part(part);
    }
  }

  private void part(String part) throws Exception {
    switch (part) {
      case "throughput-8" -> throughput(8);
      case "throughput-32" -> throughput(32);
      case "flat" -> flat();
      default -> throw new IllegalArgumentException(part);
    }
  }

  /** One store, filled straight: a million journaled creations would add nothing but minutes. */
  private Place filled(int waiting, int dependencies) throws Exception {
    String name = "b" + ++schemas;
    StoreAddress address =
        postgres
            ? StoreAddress.parse(url + "?schema=" + name)
            : new StoreAddress.File(folder.resolve(name + ".sqlite3"));
    Store.open(address, StoreSettings.DEFAULT).close();
    Place place = new Place(address, jdbc(name));
    try (Connection connection = DriverManager.getConnection(place.jdbc());
        Statement statement = connection.createStatement()) {
      fill(statement, waiting, dependencies);
    }
    return place;
  }

  private String jdbc(String name) {
    return postgres
        ? "jdbc:" + url.replace("postgres@", "") + "?user=postgres&currentSchema=" + name
        : "jdbc:sqlite:" + folder.resolve(name + ".sqlite3");
  }

  private record Place(StoreAddress address, String jdbc) {}

  private void fill(Statement statement, int waiting, int dependencies) throws Exception {
    String numbers =
        postgres
            ? "SELECT i FROM generate_series(1, %d) i"
            : "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n";
    String id =
        postgres
            ? "'T-' || lpad(i::text, greatest(3, length(i::text)), '0')"
            : "printf('T-%%03d', i)";
    statement.executeUpdate(
        ("INSERT INTO tasks (id, seq, title, description, task_type, priority, status, version)"
                + " SELECT "
                + id
                + ", i, 'task ' || i, 'what is to be done',"
                + " CASE WHEN i %% 5 = 0 THEN 'REVIEW' ELSE 'CODE' END, i %% 10, 'PENDING', 1 FROM ("
                + numbers
                + ") numbers")
            .formatted(waiting));
    if (dependencies > 0) {
      // The last tasks wait for the first: a claim must not look at them, a completion must.
      statement.executeUpdate(
          ("INSERT INTO task_dependencies (task_id, depends_on, kind, place)"
                  + " SELECT b.id, a.id, 'BLOCKS', 0 FROM tasks a JOIN tasks b ON b.seq = a.seq + %d"
                  + " WHERE a.seq <= %d")
              .formatted(waiting - dependencies, dependencies));
      statement.executeUpdate(
          ("UPDATE tasks SET unmet_dependencies = 1, dependencies = "
                  + (postgres
                      ? "jsonb_build_array((SELECT depends_on FROM task_dependencies WHERE task_id = tasks.id))"
                      : "json_array((SELECT depends_on FROM task_dependencies WHERE task_id = tasks.id))")
                  + " WHERE seq > %d")
              .formatted(waiting - dependencies));
    }
    // Only what was filled: an empty table that was analysed is scanned by every plan made then.
    statement.executeUpdate("ANALYZE tasks");
    if (dependencies > 0) statement.executeUpdate("ANALYZE task_dependencies");
  }

  /** What a run of many workers gave. */
  private record Figures(double perSecond, double p50, double p99) {}

  private interface Turn {
    /** One claim and one completion; the nanoseconds that the claim took, or -1 without a task. */
    long once(int worker) throws Exception;
  }

  private Figures measure(int workers, double time, Turn turn) throws Exception {
    List<long[]> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + (long) (time * 1e9);
    for (int w = 0; w < workers; w++) {
      int worker = w;
      Thread thread =
          new Thread(
              () -> {
                long[] nanos = new long[2_000_000];
                int count = 0;
                try {
                  while (System.nanoTime() < end && count < nanos.length) {
                    long claim = turn.once(worker);
                    if (claim < 0) break;
                    nanos[count++] = claim;
                  }
                } catch (Exception fault) {
                  throw new IllegalStateException(fault);
                }
                synchronized (all) {
                  all.add(Arrays.copyOf(nanos, count));
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    if (sorted.length == 0) throw new IllegalStateException("nothing was claimed");
    return new Figures(
        sorted.length / time,
        sorted[sorted.length / 2] / 1e6,
        sorted[(int) (sorted.length * 0.99)] / 1e6);
  }

  /** Ours: through the dispatcher and the use case, journal, gate, assignment and all. */
  private Figures ours(Place place, int workers, double time, List<TaskType> types)
      throws Exception {
    try (Store store = Store.open(place.address(), StoreSettings.DEFAULT);
        Dispatcher dispatcher = new Dispatcher(store)) {
      Leases leases = new Leases(store);
      return measure(
          workers,
          time,
          worker -> {
            long start = System.nanoTime();
            var wanted = new Wanted("worker-" + worker, types, 1, LEASE);
            List<Task> held = dispatcher.claim(wanted, Duration.ZERO, BENCH);
            long nanos = System.nanoTime() - start;
            if (held.isEmpty()) return -1;
            Task task = held.get(0);
            leases.complete(task.id(), JsonObject.EMPTY, BENCH.withFence(task.fence()));
            return nanos;
          });
    }
  }

  private Figures bare(Place place, int workers, double time) throws Exception {
    try (BareQueue bare = new BareQueue(place.jdbc(), postgres, workers)) {
      return measure(workers, time, bare::once);
    }
  }

  private void throughput(int workers) throws Exception {
    List<Double> ours = new ArrayList<>();
    List<Double> bare = new ArrayList<>();
    List<Double> peer = new ArrayList<>();
    Figures last = null;
    for (int round = -3; round < ROUNDS; round++) { // the first three warm up
      double time = round < 0 ? Math.max(seconds, WARM_UP_SECONDS) : seconds;
      int waiting = (int) (time * 4_000) + 20_000;
      Figures mine = ours(filled(waiting, 0), workers, time, List.of());
      Figures plain = bare(filled(waiting, 0), workers, time);
      double other = postgres ? Peer.perSecond(jdbc("peer" + ++schemas), workers, time) : 0;
      if (round < 0) continue;
      ours.add(mine.perSecond());
      bare.add(plain.perSecond());
      peer.add(other);
      last = mine;
    }
    print(
        "{\"part\":\"throughput\",\"workers\":%d,\"ours_per_second\":%.0f,\"bare_per_second\":%.0f,\"ratio\":%.2f,\"db_scheduler_per_second\":%.0f,\"claim_p50_ms\":%.2f,\"claim_p99_ms\":%.2f}",
        workers,
        median(ours),
        median(bare),
        median(ours) / median(bare),
        median(peer),
        last.p50(),
        last.p99());
  }

  /** The same work among few and among very many waiting tasks. */
  private void flat() throws Exception {
    record Size(String name, int waiting, int dependencies, List<TaskType> types) {}
    List<TaskType> reviews = List.of(new TaskType("REVIEW"));
    List<Size> sizes =
        List.of(
            new Size("1000", 1_000, 0, List.of()),
            new Size("1000000", 1_000_000, 0, List.of()),
            new Size("1000_by_type", 1_000, 0, reviews),
            new Size("1000000_by_type", 1_000_000, 0, reviews),
            new Size("1000000_with_100000_dependencies", 1_000_000, 100_000, List.of()));
    for (Size size : sizes) {
      List<Double> micros = new ArrayList<>();
      for (int round = -2; round < ROUNDS; round++) {
        // So few that a thousand tasks last; one worker, so that nobody waits for another.
        Place place =
            filled(round < 0 ? 1_000 : size.waiting(), round < 0 ? 0 : size.dependencies());
        double took = claims(place, 190, size.types());
        if (round >= 0) micros.add(took);
      }
      print(
          "{\"part\":\"flat\",\"waiting\":\"%s\",\"claim_us\":%.0f}", size.name(), median(micros));
    }
  }

  private double claims(Place place, int count, List<TaskType> types) throws Exception {
    try (Store store = Store.open(place.address(), StoreSettings.DEFAULT);
        Dispatcher dispatcher = new Dispatcher(store)) {
      Leases leases = new Leases(store);
      long[] nanos = new long[count];
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        Task task = dispatcher.claim(new Wanted("w", types, 1, LEASE), Duration.ZERO, BENCH).get(0);
        nanos[i] = System.nanoTime() - start;
        leases.complete(task.id(), JsonObject.EMPTY, BENCH.withFence(task.fence()));
      }
      Arrays.sort(nanos);
      return nanos[count / 2] / 1e3;
    }
  }

  private static double median(List<Double> figures) {
    return figures.stream().sorted().skip(figures.size() / 2).findFirst().orElse(0.0);
  }

  private void print(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values);
    System.out.println(
        line.replaceFirst(
            "\\{", "{\"database\":\"" + (postgres ? "postgresql" : "sqlite") + "\","));
  }
}
