package dev.mainstay.domain;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Where a step of a plan stands. Which status may follow which is the table below. */
public enum StepStatus {
  TODO,
  ACTIVE,
  DONE,
  FAILED,
  SKIPPED;

  // What was skipped was not worked on: it is taken up again before it can be done or fail.
  private static final Map<StepStatus, Set<StepStatus>> FOLLOWERS =
      Map.of(
          TODO, EnumSet.of(ACTIVE, DONE, FAILED, SKIPPED),
          ACTIVE, EnumSet.of(TODO, DONE, FAILED, SKIPPED),
          DONE, EnumSet.of(TODO, ACTIVE, FAILED),
          FAILED, EnumSet.of(TODO, ACTIVE, DONE, SKIPPED),
          SKIPPED, EnumSet.of(TODO, ACTIVE));

  public boolean mayBecome(StepStatus next) {
    return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
  }

  /** Something is left to do; a step that failed is not done. */
  public boolean isOpen() {
    return this != DONE && this != SKIPPED;
  }

  /** The work on it came to an end, for better or worse. */
  public boolean isEnd() {
    return this == DONE || this == FAILED || this == SKIPPED;
  }

  /** The name as it is shown: {@code todo}. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static StepStatus parse(String typed) {
    String wanted = typed.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(status -> status.typed().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.invalid(
                    "\""
                        + typed
                        + "\" is not a step's status; use todo, active, done, failed or skipped"));
  }
}
