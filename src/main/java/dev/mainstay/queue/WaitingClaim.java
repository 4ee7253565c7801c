package dev.mainstay.queue;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.queue.Leases.Claiming;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store.Settled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
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
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
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

  /** Whether both may be served by one question. */
  boolean wantsTheSameAs(WaitingClaim other) {
    return once.key() == null && other.once.key() == null && types().equals(other.types());
  }

  int limit() {
    return claiming.wanted().limit();
  }

  /** Waits for tasks; none when the time is over, but never before somebody has looked. */
  List<Task> await(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    boolean interrupted = false;
    lock.lock();
    try {
      while (phase != Phase.SETTLED) {
        long left = looked ? end - System.nanoTime() : Long.MAX_VALUE;
        if (phase == Phase.WAITING && (interrupted || left <= 0)) phase = Phase.GONE;
        if (phase == Phase.GONE) break;
        try {
          if (phase == Phase.TAKEN || left == Long.MAX_VALUE) moved.await();
          else moved.awaitNanos(left);
        } catch (InterruptedException stop) {
          interrupted = true;
        }
      }
      if (interrupted) Thread.currentThread().interrupt();
      if (fault instanceof Error error) throw error;
      if (fault instanceof RuntimeException failed) throw failed;
      return given;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is known how it went, or that there was nothing for one who does not wait. */
  boolean isThrough(Duration wait) {
    lock.lock();
    try {
      return phase == Phase.SETTLED || (looked && wait.isZero());
    } finally {
      lock.unlock();
    }
  }

  /** Takes it up; false when its caller has left. */
  boolean take() {
    return change(() -> to(Phase.WAITING, Phase.TAKEN));
  }

  /** How it went; who got nothing waits on. True when there were tasks. */
  boolean settle(Settled<List<Task>> outcome) {
    if (outcome.fault() != null) {
      refuse(outcome.fault());
      return false;
    }
    return change(
        () -> {
          given = outcome.get();
          phase = given.isEmpty() ? Phase.WAITING : Phase.SETTLED;
          return !given.isEmpty();
        });
  }

  /** What was ready was looked at, with this one in mind. */
  void looked() {
    change(() -> looked = true);
  }

  void refuse(Throwable why) {
    change(
        () -> {
          if (phase == Phase.SETTLED || phase == Phase.GONE) return false;
          fault = why;
          phase = Phase.SETTLED;
          return true;
        });
  }

  /** Lets its caller go with nothing. */
  void end() {
    change(() -> to(Phase.WAITING, Phase.GONE));
  }

  private boolean to(Phase from, Phase next) {
    if (phase != from) return false;
    phase = next;
    return true;
  }

  /** Not a monitor: on some JDKs those who wait at one keep their carrier threads. */
  private boolean change(BooleanSupplier change) {
    lock.lock();
    try {
      boolean done = change.getAsBoolean();
      moved.signalAll();
      return done;
    } finally {
      lock.unlock();
    }
  }
}
