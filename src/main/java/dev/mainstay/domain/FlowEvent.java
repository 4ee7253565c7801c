package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to a flow: what somebody said about it, and what became of its runs. */
public sealed interface FlowEvent extends Event {

  /** It was made, or replaced by another text. */
  record Added(Flow flow, boolean isNew) implements FlowEvent {
    @Override
    public String kind() {
      return isNew ? "flow.added" : "flow.changed";
    }

    @Override
    public JsonObject payload() {
      return flow.toJson();
    }
  }

  record Enabled(@Nullable Instant nextRun) implements FlowEvent {
    @Override
    public String kind() {
      return "flow.enabled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("next_run", nextRun == null ? null : Times.write(nextRun));
    }
  }

  record Disabled() implements FlowEvent {
    @Override
    public String kind() {
      return "flow.disabled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  record Removed() implements FlowEvent {
    @Override
    public String kind() {
      return "flow.removed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  /** What became of a moment at which it was due or was run by hand. */
  record Ran(FlowRun run) implements FlowEvent {
    @Override
    public String kind() {
      return switch (run.outcome().status()) {
        case RUNNING -> throw new IllegalStateException("nothing came of it yet: " + run);
        case STARTED -> "flow.run_started";
        case DECLINED -> "flow.run_declined";
        case MISSED -> "flow.run_missed";
        case FAILED -> "flow.run_failed";
      };
    }

    @Override
    public JsonObject payload() {
      return run.toJson();
    }
  }
}
