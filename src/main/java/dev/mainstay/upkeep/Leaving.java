package dev.mainstay.upkeep;

import java.util.List;

/** How much leaves; the bytes are those of the payloads. */
public record Leaving(Counts counts, long entries, long bytes, List<String> ids) {

  /** How many streams of each kind. */
  public record Counts(long tasks, long executions, long terminals) {}

  public long tasks() {
    return counts.tasks();
  }

  public long executions() {
    return counts.executions();
  }

  public long terminals() {
    return counts.terminals();
  }

  public long all() {
    return tasks() + executions() + terminals();
  }
}
