package dev.mainstay.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Changes that nobody waits for: figures, which are worth less than the time of a commit. Those
 * that come within a moment are made with one commit; those that a killed process had not made are
 * lost.
 */
final class Later {
  private static final Duration GATHERING = Duration.ofMillis(250);
  private static final Duration CLOSING_MAX = Duration.ofSeconds(2);

  /** More than this many wait only where nothing can be written; they are not kept for it. */
  private static final int WAITING_MAX = 1_000;

  private final Consumer<List<Work<?>>> making;
  private final ThreadFactory threads;
  private final List<Work<?>> waiting = new ArrayList<>();
  private boolean busy;
  private boolean closed;

  /**
   * @param making makes them in one transaction
   */
  Later(Consumer<List<Work<?>>> making) {
    this(making, work -> new Thread(work, "mainstay-later"));
  }

  Later(Consumer<List<Work<?>>> making, ThreadFactory threads) {
    this.making = making;
    this.threads = threads;
  }

  synchronized void add(Work<?> change) {
    if (closed || waiting.size() >= WAITING_MAX) return;
    waiting.add(change);
    if (busy) return;
    try {
      Thread thread = threads.newThread(this::run);
      thread.setDaemon(true);
      thread.start();
      busy = true;
    } catch (Error noThreads) {
      waiting.clear(); // a few figures less; whoever brings the next one tries again
    }
  }

  private void run() {
    for (List<Work<?>> next = gathered(); !next.isEmpty(); next = gathered()) {
      try {
        making.accept(next);
      } catch (RuntimeException | Error aFewFiguresLess) {
        continue;
      }
    }
  }

  /** What came meanwhile; nothing, when nothing has come for a moment. */
  private synchronized List<Work<?>> gathered() {
    long until = System.nanoTime() + GATHERING.toNanos();
    try {
      for (long left = GATHERING.toMillis(); left > 0 && !closed; ) {
        wait(left);
        left = (until - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    List<Work<?>> all = List.copyOf(waiting);
    waiting.clear();
    if (all.isEmpty()) {
      busy = false;
      notifyAll();
    }
    return all;
  }

  /** Makes what waits, and takes no more. */
  synchronized void close() {
    closed = true;
    notifyAll();
    long until = System.nanoTime() + CLOSING_MAX.toNanos();
    try {
      for (long left = CLOSING_MAX.toMillis(); busy && left > 0; ) {
        wait(left);
        left = (until - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
