package dev.mainstay.domain;

import java.util.Locale;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The order of a list of tasks. A cursor names the last task of a page. */
public enum TaskOrder {
  /** Held tasks first, then pending ones, both oldest first; then ended ones, newest first. */
  OPEN(line -> rank(line.standing().status())),
  OLDEST(line -> 0),
  NEWEST(line -> 0),
  /** The highest priority first; tasks of the same priority oldest first. */
  URGENT(TaskLine::priority);

  /** The rank of ended tasks in the order {@link #OPEN}. */
  public static final int ENDED_RANK = 2;

  private static final String SEPARATOR = "/";

  private final ToIntFunction<TaskLine> rank;

  TaskOrder(ToIntFunction<TaskLine> rank) {
    this.rank = rank;
  }

  /**
   * Where a page ended: the number of its last task, and what this order compares before it, such
   * as the priority.
   */
  public record Place(int rank, long number) {}

  /** What the order {@link #OPEN} compares first. */
  public static int rank(TaskStatus status) {
    if (status.isHeld()) return 0;
    return status.isEnded() ? ENDED_RANK : 1;
  }

  /** The order of this name, or the given one where none was named. */
  public static TaskOrder parse(@Nullable String typed, TaskOrder otherwise) {
    if (typed == null) return otherwise;
    try {
      return valueOf(typed.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw Refusal.invalid(
          Phrase.of("unknown order \"%s\": expected open, oldest, newest or urgent", typed));
    }
  }

  private boolean hasRank() {
    return this == OPEN || this == URGENT;
  }

  /** The cursor of the page after a task. */
  public String cursor(TaskLine last) {
    String id = last.id().value();
    return hasRank() ? rank.applyAsInt(last) + SEPARATOR + id : id;
  }

  /** Where a cursor of this order goes on. */
  public Place place(String cursor) {
    int end = cursor.indexOf(SEPARATOR);
    if ((end >= 0) != hasRank()) {
      throw Refusal.invalid("the cursor belongs to another order; begin without a cursor");
    }
    long number = TaskId.parse(cursor.substring(end + 1)).number();
    if (end < 0) return new Place(0, number);
    String rank = cursor.substring(0, end);
    if (!rank.matches("-?\\d{1,7}")) {
      throw Refusal.invalid("invalid cursor: use the one that the previous page returned");
    }
    return new Place(Integer.parseInt(rank), number);
  }
}
