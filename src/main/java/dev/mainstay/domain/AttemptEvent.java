package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of one attempt at a task. */
public sealed interface AttemptEvent extends TaskEvent {

  /** The holder said that it will do it. */
  record Accepted() implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.changed(at, before.brief());
    }

    @Override
    public String kind() {
      return "task.accepted";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  /** The holder did not renew in time; the task is offered again, at once or after a pause. */
  record LeaseExpired(String reason, @Nullable Instant until) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.offeredAgain(before, at, reason, until);
    }

    @Override
    public String kind() {
      return "task.lease_expired";
    }

    @Override
    public JsonObject payload() {
      return Ending.pausing("reason", reason, until);
    }

    static LeaseExpired read(JsonObject payload) {
      return new LeaseExpired(payload.text("reason"), Ending.pause(payload));
    }
  }

  /** The holder failed, and the task is offered again, at once or after a pause. */
  record Retried(String error, @Nullable Instant until) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.offeredAgain(before, at, error, until);
    }

    @Override
    public String kind() {
      return "task.retried";
    }

    @Override
    public JsonObject payload() {
      return Ending.pausing("error", error, until);
    }

    static Retried read(JsonObject payload) {
      return new Retried(payload.text("error"), Ending.pause(payload));
    }
  }

  /** So much was spent on it, beside what was told before. */
  record Spending(Amounts amounts) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.changed(at, before.brief());
    }

    @Override
    public String kind() {
      return "task.spent";
    }

    @Override
    public JsonObject payload() {
      return amounts.toJson();
    }
  }

  /** The holder named a worker that may write to the task, too, until the lease ends. */
  record HelperAdded(String worker) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.leased(at, before.mustBeHeld().with(worker));
    }

    @Override
    public String kind() {
      return "task.helper_added";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("worker", worker);
    }
  }

  /** A helper may no longer write to the task. */
  record HelperRemoved(String worker) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return before.leased(at, before.mustBeHeld().without(worker));
    }

    @Override
    public String kind() {
      return "task.helper_removed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("worker", worker);
    }
  }

  /** It could not be done; the cause is a child that failed. */
  record Failed(String error, @Nullable TaskId cause) implements AttemptEvent {
    @Override
    public Task applyTo(Task before, Instant at) {
      return Ending.letGo(before, at, TaskStatus.FAILED, error);
    }

    @Override
    public String kind() {
      return "task.failed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("error", error).with("cause", cause);
    }

    static Failed read(JsonObject payload) {
      String cause = payload.textOrNull("cause");
      return new Failed(payload.text("error"), cause == null ? null : new TaskId(cause));
    }
  }
}
