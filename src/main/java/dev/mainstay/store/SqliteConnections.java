package dev.mainstay.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/** How connections to a SQLite file are opened. */
final class SqliteConnections {
  /** Writers queue at the lock file, so only a program outside Mainstay makes this wait. */
  private static final int BUSY_MILLIS_MAX = 10_000;

  /** Tells a Mainstay store from any other SQLite file; the letters MSTY. */
  static final int APPLICATION_ID = 0x4d535459;

  private SqliteConnections() {}

  static Connection writing(Path file) throws SQLException {
    SQLiteConfig config = config();
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.resetOpenMode(SQLiteOpenMode.CREATE); // a file that was deleted must not come back empty
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    // What goes from the log into the file is summed up before, so it goes when we say so.
    ask(connection, "PRAGMA wal_autocheckpoint = 0");
    distrustSchema(connection);
    return connection;
  }

  static Connection reading(Path file) throws SQLException {
    SQLiteConfig config = config();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    if (canUseSharedMemory(file) || hasLog(file)) {
      Connection connection = config.createConnection("jdbc:sqlite:" + file);
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA query_only = true");
      }
      distrustSchema(connection);
      return connection;
    }
    // On a read-only disk without a write-ahead log the file cannot change: it may be read as it
    // is.
    config.setOpenMode(SQLiteOpenMode.OPEN_URI);
    config.setReadOnly(true);
    return config.createConnection(
        "jdbc:sqlite:" + file.toUri().toString().replace("file:///", "file:/") + "?immutable=1");
  }

  /**
   * For one who cannot share memory with others, as where a full disk has no room for it: SQLite
   * keeps it to itself then, and lets nobody else in until the connection is closed.
   */
  static Connection readingAlone(Path file) throws SQLException {
    SQLiteConfig config = config();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA query_only = true");
    }
    return connection;
  }

  /** A copy made by SQLite itself has no write-ahead log; a store that is written to always has. */
  static void useLog(Connection connection) throws SQLException {
    ask(connection, "PRAGMA journal_mode = WAL");
  }

  /** Lets views, triggers and checks of a foreign file call only harmless functions. */
  private static void distrustSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA trusted_schema = OFF");
    }
  }

  /** Says something and reads the answer to its end, or a later commit would not be kept. */
  private static void ask(Connection connection, String pragma) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(pragma)) {
      while (answer.next()) {}
    }
  }

  /**
   * Begins a transaction. The driver says BEGIN (IMMEDIATE for a writer) and COMMIT when its flag
   * changes; saying so by statements of our own makes it try to begin another after each of them.
   */
  static void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
  }

  /** The same, and a fault at once where another program has begun one. */
  static void beginAtOnce(Connection connection) throws SQLException {
    SQLiteConnection own = connection.unwrap(SQLiteConnection.class);
    own.setBusyTimeout(0);
    try {
      begin(connection);
    } finally {
      own.setBusyTimeout(BUSY_MILLIS_MAX);
    }
  }

  static void commit(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
  }

  /** Ends the transaction of one who only looked; false when the connection is to be given up. */
  static boolean hasEnded(Connection connection) {
    try {
      commit(connection);
      return true;
    } catch (SQLException fault) {
      return false;
    }
  }

  private static SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.enforceForeignKeys(true);
    config.setBusyTimeout(BUSY_MILLIS_MAX);
    config.setGetGeneratedKeys(false); // nobody asks, and it costs a statement after each insert
    return config;
  }

  /** What is in the log only must not be overlooked. */
  private static boolean hasLog(Path file) {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    try {
      return Files.exists(log) && Files.size(log) > 0;
    } catch (IOException unknown) {
      return true;
    }
  }

  private static boolean canUseSharedMemory(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null || Files.isWritable(folder);
  }
}
