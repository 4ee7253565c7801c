package dev.mainstay.domain;

import dev.mainstay.domain.TaskState.Run;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One run of a task in the list of its runs, counted from 1: what it was for and how it went. */
public record RunRecord(TaskId task, int number, String goal, RunPhase phase, Span span) {
  /** From when to when; a run under way has no end. */
  public record Span(Instant startedAt, @Nullable Instant endedAt) {}

  /** Whether an event begins a run or moves one. */
  public static boolean isMovedBy(Event event) {
    return event instanceof RunEvent || event instanceof DossierEvent.Forked;
  }

  /**
   * The run that an event began or moved, given the last one before it and the state after it; null
   * while there is none. A fork goes on with a run that began elsewhere, so it counts from there.
   */
  public static @Nullable RunRecord after(
      TaskId task, @Nullable RunRecord last, Event event, Run run, Instant at) {
    if (run.phase() == RunPhase.NOT_STARTED) return last;
    boolean begins = event instanceof RunEvent.Started || event instanceof DossierEvent.Forked;
    if (last == null || begins) {
      int number = last == null ? 1 : last.number() + 1;
      return new RunRecord(task, number, run.goal(), run.phase(), span(at, run.phase(), at));
    }
    return new RunRecord(
        task,
        last.number(),
        last.goal(),
        run.phase(),
        span(last.span().startedAt(), run.phase(), at));
  }

  private static Span span(Instant startedAt, RunPhase phase, Instant at) {
    return new Span(startedAt, phase.isEnded() ? at : null);
  }
}
