package dev.mainstay.mcp;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls side by side, up to a maximum; as many more wait. A caller that has yet another one
 * waits in {@link #add}, which is how the input is read no faster than requests are answered.
 */
final class CallQueue {
  static final int RUNNING_MAX = 64;
  static final int WAITING_MAX = 64;

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(CallQueue::thread);
  private int running;

  static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "mainstay-mcp");
    thread.setDaemon(true);
    return thread;
  }

  synchronized void add(Runnable call) throws InterruptedException {
    while (waiting.size() >= WAITING_MAX) wait();
    if (running < RUNNING_MAX) {
      running++;
      threads.execute(() -> runFrom(call));
    } else {
      waiting.add(call);
    }
  }

  private void runFrom(Runnable first) {
    for (Runnable call = first; call != null; call = next()) call.run();
  }

  private synchronized @Nullable Runnable next() {
    Runnable call = waiting.poll();
    if (call == null) running--;
    notifyAll();
    return call;
  }

  /** Waits until nothing runs or waits, at most so long. */
  synchronized void drain(long millis, BooleanSupplier pointless) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (running > 0 && !pointless.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) return;
      wait(left);
    }
  }

  void stop() {
    threads.shutdownNow();
  }
}
