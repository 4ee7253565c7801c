package dev.mainstay.app;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gives back the memory that a process which runs long holds for nothing. The JVM's serial
 * collector lets the heap grow to its limit before it looks at what has become old, so that a busy
 * server would come to hold several times what it needs. Here it is told to look earlier.
 */
final class Thrift {
  /** A heap of this size is nobody's loss. */
  static final long ENOUGH = 96L << 20;

  /** It must have grown by as much since the last look, and by half of what is needed. */
  static final long GROWN = 16L << 20;

  /** What is needed may become less without anything coming, so it is looked at now and then. */
  static final Duration REST = Duration.ofMinutes(1);

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** What the heap holds of the machine's memory, and how much of that is used or not yet free. */
  record Heap(long held, long used) {
    static Heap now() {
      Runtime jvm = Runtime.getRuntime();
      long held = jvm.totalMemory();
      return new Heap(held, held - jvm.freeMemory());
    }
  }

  private final Supplier<Heap> heap;
  private final Runnable collect;
  private final LongSupplier nanos;
  private Heap after = new Heap(0, 0);
  private long last;
  private boolean isInVain;

  Thrift(Supplier<Heap> heap, Runnable collect, LongSupplier nanos) {
    this.heap = heap;
    this.collect = collect;
    this.nanos = nanos;
    this.last = nanos.getAsLong();
  }

  /** Begins where the launcher has chosen the heap; a user's own is left to the user. */
  static void begin() {
    if (!Boolean.getBoolean("mainstay.thrift")) return;
    Thrift thrift = new Thrift(Heap::now, System::gc, System::nanoTime);
    Thread thread = new Thread(thrift::run, "mainstay-thrift");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(EVERY.toMillis());
        look();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  void look() {
    Heap before = heap.get();
    if (!isDue(before)) return;
    collect.run();
    after = heap.get();
    last = nanos.getAsLong();
    isInVain = before.used() - after.used() < GROWN;
  }

  private boolean isDue(Heap now) {
    if (now.held() <= ENOUGH) return false;
    if (now.held() >= after.held() + Math.max(GROWN, after.used() / 2)) return true;
    boolean isRested = nanos.getAsLong() - last >= REST.toNanos();
    return isRested && (now.used() >= after.used() + GROWN || !isInVain);
  }
}
