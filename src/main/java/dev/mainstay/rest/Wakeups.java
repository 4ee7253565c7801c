package dev.mainstay.rest;

import java.time.Duration;

/** Tells the server that the journal may have grown. To be woken for nothing does no harm. */
public interface Wakeups {
  Duration POLL = Duration.ofMillis(50);

  /** How much was told so far; taken before one looks, so that nothing told meanwhile is missed. */
  long seen();

  /** Waits until more was told than that, or the time is over. */
  void await(long since, Duration atMost) throws InterruptedException;

  /** Looks again twenty times a second, where nobody tells. */
  static Wakeups polling() {
    return new Wakeups() {
      @Override
      public long seen() {
        return 0;
      }

      @Override
      public void await(long since, Duration atMost) throws InterruptedException {
        Thread.sleep(Math.min(atMost.toMillis(), POLL.toMillis()));
      }
    };
  }
}
