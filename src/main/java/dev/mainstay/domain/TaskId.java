package dev.mainstay.domain;

import java.util.regex.Pattern;

/** A task's name: {@code T-001}, {@code T-002}, ... as the store numbers them. */
public record TaskId(String value) implements Comparable<TaskId> {
  private static final Pattern SHAPE = Pattern.compile("T-(\\d{3}|[1-9]\\d{3,17})");

  public TaskId {
    if (!SHAPE.matcher(value).matches()) {
      throw Refusal.invalid(
          "\"" + excerpt(value) + "\" is not a task id; task ids look like T-001");
    }
  }

  public static TaskId of(long number) {
    String digits = Long.toString(number); // not by format: some locales have other digits
    return new TaskId("T-" + "0".repeat(Math.max(0, 3 - digits.length())) + digits);
  }

  /** Forgives what people type: {@code t-1}, {@code 1} and {@code T-001} are the same task. */
  public static TaskId parse(String typed) {
    String digits = typed.strip().replaceFirst("^[Tt]-?", "");
    if (digits.matches("\\d{1,18}")) return of(Long.parseLong(digits));
    return new TaskId(typed);
  }

  /** Whether the text is a task's id exactly as it is written. */
  public static boolean isOne(String text) {
    return SHAPE.matcher(text).matches();
  }

  public long number() {
    return Long.parseLong(value.substring(2));
  }

  /** The journal stream that holds everything about this task. */
  public String stream() {
    return "task/" + value;
  }

  private static String excerpt(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  @Override
  public int compareTo(TaskId other) {
    return Long.compare(number(), other.number());
  }

  @Override
  public String toString() {
    return value;
  }
}
