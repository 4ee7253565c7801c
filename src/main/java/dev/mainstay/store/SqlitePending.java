package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Store.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A use case that waits for the writer, and its caller's way to learn how it went. */
final class SqlitePending<T> {
  private enum Phase {
    WAITING,
    BEGUN,
    GIVEN_UP
  }

  private final Attempt<T> attempt;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
  private final CompletableFuture<Outcome<T>> future = new CompletableFuture<>();
  private @Nullable Outcome<T> outcome;
  private @Nullable Throwable fault;

  SqlitePending(Attempt<T> attempt) {
    this.attempt = attempt;
  }

  /** False when the caller has given up waiting: then it must not happen any more. */
  boolean begin() {
    return phase.compareAndSet(Phase.WAITING, Phase.BEGUN) || phase.get() == Phase.BEGUN;
  }

  /** Whether nobody waits for it any more, so that it never happens. */
  boolean isGivenUp() {
    return phase.get() == Phase.GIVEN_UP;
  }

  void run(Tx tx) {
    fault = null;
    outcome = new Outcome<>(attempt.run(tx), tx);
  }

  /** It came to nothing, but the others of its batch go on; told with them. */
  void failed(Throwable why) {
    fault = why;
  }

  /** Its transaction is durable: tells the caller. */
  void acknowledge() {
    Throwable why = fault;
    Outcome<T> made = outcome;
    if (why != null) future.completeExceptionally(why);
    else if (made != null) future.complete(made);
  }

  void refuse(Throwable why) {
    future.completeExceptionally(why);
  }

  /** Nobody knows whether it was kept. */
  void unknown(String where, Throwable why) {
    refuse(attempt.unknown(where, why));
  }

  Outcome<T> await(Duration patience, String where) {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      if (phase.compareAndSet(Phase.WAITING, Phase.GIVEN_UP)) {
        throw Refusal.unavailable(
            Phrase.of(
                "another process has kept the store at %s locked for %s; nothing was changed: look what it does, then repeat",
                where, shown(patience)),
            late);
      }
      return settled();
    } catch (ExecutionException failed) {
      throw rethrown(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      if (phase.compareAndSet(Phase.WAITING, Phase.GIVEN_UP)) {
        throw Refusal.unavailable(
            "interrupted before the change was made; nothing was changed", stop);
      }
      return settled();
    }
  }

  private static String shown(Duration patience) {
    long seconds = patience.toSeconds();
    return seconds > 0 ? seconds + " s" : patience.toMillis() + " ms";
  }

  /** It has begun, so how it ends will be known shortly, and only that may be told. */
  private Outcome<T> settled() {
    try {
      return future.join();
    } catch (java.util.concurrent.CompletionException failed) {
      throw rethrown(failed);
    }
  }

  private static RuntimeException rethrown(Exception failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof RuntimeException known) return known;
    if (cause instanceof Error error) throw error;
    return new IllegalStateException(cause);
  }
}
