package dev.mainstay.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the statements it has prepared. SQLite's are kept, because preparing one costs
 * more than running it; PostgreSQL's driver keeps its own.
 */
final class Statements implements AutoCloseable {
  private static final int KEPT_MAX = 100;

  private final Connection connection;
  private final int keptMax;
  private final Map<String, PreparedStatement> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final @Nullable Outbox outbox;
  private long changes;

  private Statements(Connection connection, int keptMax, @Nullable Outbox outbox) {
    this.connection = connection;
    this.keptMax = keptMax;
    this.outbox = outbox;
  }

  static Statements keeping(Connection connection) {
    return new Statements(connection, KEPT_MAX, null);
  }

  static Statements passing(Connection connection) {
    return new Statements(connection, 0, new Outbox());
  }

  Connection connection() {
    return connection;
  }

  /** Where changes wait for company, if the way to the database is long enough for that. */
  @Nullable Outbox outbox() {
    return outbox;
  }

  /** A change was made, or is about to be; nobody can take it back alone. */
  void changed() {
    changes++;
  }

  /** A moment of the transaction. */
  record Moment(long changes, long waiting) {}

  Moment now() {
    return new Moment(changes, outbox == null ? 0 : outbox.added());
  }

  /** Forgets what was to be changed since a moment; false when some of it was changed already. */
  boolean takeBack(Moment since) {
    return changes == since.changes() && (outbox == null || outbox.takeBack(since.waiting()));
  }

  /** Makes all changes that wait. */
  void sendWaiting() {
    if (outbox != null) outbox.send();
  }

  /** The same with something that comes last, which is all there is where nothing ever waits. */
  void sendWaitingWith(Sql last) {
    if (outbox == null) last.update();
    else outbox.sendWith(last);
  }

  /** A statement for the caller alone, so that one may be used while the same one is being read. */
  PreparedStatement take(String sql) throws SQLException {
    PreparedStatement statement = kept.remove(sql);
    return statement == null ? connection.prepareStatement(sql) : statement;
  }

  void giveBack(String sql, PreparedStatement statement) throws SQLException {
    PreparedStatement surplus = keptMax == 0 ? statement : kept.put(sql, statement);
    if (surplus == null && kept.size() > keptMax) {
      surplus = kept.remove(kept.keySet().iterator().next());
    }
    if (surplus != null) surplus.close();
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : kept.values()) statement.close();
    kept.clear();
    connection.close();
  }
}
