package dev.mainstay.domain;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Where a run stands. Which phase may follow which is the table below and nothing else. */
public enum RunPhase {
  NOT_STARTED,
  RUNNING,
  SUSPENDED,
  FINISHED,
  /** It went round in circles. */
  NO_PROGRESS,
  /** A person gave it up, for instance for another goal. */
  ABANDONED;

  private static final Map<RunPhase, Set<RunPhase>> FOLLOWERS =
      Map.of(
          NOT_STARTED, EnumSet.of(RUNNING),
          RUNNING, EnumSet.of(SUSPENDED, FINISHED, NO_PROGRESS, ABANDONED),
          SUSPENDED, EnumSet.of(RUNNING, FINISHED, ABANDONED),
          FINISHED, EnumSet.of(RUNNING),
          NO_PROGRESS, EnumSet.of(RUNNING),
          ABANDONED, EnumSet.of(RUNNING));

  public boolean mayBecome(RunPhase next) {
    return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
  }

  /** It is under way, working or waiting. */
  public boolean isLive() {
    return this == RUNNING || this == SUSPENDED;
  }

  /** It is over; another run may begin. */
  public boolean isEnded() {
    return this == FINISHED || this == NO_PROGRESS || this == ABANDONED;
  }

  /** The name in sentences: {@code not started}. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
