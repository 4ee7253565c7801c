package dev.mainstay.rest;

import java.util.concurrent.Semaphore;

/** For what only so many may do at once: whoever comes when all places are taken is sent away. */
final class Places {
  private final Semaphore free;
  private final String full;

  Places(int count, String full) {
    this.free = new Semaphore(count);
    this.full = full;
  }

  /** A place until it is closed; refused when there is none. */
  Place take() {
    if (!free.tryAcquire()) throw DoorRefusal.busy(full);
    return free::release;
  }

  interface Place extends AutoCloseable {
    @Override
    void close();
  }
}
