package dev.mainstay.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Old bytes out of a SQLite file. A row that is rewritten leaves what it was in the free room of
 * its page, and in the log; so the file is written anew and the log emptied, while nobody else
 * writes.
 */
final class SqliteScrub {
  private static final int READERS_MILLIS_MAX = 10_000;

  private SqliteScrub() {}

  static Optional<String> of(SqliteStore store, Path file) {
    try (LockFile lock = LockFile.open(store.lockFile())) {
      lock.lock();
      try (SqlitePages pages = new SqlitePages(file)) {
        return pages.renew(() -> writtenAnew(file));
      } finally {
        lock.unlock();
      }
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
  }

  private static Optional<String> writtenAnew(Path file) {
    try (Connection own = SqliteConnections.writing(file);
        Statement statement = own.createStatement()) {
      SqliteConnections.useLog(own);
      statement.execute("VACUUM");
      return emptied(statement);
    } catch (SQLException fault) {
      return Optional.of("the file could not be written anew: " + fault.getMessage());
    }
  }

  /** A reader of an older moment keeps the log as it is until it is done. */
  private static Optional<String> emptied(Statement statement) throws SQLException {
    statement.execute("PRAGMA busy_timeout = " + READERS_MILLIS_MAX);
    try (ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      boolean done = result.next() && result.getInt(1) == 0;
      return done
          ? Optional.empty()
          : Optional.of("another process reads an older moment of the store");
    }
  }
}
