package dev.mainstay.rest;

import java.time.Duration;

/** Tells the server that the journal may have grown. To be woken for nothing does no harm. */
@FunctionalInterface
public interface Wakeups {
  Duration POLL = Duration.ofMillis(50);

  /** Waits until something may have happened, or the time is over. */
  void await(Duration atMost) throws InterruptedException;

  /** Looks again twenty times a second, where nobody tells. */
  static Wakeups polling() {
    return atMost -> Thread.sleep(Math.min(atMost.toMillis(), POLL.toMillis()));
  }
}
