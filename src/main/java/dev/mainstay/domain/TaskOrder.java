package dev.mainstay.domain;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** In which order tasks are listed. Each goes on after a task that is named by its cursor. */
public enum TaskOrder {
  OLDEST,
  NEWEST,
  /** The highest priority first, and of those alike the oldest. */
  URGENT;

  private static final String BETWEEN = "/";

  /** Where a page ended: after the task of this number, which had this priority. */
  public record Place(int priority, long number) {}

  public static TaskOrder parse(@Nullable String typed) {
    if (typed == null) return OLDEST;
    try {
      return valueOf(typed.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw Refusal.invalid(
          Phrase.of("\"%s\" is no order; the orders are oldest, newest and urgent", typed));
    }
  }

  /** The cursor of the page after a task. */
  public String cursor(TaskLine last) {
    String id = last.id().value();
    return this == URGENT ? last.priority() + BETWEEN + id : id;
  }

  /** Where a cursor of this order goes on. */
  public Place place(String cursor) {
    int end = cursor.indexOf(BETWEEN);
    if ((end >= 0) != (this == URGENT)) {
      throw Refusal.invalid("the cursor is of another order; begin without one");
    }
    long number = TaskId.parse(cursor.substring(end + 1)).number();
    if (this != URGENT) return new Place(0, number);
    String priority = cursor.substring(0, end);
    if (!priority.matches("-?\\d{1,7}")) {
      throw Refusal.invalid("the cursor is not one that a page before gave");
    }
    return new Place(Integer.parseInt(priority), number);
  }
}
