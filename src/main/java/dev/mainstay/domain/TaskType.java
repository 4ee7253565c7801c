package dev.mainstay.domain;

import java.util.Locale;
import java.util.regex.Pattern;

/** What kind of work a task is. Four are known by name; any other name in capitals will do. */
public record TaskType(String name) {
  private static final Pattern SHAPE = Pattern.compile("[A-Z][A-Z0-9_]{0,31}");

  public static final TaskType CODE = new TaskType("CODE");
  public static final TaskType REVIEW = new TaskType("REVIEW");
  public static final TaskType TEST = new TaskType("TEST");
  public static final TaskType ANALYZE = new TaskType("ANALYZE");

  public TaskType {
    name = name.strip().toUpperCase(Locale.ROOT);
    if (!SHAPE.matcher(name).matches()) {
      throw Refusal.invalid(
          "a task type is CODE, REVIEW, TEST, ANALYZE or another name of up to 32 letters, digits"
              + " and underscores that begins with a letter");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
