package dev.mainstay.app;

import dev.mainstay.app.Spool.Taken;
import dev.mainstay.app.Spool.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Performs the requests of the spool, each once, and answers those who ask for them. Who asks gets
 * a sign of life within {@link #SIGN_LIMIT}, so that a caller can tell a slow owner from a dead
 * one, and both from one whose store is stuck.
 */
final class Desk implements AutoCloseable {
  static final Duration SIGN_LIMIT = Duration.ofMillis(50);

  /** What lies there for so long was left by somebody who does not ask any more. */
  private static final Duration IN_FLIGHT_MAX = Duration.ofSeconds(1);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final int THREADS_MAX = 16;
  private static final int QUEUE_MAX = 128;
  private static final int KEPT_MAX = 256;

  /** Told answers that are kept: a launcher may have given up while its answer was on its way. */
  static final int TOLD_MAX = 32;

  static final int TOLD_BYTES_MAX = 64 * 1024;

  private static final byte[] WAIT = "wait\n.".getBytes(StandardCharsets.UTF_8);
  private static final byte[] STUCK = "stuck\n.".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NO = "no\n.".getBytes(StandardCharsets.UTF_8);

  /** Who performs: {@link #accepts} is asked before a request is taken. */
  interface Performer {
    boolean accepts(Request request);

    Done perform(Request request);

    /** Whether others keep this one from going on, so that waiting for it may be in vain. */
    default boolean isStuck() {
      return false;
    }
  }

  /** How a command ended. */
  record Done(int exit, String out, String err) {
    /** Whether it was an event that could not be kept now, and is to be heard later. */
    boolean isLeft() {
      return exit == HookDoor.LEFT;
    }

    /** A line with the exit code, then errors and output with the request's name between them. */
    byte[] answer(String name) {
      return ("done " + exit + "\n" + err + name + out + ".").getBytes(StandardCharsets.UTF_8);
    }
  }

  private final Spool spool;
  private final Performer performer;
  private final ThreadPoolExecutor threads;
  private final Map<String, CompletableFuture<Optional<Done>>> asked = new LinkedHashMap<>();
  private final Set<String> told = new LinkedHashSet<>();
  private final Object draining = new Object();
  private CompletableFuture<?> foreseen = CompletableFuture.completedFuture(null);

  Desk(Spool spool, Performer performer) {
    this.spool = spool;
    this.performer = performer;
    this.threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(QUEUE_MAX),
            Desk::daemon);
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "mainstay-desk");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * What the launcher is told about its request: how it ended, to ask again, that it will be
   * performed once others let it, or no.
   */
  byte[] answer(String name) throws InterruptedException {
    try {
      return begun(name)
          .get(SIGN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .map(done -> done.isLeft() ? STUCK : done.answer(name))
          .orElse(NO);
    } catch (TimeoutException underWay) {
      return performer.isStuck() ? STUCK : WAIT;
    } catch (ExecutionException fault) {
      return NO;
    }
  }

  /**
   * This answer was written. It is told again to who asks again; unless it was to ask again, for
   * how it ended is still to be told, though it may have ended since.
   */
  void delivered(String name, byte[] answer) {
    if (answer == WAIT || answer == STUCK) return;
    synchronized (asked) {
      var known = asked.get(name);
      if (known == null || !known.isDone()) return;
      told.add(name);
      boolean large = answer.length > TOLD_BYTES_MAX;
      if (!large && told.size() <= TOLD_MAX) return;
      String gone = large ? name : told.iterator().next();
      told.remove(gone);
      asked.remove(gone);
    }
  }

  /**
   * Hears an event that was put down a moment ago and will be asked for at once. One at a time, and
   * none before those that wait already; and none that wants an answer, for a launcher that gets
   * none in time has it from a JVM unless it was taken here. What is left out is begun when it is
   * asked for.
   */
  synchronized void foresee(String name) {
    if (!foreseen.isDone() || !spool.isNext(name, Instant.now().minus(IN_FLIGHT_MAX))) return;
    foreseen = begun(name);
  }

  private CompletableFuture<Optional<Done>> begun(String name) {
    CompletableFuture<Optional<Done>> result;
    synchronized (asked) {
      var known = asked.get(name);
      if (known != null && !(known.isDone() && spool.has(name))) return known;
      result = new CompletableFuture<>();
      told.remove(name);
      asked.put(name, result); // what was put back, or another of that name, is begun anew
      forget();
    }
    try {
      threads.execute(() -> perform(name, result));
    } catch (RejectedExecutionException full) {
      result.complete(Optional.empty());
    }
    return result;
  }

  private void forget() {
    Iterator<Map.Entry<String, CompletableFuture<Optional<Done>>>> oldest =
        asked.entrySet().iterator();
    while (asked.size() > KEPT_MAX && oldest.hasNext()) {
      var each = oldest.next();
      if (!each.getValue().isDone()) continue;
      told.remove(each.getKey());
      oldest.remove();
    }
  }

  private void perform(String name, CompletableFuture<Optional<Done>> result) {
    try {
      if (name.startsWith("hook-")) drain(name);
      result.complete(performed(name));
    } catch (RuntimeException | Error bug) {
      result.completeExceptionally(bug);
      throw bug;
    }
  }

  private Optional<Done> performed(String name) {
    if (spool.peek(name).filter(performer::accepts).isEmpty()) return Optional.empty();
    Optional<Taken> taken = spool.take(name);
    if (taken.isEmpty()) return Optional.empty();
    boolean left = false;
    try {
      Done done = performer.perform(taken.get().request());
      left = done.isLeft();
      return Optional.of(done);
    } finally {
      // What was put back may be somebody else's by now, under the very same name.
      if (left) spool.putBack(taken.get());
      else spool.remove(taken.get());
    }
  }

  /** Performs the events that wait since a time when nobody could take them, in their order. */
  void drain() {
    drain("");
  }

  private void drain(String except) {
    if (performer.isStuck()) return; // all would wait for the first of them, one behind the other
    Instant before = Instant.now().minus(IN_FLIGHT_MAX);
    synchronized (draining) {
      for (Waiting event : spool.waiting()) {
        if (event.since().isAfter(before)) return;
        if (event.name().equals(except) || isUnderWay(event.name())) continue;
        // Those behind it would fare no better, and each would wait as long.
        if (performed(event.name()).filter(Done::isLeft).isPresent()) return;
      }
    }
  }

  /** Whether somebody performs it now. What was performed and lies there was put back. */
  private boolean isUnderWay(String name) {
    synchronized (asked) {
      var known = asked.get(name);
      return known != null && !known.isDone();
    }
  }

  /** Begins nothing more, and gives what is under way time to end. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException told) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
