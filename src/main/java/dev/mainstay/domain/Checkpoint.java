package dev.mainstay.domain;

import java.time.Instant;
import java.util.regex.Pattern;

/** A place in a task's history with a name: the number of a journal entry, not a copy. */
public record Checkpoint(TaskId task, String name, long number, Instant createdAt) {
  public static final int CHECKPOINTS_MAX = 1_000;
  public static final int NAME_CHARS_MAX = 64;

  // Begins with a letter, so that it is never taken for a number or a time.
  private static final Pattern NAME = Pattern.compile("\\p{L}[\\p{L}\\p{N} ._/-]*");

  /** What stands for the newest place wherever a checkpoint can be named. */
  public static final String NOW = "now";

  public Checkpoint {
    name = name(name);
    if (number < 1) throw new IllegalStateException("a checkpoint at entry " + number);
  }

  static String name(String typed) {
    String name = Text.line("a checkpoint's name", typed, NAME_CHARS_MAX);
    if (!NAME.matcher(name).matches() || name.equals(NOW)) {
      throw Refusal.invalid(
          "a checkpoint's name begins with a letter, goes on with letters, digits, blanks or . _ / -"
              + " and is not \"now\"");
    }
    return name;
  }

  public JsonObject toJson() {
    return JsonObject.of(
        "task_id", task.value(), "name", name, "number", number, "created_at", createdAt);
  }

  public static Checkpoint fromJson(JsonObject json) {
    return new Checkpoint(
        new TaskId(json.text("task_id")),
        json.text("name"),
        json.number("number"),
        Times.read(json.text("created_at")));
  }
}
