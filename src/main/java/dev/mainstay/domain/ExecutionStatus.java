package dev.mainstay.domain;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the execution of a plan stands. Which status may follow which is the table below and
 * nothing else: RESUMED is the way from PAUSED to IN_PROGRESS, and what runs is paused before it is
 * given up.
 */
public enum ExecutionStatus {
  PLANNING,
  IN_PROGRESS,
  PAUSED,
  COMPLETED_SUCCESS,
  COMPLETED_FAILURE;

  private static final Map<ExecutionStatus, Set<ExecutionStatus>> FOLLOWERS =
      Map.of(
          PLANNING, EnumSet.of(IN_PROGRESS, COMPLETED_FAILURE),
          IN_PROGRESS, EnumSet.of(PAUSED, COMPLETED_SUCCESS),
          PAUSED, EnumSet.of(IN_PROGRESS, COMPLETED_FAILURE),
          COMPLETED_SUCCESS, EnumSet.noneOf(ExecutionStatus.class),
          COMPLETED_FAILURE, EnumSet.noneOf(ExecutionStatus.class));

  public boolean mayBecome(ExecutionStatus next) {
    return followers().contains(next);
  }

  private Set<ExecutionStatus> followers() {
    return FOLLOWERS.getOrDefault(this, Set.of());
  }

  public boolean isEnded() {
    return this == COMPLETED_SUCCESS || this == COMPLETED_FAILURE;
  }

  /** Says that it cannot become what was asked for, and what it can. */
  public Refusal refusal(ExecutionStatus next) {
    String legal = followers().stream().map(Enum::name).collect(Collectors.joining(" or "));
    String can = isEnded() ? "it is over; begin another one" : "from here it becomes " + legal;
    return Refusal.conflict(
        Phrase.of("the execution is %s and cannot become %s; %s", this, next, can));
  }

  public static ExecutionStatus parse(String typed) {
    String wanted = typed.strip().toUpperCase(Locale.ROOT);
    List<String> names = Arrays.stream(values()).map(Enum::name).toList();
    if (!names.contains(wanted)) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\" is no status of a plan; use one of %s",
              Graphemes.cut(typed, 100), String.join(", ", names)));
    }
    return valueOf(wanted);
  }
}
