package dev.mainstay.queue;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task.Brief;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes of a task's brief, as fields by name. */
final class Patches {
  private static final List<String> FIELDS =
      List.of("title", "description", "task_type", "priority", "metadata");

  private Patches() {}

  /** The changes as they are, when every field is one that can change. */
  static JsonObject checked(JsonObject changes) {
    for (String field : changes.asMap().keySet()) {
      if (!FIELDS.contains(field)) {
        throw Refusal.invalid(
            Phrase.of(
                "a task has no field \"%s\" that can be changed; did you mean \"%s\"?",
                field, Nearest.to(field, FIELDS)));
      }
    }
    return changes;
  }

  /** Only the fields that get another value. */
  static JsonObject differing(Brief brief, JsonObject changes) {
    JsonObject was = brief.toJson();
    Map<String, @Nullable Object> really = new TreeMap<>(changes.asMap());
    really
        .entrySet()
        .removeIf(
            field ->
                String.valueOf(was.get(field.getKey())).equals(String.valueOf(field.getValue())));
    return JsonObject.copyOf(really);
  }
}
