package dev.mainstay.store;

import dev.mainstay.store.Changes.News;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * News between the processes that share a SQLite file. Nothing needs to be sent: SQLite counts the
 * commits of all other connections, and asking for that count reads a few bytes of shared memory.
 */
final class SqliteWire implements Changes.Wire {
  private static final long PAUSE_MILLIS = 20;

  private final Path file;

  SqliteWire(Path file) {
    this.file = file;
  }

  @Override
  public void send(Set<News> news) {}

  @Override
  public Changes.Ear listen() throws SQLException {
    return new Ear(SqliteConnections.reading(file));
  }

  @Override
  public void close() {}

  private static final class Ear implements Changes.Ear {
    private final Connection connection;
    private final PreparedStatement question;
    private long version;

    Ear(Connection connection) throws SQLException {
      this.connection = connection;
      try {
        question = connection.prepareStatement("PRAGMA data_version");
        version = ask();
      } catch (SQLException fault) {
        SqliteWriter.quietly(connection::close);
        throw fault;
      }
    }

    @Override
    public Set<News> next() throws SQLException, InterruptedException {
      if (hasMoved()) return Changes.ALL;
      Thread.sleep(PAUSE_MILLIS);
      return Set.of();
    }

    private synchronized boolean hasMoved() throws SQLException {
      long before = version;
      version = ask();
      return version != before;
    }

    private long ask() throws SQLException {
      try (ResultSet result = question.executeQuery()) {
        return result.next() ? result.getLong(1) : 0;
      }
    }

    @Override
    public synchronized void close() {
      SqliteWriter.quietly(connection::close);
    }
  }
}
