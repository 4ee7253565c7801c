package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Store.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a SQLite file in this process. It runs the use cases that wait, each in its
 * savepoint, commits them together with one fsync, and only then tells their callers. Between
 * batches it gives the lock away, so that other processes get their turn.
 */
final class SqliteWriter {
  private static final int BATCH_MAX = 256;

  /** A batch takes in latecomers for this long, so that other processes never wait for ever. */
  private static final long BATCH_NANOS_MAX = 20_000_000;

  static final long WAL_BYTES_MAX = 64L * 1024 * 1024;

  private final SqliteStore store;
  private final Path file;
  private final LockFile lock;
  private final BlockingQueue<SqlitePending<?>> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private @Nullable Connection connection;
  private volatile boolean closed;
  private volatile long commits;

  SqliteWriter(SqliteStore store, Path file) {
    this.store = store;
    this.file = file;
    try {
      this.lock = LockFile.open(store.lockFile());
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
    this.thread = new Thread(this::work, "mainstay-writer");
    thread.setDaemon(true);
    thread.start();
  }

  <T> Outcome<T> write(Attempt<T> attempt) {
    SqlitePending<T> pending = new SqlitePending<>(attempt);
    queue.add(pending);
    if (closed && queue.remove(pending)) throw Refusal.unavailable("the store is closed", null);
    return pending.await(store.settings().patience(), store.shown());
  }

  private void work() {
    try {
      while (true) {
        SqlitePending<?> first = queue.take();
        if (first.isEnd()) return;
        batch(first);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      Connection open = connection;
      if (open != null) quietly(open::close);
    }
  }

  private void batch(SqlitePending<?> first) {
    List<SqlitePending<?>> batch = new ArrayList<>();
    boolean kept;
    try {
      lock.lock();
    } catch (IOException fault) {
      first.refuse(store.unlockable(fault));
      return;
    }
    try {
      kept = commit(first, batch);
      if (!kept) for (SqlitePending<?> each : batch) alone(each);
      truncateLargeLog();
    } finally {
      lock.unlock();
    }
    if (kept) batch.forEach(SqlitePending::acknowledge);
  }

  /** Runs the first and whoever comes in time, and commits them; false when nothing was kept. */
  private boolean commit(SqlitePending<?> first, List<SqlitePending<?>> batch) {
    try {
      Connection open = connection();
      SqliteStore.execute(open, "BEGIN IMMEDIATE");
      long end = System.nanoTime() + BATCH_NANOS_MAX;
      SqlitePending<?> next = first;
      while (next != null && !next.isEnd()) {
        batch.add(next);
        if (next.begin()) inSavepoint(open, next);
        boolean more = batch.size() < BATCH_MAX && System.nanoTime() < end;
        next = more ? queue.poll() : null;
      }
      if (next != null) queue.add(next); // the end mark, for the loop outside
      SqliteStore.execute(open, "COMMIT");
      commits++;
      return true;
    } catch (SQLException | SqlFault fault) {
      // A full disk or an I/O error may have undone everything behind the savepoints, so nobody of
      // the batch is acknowledged; each is run again alone, under its key.
      abandon();
      if (batch.isEmpty()) batch.add(first);
      return false;
    }
  }

  private void inSavepoint(Connection open, SqlitePending<?> pending) throws SQLException {
    SqliteStore.execute(open, "SAVEPOINT use_case");
    try {
      pending.run(store.tx(open));
    } catch (SqlFault fault) {
      if (Faults.endsTransaction(fault.sql())) throw fault;
      undo(open, pending, Faults.refusal(fault.sql(), store.shown()));
    } catch (RuntimeException | Error fault) {
      undo(open, pending, fault);
    }
    SqliteStore.execute(open, "RELEASE use_case");
  }

  private static void undo(Connection open, SqlitePending<?> pending, Throwable fault)
      throws SQLException {
    SqliteStore.execute(open, "ROLLBACK TO use_case");
    pending.failed(fault);
  }

  /** One use case in a transaction of its own; its fault is its caller's alone. */
  private void alone(SqlitePending<?> pending) {
    if (!pending.begin()) return;
    try {
      Connection open = connection();
      SqliteStore.execute(open, "BEGIN IMMEDIATE");
      pending.run(store.tx(open));
      SqliteStore.execute(open, "COMMIT");
      pending.acknowledge();
    } catch (SQLException fault) {
      abandon();
      pending.refuse(Faults.refusal(fault, store.shown()));
    } catch (SqlFault fault) {
      abandon();
      pending.refuse(Faults.refusal(fault.sql(), store.shown()));
    } catch (RuntimeException | Error fault) {
      abandon();
      pending.refuse(fault);
    }
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open != null) return open;
    open = SqliteConnections.writing(file);
    SqliteConnections.useLog(open);
    connection = open;
    return open;
  }

  /** Rolls back by closing: after a fault nothing about the old connection is trusted. */
  private void abandon() {
    Connection open = connection;
    connection = null;
    if (open == null) return;
    quietly(() -> SqliteStore.execute(open, "ROLLBACK"));
    quietly(open::close);
  }

  /** A reader that stays long keeps the log growing; it shrinks here once the reader is gone. */
  private void truncateLargeLog() {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    try {
      if (Files.size(log) < WAL_BYTES_MAX) return;
    } catch (IOException none) {
      return;
    }
    // On a connection of its own, read to the end: otherwise a later commit would not be kept.
    quietly(
        () -> {
          try (Connection own = SqliteConnections.writing(file);
              Statement statement = own.createStatement();
              ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            while (result.next()) {}
          }
        });
  }

  void close() {
    closed = true;
    queue.add(SqlitePending.end());
    try {
      thread.join();
      lock.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
  }

  /** How many transactions this writer has committed, each with one fsync. */
  long commits() {
    return commits;
  }

  interface Step {
    void run() throws SQLException;
  }

  /** For clean-up whose failure changes nothing. */
  static void quietly(Step step) {
    try {
      step.run();
    } catch (SQLException ignored) {
      return;
    }
  }
}
