package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one happening.
 *
 * @param ending how the execution ended; null while it goes on
 */
public record Step(Marking after, List<Wish> wishes, List<Trace> traces, @Nullable Ending ending) {
  public Step {
    wishes = List.copyOf(wishes);
    traces = List.copyOf(traces);
  }

  /** Whether nothing happened at all. */
  public boolean isIdle() {
    return traces.isEmpty();
  }

  /** One thing that can be said about a node, for whoever asks later what happened. */
  public record Trace(What what, String node, String token, @Nullable String note) {
    public JsonObject toJson() {
      return JsonObject.of("what", what, "node", node, "token", token, "note", note);
    }

    public static Trace fromJson(JsonObject json) {
      return new Trace(
          What.valueOf(json.text("what")),
          json.text("node"),
          json.text("token"),
          json.textOrNull("note"));
    }
  }

  public enum What {
    ENTERED,
    LEFT,
    /** Ended from outside: by a boundary event, an end of its scope, or a loop that had enough. */
    WITHDRAWN,
    FAILED,
    RETRIED,
    SKIPPED
  }

  /**
   * @param code of the error that ended it; null if it ended well or without one
   * @param error what went wrong; null if it ended well
   */
  public record Ending(@Nullable String code, @Nullable String error) {
    public static final Ending WELL = new Ending(null, null);

    public boolean isWell() {
      return error == null;
    }
  }
}
