import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The floor: the least that a durable engine can do for an instance, by statements that know this
 * one process. A commit for the start with its three tasks, one for each claim, one for each
 * completion, which counts down what the join waits for; each with a journal entry. No fences, no
 * leases that end, no variables, nothing chained.
 */
final class BareWorkflows implements WorkflowEngine {
  private static final String HASH = "0".repeat(64);

  private final boolean postgres;
  private final HikariDataSource pool;
  private final ReentrantLock writer = new ReentrantLock(true);
  private final Map<Long, Boolean> done = new ConcurrentHashMap<>();
  private final AtomicInteger twice = new AtomicInteger();

  BareWorkflows(String jdbc, boolean postgres, int workers) throws Exception {
    this.postgres = postgres;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        postgres ? jdbc : jdbc + "?journal_mode=WAL&synchronous=FULL&transaction_mode=IMMEDIATE");
    config.setMaximumPoolSize(postgres ? workers : 1); // SQLite has one writer
    config.setAutoCommit(false);
    pool = new HikariDataSource(config);
    inOne(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(
                "CREATE TABLE instances (id BIGINT PRIMARY KEY, open INT NOT NULL, ended BIGINT)");
            statement.execute(
                "CREATE TABLE work (id BIGINT PRIMARY KEY, instance BIGINT NOT NULL, place TEXT NOT NULL,"
                    + " status TEXT NOT NULL, holder TEXT)");
            statement.execute("CREATE INDEX waiting ON work (id) WHERE status = 'waits'");
            statement.execute(
                "CREATE TABLE journal (stream TEXT, number INT, kind TEXT NOT NULL, payload TEXT NOT NULL,"
                    + " hash TEXT NOT NULL, PRIMARY KEY (stream, number))");
          }
          return null;
        });
  }

  private interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T inOne(Step<T> step) throws SQLException {
    if (!postgres) writer.lock();
    try (Connection connection = pool.getConnection()) {
      T answer = step.run(connection);
      connection.commit();
      return answer;
    } finally {
      if (!postgres) writer.unlock();
    }
  }

  @Override
  public void start(int number) throws Exception {
    inOne(
        connection -> {
          update(connection, "INSERT INTO instances (id, open) VALUES (?, ?)", number, TASKS_EACH);
          for (int i = 0; i < TASKS_EACH; i++) {
            update(
                connection,
                "INSERT INTO work (id, instance, place, status) VALUES (?, ?, ?, 'waits')",
                (long) number * TASKS_EACH + i,
                number,
                "abc".substring(i, i + 1));
          }
          journal(connection, "instance/" + number, 1, "started");
          return null;
        });
  }

  @Override
  public int work(String worker, int limit) throws Exception {
    List<Long> held = inOne(connection -> claim(connection, worker, limit));
    for (long id : held) {
      inOne(
          connection -> {
            update(connection, "UPDATE work SET status = 'done', holder = NULL WHERE id = ?", id);
            update(
                connection,
                "UPDATE instances SET open = open - 1, ended = CASE WHEN open = 1 THEN 1 END WHERE id = ?",
                id / TASKS_EACH);
            journal(connection, "work/" + id, 2, "completed");
            return null;
          });
      if (done.put(id, true) != null) twice.incrementAndGet();
    }
    return held.size();
  }

  private List<Long> claim(Connection connection, String worker, int limit) throws SQLException {
    String claim =
        "UPDATE work SET status = 'held', holder = ? WHERE id IN (SELECT id FROM work"
            + " WHERE status = 'waits' ORDER BY id LIMIT ?"
            + (postgres ? " FOR UPDATE SKIP LOCKED" : "")
            + ") RETURNING id";
    List<Long> held = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      statement.setString(1, worker);
      statement.setInt(2, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) held.add(rows.getLong(1));
      }
    }
    for (long id : held) journal(connection, "work/" + id, 1, "held");
    return held;
  }

  private static void journal(Connection connection, String stream, int number, String kind)
      throws SQLException {
    update(
        connection,
        "INSERT INTO journal (stream, number, kind, payload, hash) VALUES (?, ?, ?, '{\"by\":\"bench\"}', ?)",
        stream,
        number,
        kind,
        HASH);
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      statement.executeUpdate();
    }
  }

  @Override
  public long ended() throws Exception {
    return inOne(connection -> count(connection, "SELECT count(*) FROM instances WHERE ended = 1"));
  }

  private static long count(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void check(int instances) throws Exception {
    long ends =
        inOne(
            connection ->
                count(connection, "SELECT count(*) FROM journal WHERE kind = 'completed'"));
    int tasks = TASKS_EACH * instances;
    if (ended() != instances || twice.get() != 0 || done.size() != tasks || ends != tasks) {
      throw new IllegalStateException(
          ended()
              + " ended, "
              + done.size()
              + " tasks, "
              + twice
              + " done twice, "
              + ends
              + " journaled");
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
