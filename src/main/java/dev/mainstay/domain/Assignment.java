package dev.mainstay.domain;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task in the hands of a terminal: the newest attempt of that terminal at that task. It follows
 * the task's own events; whoever tried the task over time is the list of its assignments.
 */
public record Assignment(
    long id, TaskId task, String terminal, Standing standing, Outcome outcome) {

  /** Where an assignment stands. Which status may follow which is the table below. */
  public enum Status {
    ASSIGNED,
    ACCEPTED,
    IN_PROGRESS,
    COMPLETED,
    FAILED;

    private static final Map<Status, Set<Status>> FOLLOWERS =
        Map.of(
            ASSIGNED, EnumSet.of(ACCEPTED, IN_PROGRESS, COMPLETED, FAILED),
            ACCEPTED, EnumSet.of(IN_PROGRESS, COMPLETED, FAILED),
            IN_PROGRESS, EnumSet.of(COMPLETED, FAILED),
            // Another attempt by the same terminal goes on in the same row.
            COMPLETED, EnumSet.of(ASSIGNED),
            FAILED, EnumSet.of(ASSIGNED));

    public boolean mayBecome(Status next) {
      return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
    }

    public boolean isOpen() {
      return this != COMPLETED && this != FAILED;
    }
  }

  /** How far it is, in which attempt, under which fence. */
  public record Standing(Status status, int attempt, long fence, Moments times) {}

  /** When it was given, accepted, begun and ended. */
  public record Moments(
      Instant assigned,
      @Nullable Instant accepted,
      @Nullable Instant started,
      @Nullable Instant completed) {
    /** Without what came after a moment. */
    Moments asOf(Instant moment) {
      return new Moments(
          assigned, before(accepted, moment), before(started, moment), before(completed, moment));
    }

    private static @Nullable Instant before(@Nullable Instant at, Instant moment) {
      return at == null || at.isAfter(moment) ? null : at;
    }
  }

  /** What came out, or why not. */
  public record Outcome(@Nullable JsonObject result, @Nullable String error) {}

  /**
   * How it stood when a move of its task was answered, so that whoever asks again is answered the
   * same. Of an attempt that another one has followed since, only that one is known.
   */
  public Assignment asOf(Task answered) {
    Instant moment = answered.stamps().updatedAt();
    Moments times = standing.times().asOf(moment);
    if (times.equals(standing.times()) || times.assigned().isAfter(moment)) return this;
    Status status = standing.status();
    if (times.completed() == null) {
      status = times.accepted() == null ? Status.ASSIGNED : Status.ACCEPTED;
      if (times.started() != null) status = Status.IN_PROGRESS;
    }
    Outcome then = times.completed() == null ? new Outcome(null, null) : outcome;
    var stood = new Standing(status, standing.attempt(), standing.fence(), times);
    return new Assignment(id, task, terminal, stood, then);
  }

  public JsonObject toJson() {
    Moments times = standing.times();
    return JsonObject.of(
            "id",
            id,
            "task_id",
            task.value(),
            "terminal_id",
            terminal,
            "attempt",
            standing.attempt())
        .with("status", standing.status())
        .with("fence", standing.fence())
        .with("assigned_at", Times.write(times.assigned()))
        .with("accepted_at", text(times.accepted()))
        .with("started_at", text(times.started()))
        .with("completed_at", text(times.completed()))
        .with("result", outcome.result())
        .with("error_message", outcome.error());
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : Times.write(instant);
  }
}
