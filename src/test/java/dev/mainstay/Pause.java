package dev.mainstay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** How tests wait for what others do: they look again soon, and leave the processor to them. */
public final class Pause {
  private static final long NANOS = 2_000_000;

  private Pause() {}

  public static void briefly() {
    LockSupport.parkNanos(NANOS);
  }

  /** For use cases and other places that may not throw what a latch throws. */
  public static void until(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }
}
