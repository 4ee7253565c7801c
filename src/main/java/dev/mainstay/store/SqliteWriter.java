package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import dev.mainstay.store.SqliteCommits.UnknownCommit;
import dev.mainstay.store.Store.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a SQLite file in this process: whoever has the pen. That is a thread to which
 * use cases are handed over; it runs those that wait, each in its savepoint, commits them together
 * with one fsync, and only then tells their callers. A caller who is alone takes the pen himself.
 * Between batches the lock is given away, so that other processes get their turn.
 */
final class SqliteWriter {
  private static final int BATCH_MAX = 256;

  /** A batch takes in latecomers for this long, so that other processes never wait for ever. */
  private static final long BATCH_NANOS_MAX = 20_000_000;

  private static final long TELLING_NANOS_BETWEEN = 10_000_000;
  private static final long CLOSE_MILLIS_MAX = 2_000;
  private static final long CLOSE_MILLIS_STEP = 10;

  private final SqliteStore store;
  private final SqliteCommits commits;
  private final LockFile lock;
  private final ReentrantLock pen = new ReentrantLock();
  private final Queue<SqlitePending<?>> queue = new ConcurrentLinkedQueue<>(); // left by the pen
  private final List<SqlitePending<?>> batch = new ArrayList<>(BATCH_MAX); // never needs memory
  private final Thread thread;
  private volatile @Nullable SqlitePending<?> heldUp; // by another process, before it could begin
  private volatile boolean crowded; // several shared the last batch
  private volatile boolean logIsLong;
  private volatile boolean closed;

  SqliteWriter(SqliteStore store, Path file) {
    this.store = store;
    this.commits = new SqliteCommits(store, file);
    try {
      this.lock = LockFile.open(store.lockFile());
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
    store.files().openLock(lock);
    this.thread = new Thread(this::work, "mainstay-writer");
    thread.setDaemon(true);
    thread.start();
  }

  <T> Outcome<T> write(Attempt<T> attempt) {
    SqlitePending<T> pending = new SqlitePending<>(attempt);
    if (!isWrittenByCaller(pending)) {
      handOver(pending);
      if (closed && queue.remove(pending)) throw Refusal.unavailable("the store is closed", null);
    }
    return pending.await(store.settings().patience(), store.shown());
  }

  private void handOver(SqlitePending<?> pending) {
    queue.add(pending);
    LockSupport.unpark(thread);
  }

  /**
   * A caller who finds nobody writing and nobody waiting writes himself, where he need not wait for
   * anything: to wake another thread and be woken by it takes as long as many a use case. Callers
   * who come together are handed over, so that they share a commit, and so is a log that is to be
   * shortened.
   */
  private boolean isWrittenByCaller(SqlitePending<?> pending) {
    if (pen.isHeldByCurrentThread()) throw new IllegalStateException("a use case in a use case");
    if (crowded || logIsLong || !queue.isEmpty()) return false;
    if (HandOver.isDueFrom(Thread.currentThread())) return false;
    if (!pen.tryLock()) return false;
    try {
      Statements begun = closed ? null : beginAtOnce();
      if (begun == null) return false;
      surviving(pending, begun);
      return true;
    } finally {
      pen.unlock();
      if (logIsLong) LockSupport.unpark(thread);
    }
  }

  /** The right to write and a transaction, or nothing where he had to wait for one of them. */
  private @Nullable Statements beginAtOnce() {
    if (!lock.tryLock()) return null;
    Statements begun = null;
    try {
      begun = commits.beginAtOnce();
      return begun;
    } finally {
      if (begun == null) lock.unlock();
    }
  }

  private void work() {
    while (!closed || !queue.isEmpty() || logIsLong) {
      // A use case may have left it, and it would keep the thread from waiting.
      Thread.interrupted();
      if (queue.isEmpty() && !logIsLong) LockSupport.park(this);
      try {
        turn();
      } catch (RuntimeException | Error fault) { // nobody is here to be told; the others go on
        LockSupport.parkNanos(TELLING_NANOS_BETWEEN);
      }
    }
    pen.lock(); // and never given back, as the store is closed
    commits.close();
  }

  private void turn() {
    pen.lock();
    try {
      SqlitePending<?> next = queue.poll(); // nothing when a caller took it along
      if (next != null) surviving(next, null);
      else if (logIsLong) shortenLog();
    } finally {
      pen.unlock();
    }
  }

  /** What those who wrote themselves left to the thread; a program that writes now does it, too. */
  private void shortenLog() {
    logIsLong = false;
    if (!lock.tryLock()) return;
    try {
      commits.shortenLog();
    } finally {
      lock.unlock();
    }
  }

  /**
   * An Error, as that of a heap that is used up, may come from anywhere. Whoever was not told by
   * then learns that nobody knows, which is always true, and the writer goes on for all the others.
   */
  private void surviving(SqlitePending<?> first, @Nullable Statements begun) {
    batch.clear();
    try {
      if (begun == null) awaitTurn(first);
      else settle(first, begun);
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

  private void awaitTurn(SqlitePending<?> first) {
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
    settle(first, null);
  }

  /** With the right to write: runs whoever is there, gives the right away, and tells them. */
  private void settle(SqlitePending<?> first, @Nullable Statements begun) {
    boolean kept;
    try {
      kept = commit(first, begun);
      crowded = batch.size() > 1;
      if (!kept) for (SqlitePending<?> each : batch) alone(each);
      boolean byCaller = begun != null;
      logIsLong = byCaller && commits.isLogLong();
      if (!byCaller) commits.shortenLog();
    } catch (RuntimeException | Error fault) {
      commits.abandon(); // before another process gets its turn
      throw fault;
    } finally {
      lock.unlock();
    }
    // Not before: whoever was told may wait for what a process has that waits for this lock.
    if (kept) batch.forEach(SqlitePending::acknowledge);
  }

  private Statements begin() throws SQLException {
    try {
      return commits.begin();
    } finally {
      heldUp = null;
    }
  }

  /** Runs the first and whoever comes in time, and commits them; false when nothing was kept. */
  private boolean commit(SqlitePending<?> first, @Nullable Statements begun) {
    try {
      Statements open = begun == null ? begin() : begun;
      long end = System.nanoTime() + BATCH_NANOS_MAX;
      SqlitePending<?> next = first;
      while (next != null) {
        batch.add(next);
        if (next.begin()) inSavepoint(open, next);
        boolean more = batch.size() < BATCH_MAX && System.nanoTime() < end;
        next = more ? queue.poll() : null;
      }
      commits.commit(open);
      return true;
    } catch (Refusal lostFiles) {
      commits.abandon();
      if (batch.isEmpty()) batch.add(first);
      for (SqlitePending<?> each : batch) each.refuse(lostFiles);
      batch.clear();
      return false;
    } catch (SQLException | SqlFault fault) {
      // A full disk or an I/O error may have undone everything behind the savepoints, so nobody of
      // the batch is acknowledged; each is run again alone.
      commits.abandon();
      if (batch.isEmpty()) batch.add(first);
      return false;
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
      Statements open = begin();
      pending.run(store.tx(open));
      commits.commit(open);
    } catch (UnknownCommit unknown) {
      pending.unknown(store.shown(), unknown);
    } catch (SQLException fault) {
      commits.abandon();
      pending.refuse(Faults.refusal(fault, store.shown()));
    } catch (SqlFault fault) {
      commits.abandon();
      pending.refuse(Faults.refusal(fault.sql(), store.shown()));
    } catch (RuntimeException | Error fault) {
      commits.abandon();
      pending.refuse(fault);
    }
    pending.acknowledge();
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      // A thread that waits for another process's lock is woken by closing the file it waits at.
      long end = System.nanoTime() + CLOSE_MILLIS_MAX * 1_000_000;
      while (thread.isAlive() && System.nanoTime() < end && !waitsInVain()) {
        thread.join(CLOSE_MILLIS_STEP);
      }
      lock.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (IOException fault) {
      throw store.unlockable(fault);
    }
  }

  /** Whether it waits for another process with work that everybody has given up. */
  private boolean waitsInVain() {
    SqlitePending<?> first = heldUp;
    return first != null && first.isGivenUp() && queue.stream().allMatch(SqlitePending::isGivenUp);
  }

  /** How many transactions this writer has committed, each with one fsync. */
  long commits() {
    return commits.count();
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
