package dev.mainstay.rest;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** For what only so many may do at once: whoever comes when all places are taken is sent away. */
final class Places {
  private final Semaphore free;
  private final String full;

  Places(int count, String full) {
    this.free = new Semaphore(count, true);
    this.full = full;
  }

  /** A place until it is closed; refused when there is none. */
  Place take() {
    if (!free.tryAcquire()) throw DoorRefusal.busy(full);
    return free::release;
  }

  /** The same for whoever may wait a while, in the order in which they came. */
  Place take(Duration patience) {
    try {
      if (free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) return free::release;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    throw DoorRefusal.busy(full);
  }

  interface Place extends AutoCloseable {
    @Override
    void close();
  }
}
