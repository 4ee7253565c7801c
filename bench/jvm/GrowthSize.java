import dev.mainstay.app.Mainstay;
import dev.mainstay.bench.Lines;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Task;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Wanted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a task leaves on the disk when few and when many lived: {@code GrowthSize DATABASE FOLDER
 * TASKS...}. Each is created, claimed, noted about three times and completed, by the use cases.
 */
public final class GrowthSize {
  private static final Lines.Metric SIZE =
      new Lines.Metric("a task's life on the disk", "bytes", false);
  private static final Call BOT = Call.by(Actor.agent("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(60);
  private static final int CALLERS = 16;
  private static final int NOTES = 3;

  private final Lines lines = new Lines("growth");
  private final QueueSupply supply;

  private GrowthSize(QueueSupply supply) {
    this.supply = supply;
  }

  public static void main(String[] args) throws Exception {
    boolean postgres = args[0].equals("postgresql");
    try (OwnPostgres server = postgres ? new OwnPostgres() : null) {
      GrowthSize row = new GrowthSize(new QueueSupply(server, Path.of(args[1])));
      for (int i = 2; i < args.length; i++) row.run(Integer.parseInt(args[i]));
      row.lines.goal(
          "store size linear in what was written",
          SIZE.name(),
          new String[] {named(args[args.length - 1]), named(args[args.length - 2])},
          1.1);
    }
    System.exit(0);
  }

  private static String named(String tasks) {
    return String.format(Locale.ROOT, "%,d tasks", Integer.parseInt(tasks));
  }

  private void run(int tasks) throws Exception {
    QueueSupply.Place place = supply.next();
    Mainstay.open(place.typed()).close();
    long before = size(place);
    try (Mainstay mainstay = Mainstay.open(place.typed())) {
      AtomicInteger begun = new AtomicInteger();
      Workers workers =
          new Workers(
              CALLERS,
              worker -> {
                boolean more = begun.getAndIncrement() < tasks;
                if (more) live(mainstay, worker);
                return more;
              });
      workers.begin();
      while (workers.done() < tasks) Thread.sleep(10);
      workers.end();
    }
    String variant = named(Integer.toString(tasks));
    long completed =
        QueueSupply.count(place.jdbc(), "SELECT count(*) FROM tasks WHERE status = 'COMPLETED'");
    lines.check(
        "each task lived to its end",
        variant,
        "mainstay",
        completed == tasks,
        completed + " ended");
    lines.sample(variant, "mainstay", SIZE, 1, (double) (size(place) - before) / tasks, tasks);
  }

  private static void live(Mainstay mainstay, int worker) {
    mainstay.tasks().create(NewTask.titled("something to do"), BOT);
    var wanted = Wanted.any("worker-" + worker, LEASE);
    // What others claim at this very moment is passed over, and there may be nothing else yet.
    List<Task> claimed = mainstay.leases().claim(wanted, BOT);
    while (claimed.isEmpty()) claimed = mainstay.leases().claim(wanted, BOT);
    Task task = claimed.get(0);
    Call held = BOT.withFence(task.fence());
    for (int note = 0; note < NOTES; note++) {
      var delta = NotebookDelta.of(Section.HISTORY, "step " + note + " of " + task.id());
      mainstay.notebooks().merge(task.id(), delta, held);
    }
    mainstay.leases().complete(task.id(), JsonObject.EMPTY, held);
  }

  /** Of tables and indexes, after what was overwritten has been given back. */
  private static long size(QueueSupply.Place place) throws Exception {
    try (Connection connection = DriverManager.getConnection(place.jdbc());
        Statement statement = connection.createStatement()) {
      if (!place.postgres()) {
        try (ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
          row.next();
        }
        return Files.size(Path.of(place.typed()));
      }
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
}
