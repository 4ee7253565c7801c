package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A dotted place in a JSON object, such as {@code tool_input.file_path}. What is not there, or is
 * of another type, is simply not found: a place never refuses.
 */
record JsonPlace(List<String> steps) {
  /** The empty place is the object itself. */
  static JsonPlace of(String dotted) {
    return new JsonPlace(dotted.isEmpty() ? List.of() : List.of(dotted.split("\\.")));
  }

  // What the compiler makes for records is put together at run time, which costs a hook 20 ms.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonPlace place && steps.equals(place.steps);
  }

  @Override
  public int hashCode() {
    return steps.hashCode();
  }

  /** The value at the place, without looking into lists on the way; null if there is none. */
  @Nullable Object value(JsonObject root) {
    Object at = root;
    for (String step : steps) {
      if (!(at instanceof JsonObject object)) return null;
      at = object.get(step);
    }
    return at;
  }

  /**
   * Gives the texts at the place to the taker until it has enough and answers false; a list, on the
   * way or at the end, stands for each of its items.
   */
  void texts(JsonObject root, Predicate<String> taker) {
    List<Object> found = List.of(root);
    for (String step : steps) {
      List<Object> next = new ArrayList<>();
      for (Object each : found) {
        Object value = each instanceof JsonObject object ? object.get(step) : null;
        if (value instanceof List<?> items) {
          for (Object item : items) if (item != null) next.add(item);
        } else if (value != null) {
          next.add(value);
        }
      }
      found = next;
    }
    for (Object each : found) {
      if (each instanceof String text && !taker.test(text)) return;
    }
  }
}
