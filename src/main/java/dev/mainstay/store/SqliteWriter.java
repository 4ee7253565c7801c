package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Store.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
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

  private static final long SHORTENING_NANOS_BETWEEN = 200_000_000;
  private static final long TELLING_NANOS_BETWEEN = 10_000_000;
  private static final long CLOSE_MILLIS_MAX = 2_000;
  private static final long CLOSE_MILLIS_STEP = 10;

  // No other writer has the lock while it looks for its own; a UUID would load security providers.
  private final String name = ProcessHandle.current().pid() + "-" + System.nanoTime();
  private final SqliteStore store;
  private final Path file;
  private final SqlitePages pages;
  private final LockFile lock;
  private final BlockingQueue<SqlitePending<?>> queue = new LinkedBlockingQueue<>();
  private final List<SqlitePending<?>> batch = new ArrayList<>(BATCH_MAX); // never needs memory
  private final Thread thread;
  private @Nullable Statements connection;
  private @Nullable Statements abandoned;
  private volatile @Nullable SqlitePending<?> heldUp; // by another process, before it could begin
  private volatile boolean closed;
  private volatile long commits;
  private long nextShortening = System.nanoTime();

  SqliteWriter(SqliteStore store, Path file) {
    this.store = store;
    this.file = file;
    this.pages = new SqlitePages(file);
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
        surviving(first);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      abandon();
    }
  }

  /**
   * An Error, as that of a heap that is used up, may come from anywhere. Whoever was not told by
   * then learns that nobody knows, which is always true, and the writer goes on for all the others.
   */
  private void surviving(SqlitePending<?> first) {
    batch.clear();
    try {
      batch(first);
    } catch (RuntimeException | Error fault) {
      tell(first, fault);
      for (SqlitePending<?> each : batch) tell(each, fault);
    }
  }

  /** Who has begun waits until he is told, so it is tried until there is memory for it. */
  private void tell(SqlitePending<?> each, Throwable fault) {
    for (boolean told = false; !told; ) {
      try {
        each.unknown(store.shown(), fault);
        told = true;
      } catch (OutOfMemoryError full) {
        LockSupport.parkNanos(TELLING_NANOS_BETWEEN);
      }
    }
  }

  private void batch(SqlitePending<?> first) {
    boolean kept;
    Stalls.Stall waiting = store.stalls().begin();
    heldUp = first;
    try {
      lock.lock();
    } catch (IOException fault) {
      heldUp = null;
      first.refuse(store.unlockable(fault));
      return;
    } finally {
      waiting.end();
    }
    try {
      kept = commit(first);
      if (!kept) for (SqlitePending<?> each : batch) alone(each);
      shortenLog();
    } catch (RuntimeException | Error fault) {
      abandon(); // before another process gets its turn
      throw fault;
    } finally {
      lock.unlock();
    }
    if (kept) batch.forEach(SqlitePending::acknowledge);
  }

  /** Runs the first and whoever comes in time, and commits them; false when nothing was kept. */
  private boolean commit(SqlitePending<?> first) {
    try {
      Statements open = connection();
      begin(open);
      long end = System.nanoTime() + BATCH_NANOS_MAX;
      SqlitePending<?> next = first;
      while (next != null && !next.isEnd()) {
        batch.add(next);
        if (next.begin()) inSavepoint(open, next);
        boolean more = batch.size() < BATCH_MAX && System.nanoTime() < end;
        next = more ? queue.poll() : null;
      }
      if (next != null) queue.add(next); // the end mark, for the loop outside
      commit(open);
      return true;
    } catch (SQLException | SqlFault fault) {
      // A full disk or an I/O error may have undone everything behind the savepoints, so nobody of
      // the batch is acknowledged; each is run again alone.
      abandon();
      if (batch.isEmpty()) batch.add(first);
      return false;
    }
  }

  /** Programs that do not know the lock file, as a shell of SQLite, are waited for here. */
  private void begin(Statements open) throws SQLException {
    Stalls.Stall waiting = store.stalls().begin();
    try {
      SqliteConnections.begin(open.connection());
    } finally {
      heldUp = null;
      waiting.end();
    }
    pages.begun();
  }

  /** Commits under a mark; when that fails, the mark tells whether it was carried out after all. */
  private void commit(Statements open) throws SQLException {
    String mark = store.tx(open).meta().countCommit(name);
    try {
      SqliteConnections.commit(open.connection());
    } catch (SQLException | RuntimeException | Error fault) {
      if (!wasKept(mark, fault)) throw fault;
    }
    try {
      pages.committed(MetaTable.number(mark));
      commits++;
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

  /** Whether all of the log went into the file. */
  private static boolean checkpoint(Statement statement, String how) {
    try (ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(" + how + ")")) {
      return result.next() && result.getInt(1) == 0;
    } catch (SQLException fault) {
      return false;
    }
  }

  /** Neither kept nor not kept: nobody of the batch may be told either, and nothing run again. */
  private static final class UnknownCommit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownCommit(Throwable fault) {
      super(fault);
    }
  }

  private void inSavepoint(Statements open, SqlitePending<?> pending) {
    Tx tx = store.tx(open);
    tx.sql("SAVEPOINT use_case").update();
    try {
      pending.run(tx);
    } catch (SqlFault fault) {
      if (Faults.endsTransaction(fault.sql())) throw fault;
      undo(tx, pending, Faults.refusal(fault.sql(), store.shown()));
    } catch (RuntimeException | Error fault) {
      undo(tx, pending, fault);
    }
    tx.sql("RELEASE use_case").update();
  }

  private static void undo(Tx tx, SqlitePending<?> pending, Throwable fault) {
    tx.sql("ROLLBACK TO use_case").update();
    pending.failed(fault);
  }

  /** One use case in a transaction of its own; its fault is its caller's alone. */
  private void alone(SqlitePending<?> pending) {
    if (!pending.begin()) return;
    try {
      Statements open = connection();
      begin(open);
      pending.run(store.tx(open));
      commit(open);
    } catch (UnknownCommit unknown) {
      pending.unknown(store.shown(), unknown);
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
    pending.acknowledge();
  }

  private Statements connection() throws SQLException {
    Statements open = connection;
    if (open != null) return open;
    if (abandoned != null) abandon(); // an Error came between, and it still keeps others out
    Connection made = SqliteConnections.writing(file);
    SqliteConnections.useLog(made);
    connection = open = Statements.keeping(made);
    return open;
  }

  /** Rolls back by closing: after a fault nothing about the old connection is trusted. */
  private void abandon() {
    if (abandoned == null) abandoned = connection;
    connection = null;
    if (abandoned != null) quietly(abandoned::close);
    abandoned = null;
    pages.reopenLog();
  }

  /**
   * Takes the log into the file when it has become long, after its pages were summed up. A reader
   * that stays long keeps it growing; then it shrinks here once the reader is gone. Never waits for
   * the reader, and does not try at every batch, because everybody waits meanwhile.
   */
  private void shortenLog() {
    if (!pages.isLogLong() || System.nanoTime() < nextShortening) return;
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

  void close() {
    closed = true;
    queue.add(SqlitePending.end());
    try {
      // A thread that waits for another process's lock is woken by closing the file it waits at.
      long end = System.nanoTime() + CLOSE_MILLIS_MAX * 1_000_000;
      while (thread.isAlive() && System.nanoTime() < end && !waitsInVain()) {
        thread.join(CLOSE_MILLIS_STEP);
      }
      lock.close();
      if (!thread.isAlive()) pages.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
  }

  /** Whether it waits for another process with work that everybody has given up. */
  private boolean waitsInVain() {
    SqlitePending<?> first = heldUp;
    return first != null
        && first.isGivenUp()
        && queue.stream().allMatch(each -> each.isEnd() || each.isGivenUp());
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
