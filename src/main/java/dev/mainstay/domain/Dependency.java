package dev.mainstay.domain;

import java.util.Locale;
import java.util.Map;

/** What a task waits for: another task, and how that one must end. */
public record Dependency(TaskId on, Kind kind) {

  /** How things stand with one dependency. */
  public enum Standing {
    MET,
    WAITING,
    IMPOSSIBLE
  }

  /** How the other task must end. What each end means is the table of the constants. */
  public enum Kind {
    BLOCKS(Standing.MET, Standing.IMPOSSIBLE, Standing.IMPOSSIBLE),
    AFTER_FAILURE(Standing.IMPOSSIBLE, Standing.MET, Standing.IMPOSSIBLE),
    AFTER_ANY(Standing.MET, Standing.MET, Standing.MET);

    private final Map<TaskStatus, Standing> byEnd;

    Kind(Standing completed, Standing failed, Standing cancelled) {
      byEnd =
          Map.of(
              TaskStatus.COMPLETED, completed,
              TaskStatus.FAILED, failed,
              TaskStatus.CANCELLED, cancelled);
    }

    public Standing standing(TaskStatus other) {
      return byEnd.getOrDefault(other, Standing.WAITING);
    }

    public static Kind parse(String typed) {
      try {
        return valueOf(typed.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException unknown) {
        throw Refusal.invalid(
            "\""
                + typed
                + "\" is not a kind of dependency; use blocks, after-failure or after-any");
      }
    }

    /** The name as people write it: {@code after-failure}. */
    public String typed() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static Dependency on(TaskId other) {
    return new Dependency(other, Kind.BLOCKS);
  }
}
