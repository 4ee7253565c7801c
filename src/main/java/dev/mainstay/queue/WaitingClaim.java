package dev.mainstay.queue;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Leases.Claiming;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store.Settled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One worker that waits at the dispatcher. From the moment the dispatcher takes it up until it is
 * settled or put back, its caller stays: a task that is given to somebody who left would be lost.
 */
final class WaitingClaim {
  private enum Phase {
    WAITING,
    TAKEN,
    SETTLED,
    GONE
  }

  private final Once<List<Task>> once;
  private final Claiming claiming;
  private Phase phase = Phase.WAITING;
  private boolean looked;
  private List<Task> given = List.of();
  private @Nullable Throwable fault;

  WaitingClaim(Once<List<Task>> once, Claiming claiming) {
    this.once = once;
    this.claiming = claiming;
  }

  Once<List<Task>> once() {
    return once;
  }

  Claiming claiming() {
    return claiming;
  }

  List<TaskType> types() {
    return claiming.wanted().types();
  }

  int limit() {
    return claiming.wanted().limit();
  }

  /** Waits for tasks; none when the time is over, but never before somebody has looked. */
  synchronized List<Task> await(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    boolean interrupted = false;
    while (phase != Phase.SETTLED) {
      long left = looked ? end - System.nanoTime() : Long.MAX_VALUE;
      if (phase == Phase.WAITING && (interrupted || left <= 0)) phase = Phase.GONE;
      if (phase == Phase.GONE) break;
      try {
        if (phase == Phase.TAKEN || left == Long.MAX_VALUE) wait();
        else TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException stop) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
    if (fault instanceof Error error) throw error;
    if (fault instanceof RuntimeException failed) throw failed;
    return given;
  }

  /** Takes it up; false when its caller has left. */
  synchronized boolean take() {
    if (phase != Phase.WAITING) return false;
    phase = Phase.TAKEN;
    return true;
  }

  /** How it went; who got nothing waits on. True when there were tasks. */
  synchronized boolean settle(Settled<List<Task>> outcome) {
    if (outcome.fault() != null) {
      refuse(outcome.fault());
      return false;
    }
    given = outcome.get();
    phase = given.isEmpty() ? Phase.WAITING : Phase.SETTLED;
    notifyAll();
    return !given.isEmpty();
  }

  /** What was ready was looked at, with this one in mind. */
  synchronized void looked() {
    looked = true;
    notifyAll();
  }

  synchronized void refuse(Throwable why) {
    if (phase == Phase.SETTLED || phase == Phase.GONE) return;
    fault = why;
    phase = Phase.SETTLED;
    notifyAll();
  }

  /** Lets its caller go with nothing. */
  synchronized void end() {
    if (phase == Phase.WAITING) phase = Phase.GONE;
    notifyAll();
  }
}
