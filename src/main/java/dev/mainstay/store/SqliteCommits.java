package dev.mainstay.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The transactions by which a SQLite file is written, for whoever has the right to write. Each
 * commit has a mark by which it is found again when its answer was lost, and a connection that met
 * a fault is given up.
 */
final class SqliteCommits {
  static final long WAL_BYTES_MAX = 64L * 1024 * 1024;

  private static final long SHORTENING_NANOS_BETWEEN = 200_000_000;

  // No other writer has the lock while it looks for its own; a UUID would load security providers.
  private final String name = ProcessHandle.current().pid() + "-" + System.nanoTime();
  private final SqliteStore store;
  private final Path file;
  private final SqlitePages pages;
  private @Nullable Statements connection;
  private @Nullable Statements abandoned;
  private volatile long count;
  private long nextShortening = System.nanoTime();

  SqliteCommits(SqliteStore store, Path file) {
    this.store = store;
    this.file = file;
    this.pages = new SqlitePages(file);
  }

  /** Programs that do not know the lock file, as a shell of SQLite, are waited for here. */
  Statements begin() throws SQLException {
    Statements open = connection();
    Stalls.Stall waiting = store.stalls().begin();
    try {
      SqliteConnections.begin(open.connection());
    } finally {
      waiting.end();
    }
    store.files().checkForWriter();
    pages.begun();
    return open;
  }

  /**
   * The same without waiting: nothing where such a program writes, where anything is wrong, or
   * where a connection is to be opened first, which may wait for others.
   */
  @Nullable Statements beginAtOnce() {
    Statements open = connection;
    if (open == null) return null;
    try {
      SqliteConnections.beginAtOnce(open.connection());
      store.files().checkForWriter();
      pages.begun();
      return open;
    } catch (SQLException fault) {
      abandon(); // whoever begins by waiting meets it, too, and tells of it
      return null;
    } catch (RuntimeException | Error fault) {
      abandon(); // before another process gets its turn
      throw fault;
    }
  }

  /** Commits under a mark; when that fails, the mark tells whether it was carried out after all. */
  void commit(Statements open) throws SQLException {
    String mark = store.tx(open).meta().countCommit(name);
    try {
      SqliteConnections.commit(open.connection());
    } catch (SQLException | RuntimeException | Error fault) {
      if (!wasKept(mark, fault)) throw fault;
    }
    try {
      store.files().checkForWriter(); // a commit into files that are gone succeeds, too
      pages.committed(MetaTable.number(mark));
      count++;
    } catch (RuntimeException | Error fault) {
      throw new UnknownCommit(fault); // it was kept, so it must not look as if it had failed
    }
  }

  /**
   * Whether the commit with this mark is in the file. Nobody else can have committed since, as this
   * writer still has the lock. What is there only in the log of a disk that refused to sync is
   * written to the file itself before anybody is told of it.
   */
  private boolean wasKept(String mark, Throwable fault) {
    boolean interrupted = Thread.interrupted(); // the JDK would close what is looked at
    try {
      return isThere(mark, fault);
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private boolean isThere(String mark, Throwable fault) {
    abandon();
    try (Connection own = SqliteConnections.writing(file);
        Statement statement = own.createStatement()) {
      String query = "SELECT value FROM store_meta WHERE name = '" + MetaTable.LAST_COMMIT + "'";
      try (ResultSet result = statement.executeQuery(query)) {
        if (!result.next() || !mark.equals(result.getString(1))) return false;
      }
      pages.committed(0);
      if (pages.takeIn(() -> checkpoint(statement, "TRUNCATE"))) return true;
      throw new UnknownCommit(fault);
    } catch (SQLException | Error unreadable) {
      throw new UnknownCommit(fault);
    }
  }

  /** Neither kept nor not kept: nobody of the batch may be told either, and nothing run again. */
  static final class UnknownCommit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownCommit(Throwable fault) {
      super(fault);
    }
  }

  private Statements connection() throws SQLException {
    Statements open = connection;
    if (open != null) return open;
    if (abandoned != null) abandon(); // an Error came between, and it still keeps others out
    store.files().check();
    Connection made = SqliteConnections.writing(file);
    SqliteConnections.useLog(made);
    store.files().connected();
    connection = open = Statements.keeping(made);
    return open;
  }

  /** Rolls back by closing: after a fault nothing about the old connection is trusted. */
  void abandon() {
    if (abandoned == null) abandoned = connection;
    connection = null;
    if (abandoned != null) {
      if (store.files().areLost()) SqliteWriter.quietly(abandoned.connection()::rollback);
      store.files().disconnect(abandoned);
    }
    abandoned = null;
    pages.reopenLog();
  }

  /** Whether it is time for {@link #shortenLog}. */
  boolean isLogLong() {
    return System.nanoTime() >= nextShortening && pages.isLogLong();
  }

  /**
   * Takes the log into the file when it has become long, after its pages were summed up. A reader
   * that stays long keeps it growing; then it shrinks here once the reader is gone. Never waits for
   * the reader, and does not try at every batch, because everybody waits meanwhile.
   */
  void shortenLog() {
    if (!isLogLong() || store.files().areLost()) return;
    nextShortening = System.nanoTime() + SHORTENING_NANOS_BETWEEN;
    boolean large = LogFrames.beside(file).toFile().length() > WAL_BYTES_MAX;
    pages.takeIn(() -> checkpoint(large ? "TRUNCATE" : "PASSIVE"));
  }

  /** On a connection of its own, read to the end: otherwise a later commit would not be kept. */
  private boolean checkpoint(String how) {
    try (Connection own = SqliteConnections.writing(file);
        Statement statement = own.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 0");
      return checkpoint(statement, how);
    } catch (SQLException fault) {
      return false;
    }
  }

  /** Whether all of the log went into the file. */
  private static boolean checkpoint(Statement statement, String how) {
    try (ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(" + how + ")")) {
      return result.next() && result.getInt(1) == 0;
    } catch (SQLException fault) {
      return false;
    }
  }

  /** How many transactions were committed, each with one fsync. */
  long count() {
    return count;
  }

  void close() {
    abandon();
    try {
      pages.close();
    } catch (IOException closed) {
      return;
    }
  }
}
