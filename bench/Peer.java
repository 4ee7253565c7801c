import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * db-scheduler on the same PostgreSQL, in the mode that its documentation names for throughput:
 * lock-and-fetch. Its executions do nothing, so what is counted is claiming and completing. It
 * deletes what is done and keeps no journal.
 */
final class Peer {
  private Peer() {}

  static double perSecond(String jdbc, int workers, double seconds) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbc);
    config.setMaximumPoolSize(workers + 4);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      int waiting = (int) (seconds * 12_000) + 20_000;
      prepare(pool, jdbc, waiting);
      LongAdder done = new LongAdder();
      OneTimeTask<Void> nothing =
          Tasks.oneTime("nothing").execute((task, context) -> done.increment());
      Scheduler scheduler =
          Scheduler.create(pool, nothing)
              .threads(workers)
              .pollUsingLockAndFetch(0.5, 4.0)
              .pollingInterval(Duration.ofMillis(100))
              .build();
      scheduler.start();
      Thread.sleep(1_000);
      long before = done.sum();
      long start = System.nanoTime();
      Thread.sleep((long) (seconds * 1000));
      double figure = (done.sum() - before) / ((System.nanoTime() - start) / 1e9);
      if (done.sum() >= waiting) throw new IllegalStateException("too few tasks for the time");
      scheduler.stop();
      return figure;
    }
  }

  /** The table of its documentation. */
  private static void prepare(HikariDataSource pool, String jdbc, int waiting) throws Exception {
    String schema = jdbc.substring(jdbc.indexOf("currentSchema=") + "currentSchema=".length());
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
      statement.execute(
          "CREATE TABLE scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL,"
              + " task_data bytea, execution_time timestamptz NOT NULL, picked boolean NOT NULL,"
              + " picked_by text, last_success timestamptz, last_failure timestamptz,"
              + " consecutive_failures int, last_heartbeat timestamptz, version bigint NOT NULL,"
              + " priority smallint, PRIMARY KEY (task_name, task_instance))");
      statement.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
      statement.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
      statement.execute(
          "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
              + " SELECT 'nothing', i::text, now() - interval '1 minute', false, 1"
              + " FROM generate_series(1, "
              + waiting
              + ") i");
      statement.execute("ANALYZE");
    }
  }
}
