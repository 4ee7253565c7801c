package dev.mainstay.domain;

import dev.mainstay.domain.Task.Progress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What all ways of letting a task go have in common. */
final class Ending {
  private Ending() {}

  /** Ends the lease and raises the fence, so that whoever held the task can no longer write. */
  static Task letGo(Task before, Instant at, TaskStatus next, @Nullable String reason) {
    var was = before.progress();
    long fence = was.lease() == null ? was.fence() : was.fence() + 1;
    return before.moved(at, new Progress(next, reason, was.attempt(), fence, null));
  }

  /** Lets it go to whoever takes it next, not before the pause is over. */
  static Task offeredAgain(Task before, Instant at, String reason, @Nullable Instant until) {
    Task free = letGo(before, at, TaskStatus.PENDING, reason);
    return free.with(free.links().with(free.links().waiting().until(until)));
  }

  static JsonObject pausing(String field, String why, @Nullable Instant until) {
    return JsonObject.of(field, why).with("until", until);
  }

  static @Nullable Instant pause(JsonObject payload) {
    String until = payload.textOrNull("until");
    return until == null ? null : Times.read(until);
  }
}
