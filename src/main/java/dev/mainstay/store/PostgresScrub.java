package dev.mainstay.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Old rows out of PostgreSQL's tables. A rewritten row stays in its table until that is written
 * anew, and even then while a transaction could still look at it; so those are waited for. Its
 * write-ahead log, statistics and backups are the server's own and out of reach.
 */
final class PostgresScrub {
  private static final long OTHERS_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_MILLIS = 20;

  private PostgresScrub() {}

  static Optional<String> of(HikariDataSource pool) {
    try (Connection connection = pool.getConnection()) {
      connection.setNetworkTimeout(Runnable::run, 0); // large tables take long
      connection.setAutoCommit(true);
      try (Statement statement = connection.createStatement()) {
        boolean free = isFree(statement);
        List<String> written = written(statement);
        if (!written.isEmpty()) {
          statement.execute("VACUUM (FULL, ANALYZE) " + String.join(", ", written));
        }
        return free
            ? Optional.empty()
            : Optional.of("another transaction still looks at an older moment of the database");
      } finally {
        connection.setAutoCommit(false);
      }
    } catch (SQLException fault) {
      return Optional.of("the tables could not be written anew: " + fault.getMessage());
    }
  }

  /** The tables that ever held something; the others need not be written anew. */
  private static List<String> written(Statement statement) throws SQLException {
    List<String> written = new ArrayList<>();
    for (String table : TableCopy.TABLES.keySet()) {
      String question = "SELECT pg_relation_size('" + table + "') > 0 AS written";
      try (ResultSet result = statement.executeQuery(question)) {
        if (result.next() && result.getBoolean("written")) written.add(table);
      }
    }
    return written;
  }

  /** Waits until every transaction that was there before has ended. */
  private static boolean isFree(Statement statement) throws SQLException {
    String now;
    try (ResultSet result = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
      result.next();
      now = result.getString(1);
    }
    String question =
        """
        SELECT pg_snapshot_xmin(pg_current_snapshot()) > '<now>'::xid8 AND NOT EXISTS (
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
            AND age(backend_xmin) >= age('<now>'::xid8::xid)) AS free"""
            .replace("<now>", now);
    long end = System.nanoTime() + OTHERS_NANOS_MAX;
    while (true) {
      try (ResultSet result = statement.executeQuery(question)) {
        if (result.next() && result.getBoolean("free")) return true;
      }
      if (System.nanoTime() > end) return false;
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
