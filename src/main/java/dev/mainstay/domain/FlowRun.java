package dev.mainstay.domain;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One moment at which a flow was due, or somebody ran it by hand, and what became of it. */
public record FlowRun(String flow, Instant dueAt, boolean byHand, Outcome outcome) {
  public static final int REASON_CHARS_MAX = 500;

  /** How far it is. Which status may follow which is the table below. */
  public enum Status {
    /** Its script decides, or its agent is being started. */
    RUNNING,
    /** Its agent was started. */
    STARTED,
    /** Its script said no. */
    DECLINED,
    /** Its time passed while no server was there. */
    MISSED,
    FAILED;

    private static final Map<Status, Set<Status>> FOLLOWERS =
        Map.of(RUNNING, EnumSet.of(STARTED, DECLINED, FAILED));

    public boolean mayBecome(Status next) {
      return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
    }
  }

  /** How it stands, why, in which terminal its agent is, and when it began and ended. */
  public record Outcome(
      Status status,
      @Nullable String reason,
      @Nullable String terminal,
      Instant startedAt,
      @Nullable Instant completedAt) {
    public Outcome {
      reason = reason == null ? null : line(reason);
      boolean fits =
          (status == Status.RUNNING) == (completedAt == null)
              && (status == Status.STARTED) == (terminal != null)
              && (status != Status.FAILED || reason != null);
      if (!fits) throw new IllegalStateException("a run cannot be " + status + " like this");
    }

    /** One line of words without secrets, cut where it is too long. */
    private static String line(String given) {
      String plain = given.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
      return Graphemes.cut(Redactor.DEFAULT.redact(plain), REASON_CHARS_MAX);
    }
  }

  public static FlowRun begun(String flow, Instant dueAt, boolean byHand, Instant now) {
    return new FlowRun(flow, dueAt, byHand, new Outcome(Status.RUNNING, null, null, now, null));
  }

  /** A moment at which nothing was run. */
  public static FlowRun passed(String flow, Instant dueAt, Status how, String why, Instant now) {
    return new FlowRun(flow, dueAt, false, new Outcome(how, why, null, now, now));
  }

  public FlowRun started(String terminal, Instant now) {
    return ended(Status.STARTED, null, terminal, now);
  }

  public FlowRun declined(Instant now) {
    return ended(Status.DECLINED, null, null, now);
  }

  public FlowRun failed(String why, Instant now) {
    return ended(Status.FAILED, why, null, now);
  }

  private FlowRun ended(Status next, @Nullable String why, @Nullable String terminal, Instant now) {
    if (!outcome.status().mayBecome(next)) {
      throw new IllegalStateException(flow + " is " + outcome.status() + ", not to be " + next);
    }
    return new FlowRun(
        flow, dueAt, byHand, new Outcome(next, why, terminal, outcome.startedAt(), now));
  }

  public JsonObject toJson() {
    Instant end = outcome.completedAt();
    return JsonObject.of("flow_name", flow, "due_at", Times.write(dueAt), "by_hand", byHand)
        .with("status", outcome.status().name())
        .with("reason", outcome.reason())
        .with("terminal_id", outcome.terminal())
        .with("started_at", Times.write(outcome.startedAt()))
        .with("completed_at", end == null ? null : Times.write(end));
  }

  public static FlowRun fromJson(JsonObject json) {
    String end = json.textOrNull("completed_at");
    return new FlowRun(
        json.text("flow_name"),
        Times.read(json.text("due_at")),
        Boolean.TRUE.equals(json.get("by_hand")),
        new Outcome(
            Status.valueOf(json.text("status")),
            json.textOrNull("reason"),
            json.textOrNull("terminal_id"),
            Times.read(json.text("started_at")),
            end == null ? null : Times.read(end)));
  }
}
