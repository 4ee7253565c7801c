package dev.mainstay.domain;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a task stands. Which status may follow which is the table below and nothing else. */
public enum TaskStatus {
  PENDING,
  ASSIGNED,
  IN_PROGRESS,
  COMPLETED,
  FAILED,
  CANCELLED;

  private static final Map<TaskStatus, Set<TaskStatus>> FOLLOWERS =
      Map.of(
          // Without a holder a task ends by its children, or when it was tried often enough.
          PENDING, EnumSet.of(ASSIGNED, COMPLETED, FAILED, CANCELLED),
          ASSIGNED, EnumSet.of(IN_PROGRESS, PENDING, COMPLETED, FAILED, CANCELLED),
          IN_PROGRESS, EnumSet.of(PENDING, COMPLETED, FAILED, CANCELLED),
          COMPLETED, EnumSet.noneOf(TaskStatus.class),
          FAILED, EnumSet.of(PENDING),
          CANCELLED, EnumSet.of(PENDING));

  public Set<TaskStatus> followers() {
    return Set.copyOf(FOLLOWERS.getOrDefault(this, Set.of()));
  }

  public boolean mayBecome(TaskStatus next) {
    return followers().contains(next);
  }

  /** Somebody holds a lease on it. */
  public boolean isHeld() {
    return this == ASSIGNED || this == IN_PROGRESS;
  }

  /** Nothing more happens to it by itself. */
  public boolean isEnded() {
    return this == COMPLETED || this == FAILED || this == CANCELLED;
  }

  public static TaskStatus parse(String typed) {
    return parse(typed, "the statuses are " + names(EnumSet.allOf(TaskStatus.class)));
  }

  /** Parses a status; the refusal of anything else ends with what is expected. */
  static TaskStatus parse(String typed, String expected) {
    try {
      return valueOf(typed.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException unknown) {
      throw Refusal.invalid("\"" + typed + "\" is not a status; " + expected);
    }
  }

  static String names(Set<TaskStatus> statuses) {
    return Stream.of(values())
        .filter(statuses::contains)
        .map(Enum::name)
        .collect(Collectors.joining(", "));
  }
}
