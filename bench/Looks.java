import dev.mainstay.domain.JournalFilter;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.overview.Graph;
import dev.mainstay.overview.Overview;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Journal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;

/**
 * How long a person waits for what he looks at: {@code Looks FILE COUNT} fills a new store with so
 * many tasks of 600 characters each and prints, a line a look, the first and the median time.
 */
public final class Looks {
  private static final int ROUNDS = 11;

  public static void main(String[] args) throws Exception {
    StoreAddress address = new StoreAddress.File(Path.of(args[0]));
    Store.open(address, StoreSettings.DEFAULT).close();
    fill(args[0], Integer.parseInt(args[1]));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      Overview overview = new Overview(store);
      Tasks tasks = new Tasks(store);
      Journal journal = new Journal(store);
      TaskFilter nowhere = TaskFilter.ALL.saying("nosuchword");
      JournalFilter nothing = new JournalFilter(null, "nothing", null);
      look("now", overview::now);
      look("newest tasks", () -> tasks.list(TaskFilter.ALL, TaskOrder.NEWEST, null, 50));
      look("most urgent tasks", () -> tasks.list(TaskFilter.ALL, TaskOrder.URGENT, null, 50));
      look("ready tasks", () -> tasks.list(standing("READY"), TaskOrder.NEWEST, null, 50));
      look("waiting tasks", () -> tasks.list(standing("WAITING"), TaskOrder.NEWEST, null, 50));
      look("a search that finds", () -> tasks.list(found(), TaskOrder.NEWEST, null, 50));
      look("a search in vain", () -> tasks.list(nowhere, TaskOrder.NEWEST, null, 50));
      look("graph", () -> overview.graph(TaskFilter.ALL, Graph.NODES).toJson());
      look("charts", () -> overview.charts(24));
      look("newest entries", () -> journal.search(JournalFilter.ALL, Position.END, true, 50));
      look("20,000 entries in vain", () -> journal.search(nothing, Position.END, true, 50));
    }
  }

  private static TaskFilter standing(String status) {
    return TaskFilter.ALL.standing(status);
  }

  private static TaskFilter found() {
    return TaskFilter.ALL.saying("task done");
  }

  private static void look(String what, Runnable look) {
    double[] millis = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      look.run();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    double first = millis[0];
    Arrays.sort(millis);
    System.out.printf(
        "{\"look\":\"%s\",\"first_ms\":%.1f,\"median_ms\":%.1f}%n",
        what, first, millis[ROUNDS / 2]);
  }

  /** Straight into the tables: creations one by one would take minutes and add nothing. */
  private static void fill(String file, int count) throws Exception {
    String numbers =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
            .formatted(count);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          numbers
              + """
              INSERT INTO tasks (id, seq, title, description, task_type, priority, status,
                unmet_dependencies, dependencies, completed_at, version)
              SELECT printf('T-%03d', i), i, 'task ' || i,
                substr(replace(printf('%060d', 0), '0', 'to be done '), 1, 600), 'CODE', i % 10,
                CASE i % 4 WHEN 0 THEN 'COMPLETED' WHEN 1 THEN 'FAILED' ELSE 'PENDING' END,
                CASE WHEN i % 4 = 3 THEN 1 ELSE 0 END,
                CASE WHEN i % 4 = 3 THEN printf('["T-%03d"]', i - 1) ELSE '[]' END,
                CASE WHEN i % 4 = 0 THEN strftime('%Y-%m-%dT%H:%M:%f000Z', 'now') END, 1 FROM n""");
      statement.executeUpdate(
          numbers
              + """
              INSERT INTO task_dependencies (task_id, depends_on, kind, place)
              SELECT printf('T-%03d', i), printf('T-%03d', i - 1), 'BLOCKS', 0 FROM n
              WHERE i % 4 = 3""");
      statement.executeUpdate("INSERT INTO terminals (id, provider) VALUES ('w', 'external')");
      statement.executeUpdate(
          numbers
              + """
              INSERT INTO task_assignments (task_id, terminal_id, started_at, completed_at, status)
              SELECT printf('T-%03d', i), 'w', strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'),
                strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'), 'COMPLETED' FROM n WHERE i % 4 = 0""");
      statement.executeUpdate(
          numbers
              + """
              INSERT INTO journal (stream, number, actor, source, at, kind, payload, payload_hash,
                previous_hash, hash)
              SELECT 'task/' || printf('T-%03d', i), 1, 'person:ada', 'bench',
                strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'), 'task.created', '{"title":"task"}',
                'p', 'q', 'r' FROM n""");
    }
  }
}
