package dev.mainstay.rest;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Limits how many may do something at once, and how many of them may belong to one caller. */
final class Places {
  private static final String NOBODY = "";

  private final int count;
  private final int each;
  private final Semaphore free;
  private final String full;
  private final Map<String, Share> shares = new HashMap<>();

  /** The places of one caller, kept while it has or awaits one. */
  private static final class Share {
    final Semaphore free;
    int users;

    Share(int count) {
      this.free = new Semaphore(count, true);
    }
  }

  Places(int count, String full) {
    this(count, count, full);
  }

  /** Of {@code count} places one caller has at most {@code each}. */
  Places(int count, int each, String full) {
    this.count = count;
    this.each = each;
    this.free = new Semaphore(count, true);
    this.full = full;
  }

  /** Takes a place until it is closed; refused when there is none. */
  Place take() {
    return take(NOBODY, Duration.ZERO);
  }

  /** Takes a place as {@link #take()} does, but waits for it, in the order of the calls. */
  Place take(String caller, Duration patience) {
    Share share = share(caller);
    long end = System.nanoTime() + patience.toNanos();
    if (isTaken(share.free, patience.toNanos())) {
      if (isTaken(free, end - System.nanoTime())) {
        return () -> {
          free.release();
          leave(caller, share, true);
        };
      }
      leave(caller, share, true);
    } else {
      leave(caller, share, false);
    }
    throw DoorRefusal.busy(full);
  }

  /** How many places are taken now. */
  int taken() {
    return count - free.availablePermits();
  }

  private static boolean isTaken(Semaphore places, long nanos) {
    try {
      return nanos <= 0 ? places.tryAcquire() : places.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized Share share(String caller) {
    Share share = shares.computeIfAbsent(caller, key -> new Share(each));
    share.users++;
    return share;
  }

  private synchronized void leave(String caller, Share share, boolean held) {
    if (held) share.free.release();
    share.users--;
    if (share.users == 0) shares.remove(caller);
  }

  interface Place extends AutoCloseable {
    @Override
    void close();
  }
}
