import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * db-scheduler, whose executions do nothing, so what is counted is claiming and completing. It
 * deletes what is done and keeps no journal. On PostgreSQL it polls by lock-and-fetch, which its
 * documentation names for throughput; SQLite has no SKIP LOCKED, there it has fetch alone.
 */
final class DbSchedulerPeer implements QueueContestant {
  private final boolean postgres;
  private final String jdbc;
  private final int filled;
  private final HikariDataSource pool;
  private final Scheduler scheduler;
  private final Map<String, Boolean> worked = new ConcurrentHashMap<>();
  private final LongAdder twice = new LongAdder();
  private final LongAdder done = new LongAdder();

  DbSchedulerPeer(QueueSupply.Place place, int workers, int filled) throws Exception {
    this.postgres = place.postgres();
    this.filled = filled;
    jdbc = postgres ? place.jdbc() : durable(place.jdbc());
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbc);
    // One connection is SQLite's best: several wait for its one writer by sleeping.
    config.setMaximumPoolSize(postgres ? workers + 4 : 1);
    pool = new HikariDataSource(config);
    prepare();
    OneTimeTask<Void> nothing =
        Tasks.oneTime("nothing").execute((task, context) -> count(task.getId()));
    SchedulerBuilder builder =
        Scheduler.create(pool, nothing).threads(workers).pollingInterval(Duration.ofMillis(100));
    if (postgres) builder.pollUsingLockAndFetch(0.5, 4.0);
    else builder.pollUsingFetch(0.5, 3.0);
    scheduler = builder.build();
  }

  static String durable(String jdbc) {
    return jdbc + "?journal_mode=WAL&synchronous=FULL&busy_timeout=60000";
  }

  private void count(String id) {
    if (worked.put(id, true) != null) twice.increment();
    done.increment();
  }

  /** The table of its documentation. */
  private void prepare() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      String time = postgres ? "timestamptz" : "TIMESTAMP WITH TIME ZONE";
      statement.execute(
          "CREATE TABLE scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL,"
              + (" task_data %s, execution_time TIME NOT NULL, picked boolean NOT NULL,"
                      + " picked_by text, last_success TIME, last_failure TIME,"
                      + " consecutive_failures int, last_heartbeat TIME, version bigint NOT NULL,")
                  .formatted(postgres ? "bytea" : "blob")
                  .replace("TIME", time)
              + " priority smallint, PRIMARY KEY (task_name, task_instance))");
      statement.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
      statement.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
      statement.execute(
          "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
              + (postgres
                      ? " SELECT 'nothing', i::text, now() - interval '1 minute', false, 1"
                          + " FROM generate_series(1, %d) i"
                      : " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
                          + " SELECT 'nothing', CAST(i AS text), (unixepoch() - 60) * 1000, 0, 1 FROM n")
                  .formatted(filled));
      statement.execute("ANALYZE");
    }
  }

  @Override
  public void begin() {
    scheduler.start();
  }

  @Override
  public long done() {
    return done.sum();
  }

  @Override
  public void end() {
    scheduler.stop();
    pool.close();
  }

  /** What it took and gave back at its end waits again. */
  @Override
  public Outcome outcome() throws Exception {
    long left = QueueSupply.count(jdbc, "SELECT count(*) FROM scheduled_tasks");
    return new Outcome(filled, left, 0, filled - left, worked.size(), twice.sum());
  }

  @Override
  public void close() {}
}
