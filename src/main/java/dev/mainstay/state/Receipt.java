package dev.mainstay.state;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import java.util.List;

/**
 * What a write came to: how many entries it added to the task's journal, and the number of the last
 * one that changed what is known. It is small, because it is kept under the write's key.
 */
public record Receipt(TaskId task, int entries, long number, List<String> notices) {
  public Receipt {
    notices = List.copyOf(notices);
  }

  Receipt(TaskId task, int entries, long number) {
    this(task, entries, number, List.of());
  }

  /**
   * The same with what the limits did to what was asked for, which need not be kept to be known.
   */
  Receipt with(List<String> told) {
    return isChange() ? new Receipt(task, entries, number, told) : this;
  }

  /** Whether anything is different now. */
  public boolean isChange() {
    return entries > 0;
  }

  public JsonObject toJson() {
    JsonObject json = JsonObject.of("task_id", task.value(), "entries", entries, "number", number);
    return notices.isEmpty() ? json : json.with("notices", notices);
  }

  static Receipt fromJson(JsonObject json) {
    return new Receipt(
        new TaskId(json.text("task_id")), json.integer("entries"), json.number("number"));
  }
}
