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
}
