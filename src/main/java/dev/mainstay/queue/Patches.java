package dev.mainstay.queue;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
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
                "a task has no field \"%s\" that can be changed; %s",
                field, Nearest.guess(field, FIELDS)));
      }
    }
    return changes;
  }

  /** What a type requires is not escaped by whoever works on the task: it stays of its type. */
  static void mayChange(Task task, JsonObject changes, Call call) {
    boolean other =
        changes.has("task_type") && !changes.text("task_type").equals(task.brief().type().name());
    if (other && call.actor().isAgent() && task.status().isHeld()) {
      throw Refusal.conflict(
              Phrase.of("%s is being worked on; only a person changes its type now", task.id()))
          .reserved();
    }
  }

  /** Who could set the mark of what a prompt opened would keep a task from everybody. */
  static void mustNotMark(JsonObject metadata) {
    if (Brief.isMark(metadata)) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\": \"%s\" in the metadata is set by prompts alone; use another value",
              Brief.OPENED_BY, metadata.get(Brief.OPENED_BY)));
    }
  }

  /** Other metadata neither takes the mark of what a prompt opened away nor sets it. */
  static JsonObject marked(Brief brief, JsonObject changes) {
    if (!changes.has("metadata")) return changes;
    JsonObject metadata = changes.object("metadata");
    if (brief.isOpenedByPrompt()) {
      return changes.with("metadata", brief.with(metadata).openedByPrompt().metadata());
    }
    mustNotMark(metadata);
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
