package dev.mainstay.queue;

import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Work;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Does what the passing of time asks for, every second, in one process at a time of all that share
 * a store. The role is held only by a transaction, so a process that dies leaves it to the others.
 */
public final class Sweeper implements AutoCloseable {
  public static final Duration EVERY = Duration.ofSeconds(1);
  static final String ROLE = "sweeper";
  private static final long CLOSE_MILLIS_MAX = 5_000;

  private final Store store;
  private final Work<Integer> work;
  private final AtomicLong swept = new AtomicLong();
  private final AtomicLong faults = new AtomicLong();
  private final Thread thread = new Thread(this::run, "mainstay-sweeper");
  private boolean closed;

  /** Brings back what time has ended: leases of silent holders and pauses. */
  public Sweeper(Store store) {
    this(store, Expiry::of);
  }

  /** The work gives how much there was to do. */
  Sweeper(Store store, Work<Integer> work) {
    this.store = store;
    this.work = work;
    thread.setDaemon(true);
  }

  /** Begins; called once. */
  public Sweeper start() {
    thread.start();
    return this;
  }

  private void run() {
    while (!isOver()) {
      try {
        sweep();
      } catch (RuntimeException fault) {
        faults.incrementAndGet(); // the next second tries again
      }
    }
  }

  /** One turn: how much was done, nothing when another process is at it. */
  int sweep() {
    boolean due = store.reading(tx -> tx.waiting().somethingIsDue());
    if (!due) return 0; // a look costs no commit
    int done = store.inTransaction(Once.unkeyed(), tx -> tx.isElected(ROLE) ? work.run(tx) : 0);
    swept.addAndGet(done);
    return done;
  }

  private synchronized boolean isOver() {
    try {
      if (!closed) wait(EVERY.toMillis());
      return closed;
    } catch (InterruptedException stop) {
      return true;
    }
  }

  /** How much was done since it began. */
  public long swept() {
    return swept.get();
  }

  /** How many turns failed since it began. */
  public long faults() {
    return faults.get();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(CLOSE_MILLIS_MAX);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
