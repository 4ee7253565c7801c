package dev.mainstay.rest;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Requests that wait for an end. Who waits has a thread of the server, so that seats are few. */
final class Seats {
  private static final int WAIT_SECONDS_MAX = 60;

  /** Beyond so many, whoever asks is answered at once. */
  private static final int WAITING_MAX = 100;

  private final Semaphore free = new Semaphore(WAITING_MAX);

  /** Lets somebody wait as long as the request says, at once if it says nothing. */
  <T> T awaiting(Request request, Function<Duration, T> waiting) {
    Duration wait = wait(request);
    boolean waits = !wait.isZero() && free.tryAcquire();
    try {
      return waiting.apply(waits ? wait : Duration.ZERO);
    } finally {
      if (waits) free.release();
    }
  }

  private static Duration wait(Request request) {
    Integer seconds = request.queryNumber("wait");
    if (seconds == null) return Duration.ZERO;
    if (seconds <= WAIT_SECONDS_MAX) return Duration.ofSeconds(seconds);
    throw Refusal.invalid(
        Phrase.of("a request waits between 0 and %d seconds; ask again", WAIT_SECONDS_MAX));
  }
}
