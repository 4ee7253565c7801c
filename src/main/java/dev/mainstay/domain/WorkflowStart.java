package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A start event of the newest version of a workflow: one has a moment, another a message.
 *
 * @param workflow the id of that version
 * @param fired how often its moment has come already
 */
public record WorkflowStart(
    String workflow, String node, @Nullable Instant dueAt, @Nullable String message, long fired) {
  public WorkflowStart {
    if ((dueAt == null) == (message == null)) {
      throw new IllegalStateException(node + " starts by a moment or by a message");
    }
  }

  public JsonObject toJson() {
    return JsonObject.of("node", node, "message", message, "fired", fired)
        .with("next", dueAt == null ? null : Times.write(dueAt));
  }
}
