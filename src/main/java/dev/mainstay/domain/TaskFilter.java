package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/** Which tasks to list; null means any. */
public record TaskFilter(
    @Nullable TaskStatus status,
    @Nullable TaskType type,
    @Nullable TaskId parent,
    @Nullable String workflow) {
  public static final TaskFilter ALL = new TaskFilter(null, null, null, null);
}
