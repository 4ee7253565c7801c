import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The least a durable queue can do over the same tables: one statement that claims, one that
 * completes, each with one journal entry, each in a transaction of its own; no fence is checked, no
 * gate asked, no assignment kept, nothing chained.
 */
final class BareQueue implements AutoCloseable {
  private static final String CLAIM =
      """
      UPDATE tasks SET status = 'ASSIGNED', attempt = attempt + 1, fence = fence + 1,
        lease_holder = 'bare', lease_since = created_at, heartbeat_at = created_at,
        lease_until = created_at, version = version + 1
      WHERE id = (SELECT id FROM tasks%s
        WHERE status = 'PENDING' AND unmet_dependencies = 0 AND open_children = 0
          AND delayed_until IS NULL AND over_budget = 0
        ORDER BY priority DESC, seq LIMIT 1 %s) RETURNING id""";
  private static final String COMPLETE =
      """
      UPDATE tasks SET status = 'COMPLETED', lease_holder = NULL, lease_since = NULL,
        heartbeat_at = NULL, lease_until = NULL, completed_at = created_at, fence = fence + 1,
        version = version + 1 WHERE id = ?""";
  private static final String JOURNAL =
      """
      INSERT INTO journal (stream, number, actor, source, at, kind, payload, payload_hash,
        previous_hash, hash)
      VALUES (?, ?, 'agent:bench', 'bench', %s, ?, '{"holder":"bare"}', ?, ?, ?)""";
  private static final String HASH = "0".repeat(64);

  private final boolean postgres;
  private final ReentrantLock writer = new ReentrantLock(true);
  private final List<Connection> connections = new ArrayList<>();
  private final List<PreparedStatement[]> statements = new ArrayList<>();

  BareQueue(String jdbc, boolean postgres, int workers) throws Exception {
    this.postgres = postgres;
    String now = postgres ? "now()" : "strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'";
    for (int i = 0; i < (postgres ? workers : 1); i++) {
      Connection connection = DriverManager.getConnection(jdbc);
      if (postgres) connection.setAutoCommit(false);
      else pragmas(connection);
      connections.add(connection);
      statements.add(
          new PreparedStatement[] {
            connection.prepareStatement(
                postgres
                    ? CLAIM.formatted("", "FOR UPDATE SKIP LOCKED")
                    : CLAIM.formatted(" INDEXED BY tasks_ready", "")),
            connection.prepareStatement(COMPLETE),
            connection.prepareStatement(JOURNAL.replace("%s", now))
          });
    }
  }

  private static void pragmas(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
    }
  }

  long once(int worker) throws Exception {
    if (postgres) return pair(worker);
    // SQLite has one writer: on one connection they take turns fairly, which is its best.
    long start = System.nanoTime();
    writer.lock();
    try {
      long nanos = claimed(0);
      return nanos < 0 ? nanos : System.nanoTime() - start;
    } finally {
      writer.unlock();
      if (last.get() != null) finish();
    }
  }

  private final ThreadLocal<String> last = new ThreadLocal<>();

  private void finish() throws Exception {
    writer.lock();
    try {
      completed(0, last.get());
      last.remove();
    } finally {
      writer.unlock();
    }
  }

  private long pair(int worker) throws Exception {
    long nanos = claimed(worker);
    if (nanos < 0) return nanos;
    completed(worker, last.get());
    last.remove();
    return nanos;
  }

  private long claimed(int worker) throws Exception {
    long start = System.nanoTime();
    begin();
    PreparedStatement claim = statements.get(worker)[0];
    String id = null;
    try (ResultSet result = claim.executeQuery()) {
      while (result.next()) id = result.getString(1);
    }
    if (id != null) journal(worker, id, 1, "task.held");
    commit(worker);
    if (id == null) return -1;
    last.set(id);
    return System.nanoTime() - start;
  }

  private void completed(int worker, String id) throws Exception {
    begin();
    PreparedStatement complete = statements.get(worker)[1];
    complete.setString(1, id);
    complete.executeUpdate();
    journal(worker, id, 2, "task.completed");
    commit(worker);
  }

  private void journal(int worker, String id, int number, String kind) throws Exception {
    PreparedStatement insert = statements.get(worker)[2];
    insert.setString(1, "task/" + id);
    insert.setInt(2, number);
    insert.setString(3, kind);
    insert.setString(4, HASH);
    insert.setString(5, HASH);
    insert.setString(6, HASH);
    insert.executeUpdate();
  }

  private void begin() throws Exception {
    if (postgres) return;
    try (Statement statement = connections.get(0).createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
    }
  }

  private void commit(int worker) throws Exception {
    if (postgres) {
      connections.get(worker).commit();
      return;
    }
    try (Statement statement = connections.get(0).createStatement()) {
      statement.execute("COMMIT");
    }
  }

  @Override
  public void close() throws Exception {
    for (Connection connection : connections) connection.close();
  }
}
