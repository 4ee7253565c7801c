package dev.mainstay.store;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Waits for others to let this process use a store: for the lock of another process, or for a
 * database server that cannot be reached or refuses. Whoever answers for this process sees by them
 * that its store is stuck, and not merely slow.
 */
final class Stalls {
  private final Set<Stall> now = ConcurrentHashMap.newKeySet();

  /** One wait, until it is ended. */
  final class Stall {
    private final long since = System.nanoTime();

    void end() {
      now.remove(this);
    }
  }

  Stall begin() {
    Stall stall = new Stall();
    now.add(stall);
    return stall;
  }

  /** For how long the one who waits longest has waited so far. */
  Duration longest() {
    long moment = System.nanoTime();
    return Duration.ofNanos(
        now.stream().mapToLong(each -> Math.max(0, moment - each.since)).max().orElse(0));
  }
}
