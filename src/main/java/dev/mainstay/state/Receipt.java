package dev.mainstay.state;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;

/**
 * What a write came to: how many entries it added to the task's journal, and the number of the last
 * one that changed what is known. It is small, because it is kept under the write's key.
 */
public record Receipt(TaskId task, int entries, long number) {
  /** Whether anything is different now. */
  public boolean isChange() {
    return entries > 0;
  }

  public JsonObject toJson() {
    return JsonObject.of("task_id", task.value(), "entries", entries, "number", number);
  }

  static Receipt fromJson(JsonObject json) {
    return new Receipt(
        new TaskId(json.text("task_id")),
        Math.toIntExact(json.number("entries")),
        json.number("number"));
  }
}
