package dev.mainstay;

import static org.assertj.core.api.Assertions.fail;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Tells work that never ends from a machine that has no time for it. */
public final class CpuTime {
  private static final long LOOK_MILLIS = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private CpuTime() {}

  /** Fails when the work has used more of a processor than this, however long that took. */
  public static void within(Duration atMost, String what, Runnable work)
      throws InterruptedException {
    AtomicReference<Throwable> fault = new AtomicReference<>();
    Thread thread = new Thread(work, "cpu-time");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((any, thrown) -> fault.set(thrown));
    thread.start();
    while (thread.isAlive()) {
      if (THREADS.getThreadCpuTime(thread.getId()) > atMost.toNanos()) {
        fail("%s was at work for more than %s", what, atMost);
      }
      thread.join(LOOK_MILLIS);
    }
    if (fault.get() != null) throw new AssertionError(what, fault.get());
  }
}
