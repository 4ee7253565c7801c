import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Task;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Wanted;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What each operation of a task's life costs one caller, and what a task leaves behind on the disk:
 * {@code Costs DATABASE FOLDER TASKS}. One JSON line.
 */
public final class Costs {
  private static final Call BOT = Call.by(Actor.agent("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final int WARM_UP = 1_000;

  private final Mainstay mainstay;
  private final Map<String, List<Long>> nanos = new LinkedHashMap<>();

  private Costs(Mainstay mainstay) {
    this.mainstay = mainstay;
  }

  public static void main(String[] args) throws Exception {
    int tasks = Integer.parseInt(args[2]);
    if (args[0].equals("sqlite")) {
      Path file = Path.of(args[1]).resolve("state.sqlite3");
      try (Mainstay mainstay = Mainstay.open(file.toString())) {
        Costs costs = new Costs(mainstay);
        costs.live(WARM_UP);
        costs.nanos.clear();
        costs.live(tasks);
        costs.print("sqlite", 0);
      }
      return;
    }
    try (OwnPostgres server = new OwnPostgres();
        Mainstay mainstay = Mainstay.open(server.url())) {
      Costs costs = new Costs(mainstay);
      costs.live(WARM_UP);
      costs.nanos.clear();
      long before = size(server);
      costs.live(tasks);
      costs.print("postgresql", (double) (size(server) - before) / tasks);
    }
  }

  /** Of tables and indexes, after what was overwritten has been given back. */
  private static long size(OwnPostgres server) throws Exception {
    try (Connection connection = DriverManager.getConnection(server.jdbc());
        var statement = connection.createStatement()) {
      statement.execute("VACUUM FULL");
      try (ResultSet row =
          statement.executeQuery(
              "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                  + " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private interface Step<T> {
    T run() throws Exception;
  }

  private <T> T timed(String what, Step<T> step) throws Exception {
    long start = System.nanoTime();
    T answer = step.run();
    nanos.computeIfAbsent(what, name -> new ArrayList<>()).add(System.nanoTime() - start);
    return answer;
  }

  /** The life of a task with three notes, as an agent lives it. */
  private void live(int tasks) throws Exception {
    var leases = mainstay.leases();
    for (int i = 0; i < tasks; i++) {
      String title = "task " + i;
      timed("create", () -> mainstay.tasks().create(NewTask.titled(title), BOT));
      Task task = timed("claim", () -> leases.claim(Wanted.any("worker", LEASE), BOT)).get(0);
      Call held = BOT.withFence(task.fence());
      timed("start", () -> leases.start(task.id(), held));
      for (int note = 0; note < 3; note++) {
        var delta = NotebookDelta.of(Section.HISTORY, "step " + note + " of " + title);
        timed("note", () -> mainstay.notebooks().merge(task.id(), delta, held));
      }
      timed("heartbeat", () -> leases.renew(task.id(), LEASE, held));
      timed("read a task", () -> mainstay.tasks().show(task.id()));
      timed("complete", () -> leases.complete(task.id(), JsonObject.EMPTY, held));
    }
  }

  private void print(String database, double bytes) {
    StringBuilder line = new StringBuilder("{\"database\":\"" + database + "\"");
    nanos.forEach(
        (what, all) -> {
          long[] sorted = all.stream().mapToLong(Long::longValue).sorted().toArray();
          line.append(
              String.format(
                  Locale.ROOT,
                  ",\"%s\":{\"p50_us\":%.0f,\"p99_us\":%.0f}",
                  what,
                  sorted[sorted.length / 2] / 1e3,
                  sorted[(int) (sorted.length * 0.99)] / 1e3));
        });
    if (bytes > 0) line.append(String.format(Locale.ROOT, ",\"bytes_a_task\":%.0f", bytes));
    System.out.println(line + "}");
  }
}
