package dev.mainstay.queue;

import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Work;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Does what the passing of time asks for, every second, in one process at a time of all that share
 * a store. The role is held only by a transaction, so a process that dies leaves it to the others.
 */
public final class Sweeper implements AutoCloseable {
  public static final Duration EVERY = Duration.ofSeconds(1);
  static final String ROLE = "sweeper";
  private static final long CLOSE_MILLIS_MAX = 5_000;

  private final IntSupplier work;
  private final Consumer<RuntimeException> told;
  private final AtomicLong swept = new AtomicLong();
  private final AtomicLong faults = new AtomicLong();
  private final Thread thread = new Thread(this::run, "mainstay-sweeper");
  private boolean closed;

  /** Brings back what time has ended: leases of silent holders and pauses. */
  public Sweeper(Store store, Consumer<RuntimeException> told) {
    this.told = told;
    this.work = () -> Expiry.bringBack(store, tx -> tx.isElected(ROLE), this::failed);
    thread.setDaemon(true);
  }

  /** Other work, in one transaction a turn; it gives how much there was to do. */
  Sweeper(Store store, Work<Integer> turn) {
    this.told = fault -> {};
    this.work =
        () -> store.inTransaction(Once.unkeyed(), tx -> tx.isElected(ROLE) ? turn.run(tx) : 0);
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
        failed(fault);
      }
    }
  }

  /** The next second tries again. */
  private void failed(RuntimeException fault) {
    faults.incrementAndGet();
    told.accept(fault);
  }

  /** One turn: how much was done, nothing when another process is at it. */
  int sweep() {
    int done = work.getAsInt();
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
