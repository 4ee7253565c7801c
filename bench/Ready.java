import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;

/**
 * How long "which tasks are ready" takes: {@code Ready FILE COUNT} fills a new store with so many
 * tasks, half of them waiting for others or ended, and prints the median of many questions.
 */
public final class Ready {
  private static final int QUESTIONS = 2_000;
  private static final int ROUNDS = 7;

  public static void main(String[] args) throws Exception {
    StoreAddress address = new StoreAddress.File(Path.of(args[0]));
    Store.open(address, StoreSettings.DEFAULT).close();
    fill(args[0], Integer.parseInt(args[1]));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      Tasks tasks = new Tasks(store);
      if (tasks.ready(null, 10).size() != 10) throw new IllegalStateException("ten are ready");
      double[] micros = new double[ROUNDS];
      for (int round = -2; round < ROUNDS; round++) { // the first two warm up
        long start = System.nanoTime();
        for (int i = 0; i < QUESTIONS; i++) tasks.ready(null, 10);
        if (round >= 0) micros[round] = (System.nanoTime() - start) / 1e3 / QUESTIONS;
      }
      Arrays.sort(micros);
      System.out.printf(
          "{\"tasks\":%s,\"median_us\":%.1f,\"min_us\":%.1f,\"max_us\":%.1f}%n",
          args[1], micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1]);
    }
  }

  /** Straight into the table: a million journaled creations would take minutes and add nothing. */
  private static void fill(String file, int count) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
          INSERT INTO tasks (id, seq, title, description, task_type, priority, status,
            unmet_dependencies, completed_at, version)
          SELECT printf('T-%%03d', i), i, 'task ' || i, 'what is to be done', 'CODE', i %% 10,
            CASE WHEN i %% 4 = 0 THEN 'COMPLETED' ELSE 'PENDING' END,
            CASE WHEN i %% 4 = 1 THEN 1 ELSE 0 END,
            CASE WHEN i %% 4 = 0 THEN '2026-01-01T00:00:00.000000Z' END, 1
          FROM n"""
              .formatted(count));
    }
  }
}
