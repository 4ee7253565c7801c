import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Durable updates per second: {@code Writes FILE CALLERS SECONDS} updates tasks with so many
 * callers and prints one JSON line; every update is a journaled change of one task, acknowledged
 * when it is on disk. CALLERS = 1 is one commit per update.
 */
public final class Writes {
  private static final Call BENCH = Call.by(Actor.person("bench"), "bench");

  public static void main(String[] args) throws Exception {
    int callers = Integer.parseInt(args[1]);
    double seconds = Double.parseDouble(args[2]);
    try (Store store = Store.open(new StoreAddress.File(Path.of(args[0])), StoreSettings.DEFAULT)) {
      Tasks tasks = new Tasks(store);
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < callers; i++) ids.add(tasks.create(NewTask.titled("t" + i), BENCH).id());
      measure(tasks, ids, seconds / 3); // warm up
      long commitsBefore = store.commits();
      long[] nanos = measure(tasks, ids, seconds);
      long commits = store.commits() - commitsBefore;
      report(callers, seconds, nanos, commits, check(tasks, ids));
    }
  }

  private static long[] measure(Tasks tasks, List<TaskId> ids, double seconds) throws Exception {
    AtomicBoolean running = new AtomicBoolean(true);
    List<long[]> results = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (TaskId id : ids) {
      Thread thread = new Thread(() -> update(tasks, id, running, results));
      thread.start();
      threads.add(thread);
    }
    Thread.sleep((long) (seconds * 1000));
    running.set(false);
    for (Thread thread : threads) thread.join();
    return results.stream().flatMapToLong(Arrays::stream).sorted().toArray();
  }

  private static void update(Tasks tasks, TaskId id, AtomicBoolean running, List<long[]> results) {
    long[] nanos = new long[1_000_000];
    int count = 0;
    int priority = tasks.show(id).brief().priority();
    while (running.get() && count < nanos.length) {
      long start = System.nanoTime();
      tasks.update(id, JsonObject.of("priority", ++priority), null, BENCH);
      nanos[count++] = System.nanoTime() - start;
    }
    synchronized (results) {
      results.add(Arrays.copyOf(nanos, count));
    }
  }

  /** A run that lost an acknowledged update is a failure, not a number. */
  private static long check(Tasks tasks, List<TaskId> ids) {
    long updates = 0;
    for (TaskId id : ids) {
      var task = tasks.show(id);
      if (task.stamps().version() != task.brief().priority() + 1) {
        throw new IllegalStateException("an acknowledged update is missing: " + task);
      }
      updates += task.brief().priority();
    }
    return updates; // those of the warm-up too
  }

  private static void report(
      int callers, double seconds, long[] nanos, long commits, long updates) {
    System.out.printf(
        "{\"callers\":%d,\"per_second\":%.0f,\"commits_per_update\":%.4f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,\"updates\":%d}%n",
        callers,
        nanos.length / seconds,
        (double) commits / nanos.length,
        nanos[nanos.length / 2] / 1e6,
        nanos[(int) (nanos.length * 0.99)] / 1e6,
        nanos[nanos.length - 1] / 1e6,
        updates);
  }
}
