package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates one task after the other at one server. With a key it repeats what it was not told;
 * without one it goes on with another task, and the one before was made once or not at all.
 */
final class FailoverWriter implements Runnable {
  private static final long PAUSE_NANOS = 60_000_000;
  private static final long PAUSE_AFTER_REFUSAL_NANOS = 100_000_000;

  private final String name;
  private final Rest rest;
  private final ServerProcess server;
  private final boolean keyed;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> wrongs = new ConcurrentLinkedQueue<>();
  private volatile long begunAt = System.nanoTime();
  private volatile boolean over;

  FailoverWriter(String name, Rest rest, ServerProcess server, boolean keyed) {
    this.name = name;
    this.rest = rest;
    this.server = server;
    this.keyed = keyed;
  }

  Set<String> acknowledged() {
    return acknowledged;
  }

  /** Titles that it does not know the end of. */
  Set<String> unknown() {
    return unknown;
  }

  ConcurrentLinkedQueue<String> wrongs() {
    return wrongs;
  }

  ServerProcess server() {
    return server;
  }

  /** When the request began that was acknowledged last. */
  long begunAt() {
    return begunAt;
  }

  void stop() {
    over = true;
  }

  @Override
  public void run() {
    try {
      for (int i = 0; !over; i++) {
        write(name + "-" + i);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (RuntimeException | Error fault) {
      wrongs.add(name + ": " + fault);
    }
  }

  private void write(String title) {
    unknown.add(title);
    do {
      long now = System.nanoTime();
      if (isMade(title)) {
        begunAt = now;
        acknowledged.add(title);
        unknown.remove(title);
        return;
      }
      LockSupport.parkNanos(PAUSE_AFTER_REFUSAL_NANOS);
    } while (keyed && !over);
  }

  private boolean isMade(String title) {
    String[] headers = keyed ? new String[] {"Idempotency-Key", title} : new String[0];
    try {
      Rest.Answer answer = rest.post(server, "/tasks", JsonObject.of("title", title), headers);
      if (answer.status() == 201) return true;
      if (!answer.isBusy()) wrongs.add(name + ": " + answer);
      return false;
    } catch (IOException lost) {
      return false;
    }
  }
}
