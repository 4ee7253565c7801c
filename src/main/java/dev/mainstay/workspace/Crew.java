package dev.mainstay.workspace;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one scan. The one who waits for them does so for a limited time: a thread that
 * hangs, because a pipe took the place of the file it was opening, is left behind.
 */
final class Crew {
  private final ThreadPoolExecutor threads;
  private final AtomicInteger open = new AtomicInteger();
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Crew(int size) {
    threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "workspace-scan");
              thread.setDaemon(true); // a thread that hangs must not keep the process alive
              return thread;
            });
  }

  /** Work may add work, but only before it ends itself. */
  void add(Runnable work) {
    open.incrementAndGet();
    try {
      threads.execute(() -> run(work));
    } catch (RejectedExecutionException over) {
      return; // nobody waits any more, and what is still open was counted
    }
  }

  private void run(Runnable work) {
    try {
      if (failure.get() == null) work.run();
    } catch (Throwable bug) {
      failure.compareAndSet(null, bug);
    } finally {
      if (open.decrementAndGet() == 0) done.countDown();
    }
  }

  /** Waits until all is done, or so long; says how much is not. */
  int finish(long nanos) {
    boolean interrupted = false;
    try {
      done.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stop) {
      interrupted = true;
    }
    int unfinished = open.get();
    threads.shutdownNow(); // what has not begun is dropped
    if (interrupted) Thread.currentThread().interrupt();
    Throwable bug = failure.get();
    if (bug != null) throw new IllegalStateException("a scan failed: " + bug, bug);
    return unfinished;
  }
}
