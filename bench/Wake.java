import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.queue.Wanted;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.FutureTask;

/**
 * How long after the commit of a new task a waiting claim returns with it: {@code Wake DB TIMES
 * same|stores|processes}. The clock of all processes of a machine is the same one, in nanoseconds
 * since the epoch.
 */
public final class Wake {
  private static final Call CALL = Call.by(Actor.person("bench"), "cli");
  private static final int WARM_UP = 50;

  /** Makes one task and gives the moment at which its commit was known. */
  private interface Maker {
    long make() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 1) {
      makeOnDemand(args[0]);
      return;
    }
    if (args[0].equals("own-postgresql")) {
      try (OwnPostgres server = new OwnPostgres()) {
        measure(server.url(), Integer.parseInt(args[1]), args[2]);
      }
    } else {
      measure(args[0], Integer.parseInt(args[1]), args[2]);
    }
  }

  private static void measure(String db, int times, String where) throws Exception {
    try (Store store = open(db)) {
      switch (where) {
        case "same" -> measure(store, times, () -> make(store));
        case "stores" -> {
          try (Store other = open(db)) {
            measure(store, times, () -> make(other));
          }
        }
        default -> measureAcross(store, db, times);
      }
    }
  }

  private static Store open(String db) {
    return Store.open(StoreAddress.parse(db), StoreSettings.DEFAULT);
  }

  private static long make(Store store) {
    new Tasks(store).create(NewTask.titled("work"), CALL);
    return now();
  }

  private static long now() {
    var now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  private static void measure(Store store, int times, Maker maker) throws Exception {
    long[] nanos = new long[times];
    try (Dispatcher dispatcher = new Dispatcher(store)) {
      for (int i = -WARM_UP; i < times; i++) {
        FutureTask<Long> waiter = new FutureTask<>(() -> claimed(dispatcher));
        new Thread(waiter).start();
        while (dispatcher.waiting() == 0) Thread.sleep(1);
        Thread.sleep(20 + Math.floorMod(i * 7, 30)); // it waits, and at no special moment
        long made = maker.make();
        long delay = Math.max(0, waiter.get() - made);
        if (i >= 0) nanos[i] = delay;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "{\"claims\":%d,\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f}%n",
        times,
        nanos[times / 2] / 1e6,
        nanos[(int) (times * 0.99)] / 1e6,
        nanos[times - 1] / 1e6);
  }

  private static long claimed(Dispatcher dispatcher) {
    var wanted = Wanted.any("bench", Duration.ofMinutes(10));
    if (dispatcher.claim(wanted, Dispatcher.WAIT_MAX, CALL).size() != 1) {
      throw new IllegalStateException("nothing came within the longest wait");
    }
    return now();
  }

  private static void measureAcross(Store store, String db, int times) throws Exception {
    Process other =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Dslf4j.internal.verbosity=WARN",
                "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider",
                "-cp",
                System.getProperty("java.class.path"),
                "Wake",
                db)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var out = reader(other.getInputStream());
        var in = other.getOutputStream()) {
      measure(
          store,
          times,
          () -> {
            in.write('\n');
            in.flush();
            return Long.parseLong(out.readLine());
          });
    }
  }

  /** The other process: a task for each line, answered by the moment it was committed. */
  private static void makeOnDemand(String db) throws Exception {
    try (Store store = open(db);
        var in = reader(System.in)) {
      while (in.readLine() != null) {
        System.out.println(make(store));
        System.out.flush();
      }
    }
  }

  private static BufferedReader reader(java.io.InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }
}
