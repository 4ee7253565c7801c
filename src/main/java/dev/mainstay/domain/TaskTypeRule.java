package dev.mainstay.domain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tasks of a type must show before they count as done; version 0 is a type without a rule. */
public record TaskTypeRule(
    TaskType type, List<Requirement> requires, long version, @Nullable Instant updatedAt) {
  public static final int REQUIRES_MAX = 10;

  public TaskTypeRule {
    requires = List.copyOf(requires);
    if (requires.size() > REQUIRES_MAX) {
      throw Refusal.tooLarge(Phrase.of("a type of task requires at most %d things", REQUIRES_MAX));
    }
  }

  public static TaskTypeRule none(TaskType type) {
    return new TaskTypeRule(type, List.of(), 0, null);
  }

  public List<String> texts() {
    return requires.stream().map(Requirement::text).toList();
  }

  public JsonObject toJson() {
    return JsonObject.of("task_type", type.name(), "requires", texts(), "version", version)
        .with("updated_at", updatedAt == null ? null : Times.write(updatedAt));
  }

  public static TaskTypeRule fromJson(JsonObject json) {
    String updated = json.textOrNull("updated_at");
    return new TaskTypeRule(
        new TaskType(json.text("task_type")),
        json.texts("requires").stream().map(Requirement::new).toList(),
        json.number("version"),
        updated == null ? null : Times.read(updated));
  }

  /** A person said what tasks of a type must show. */
  public record Required(List<String> requires) implements Event {
    public Required {
      requires = List.copyOf(requires);
    }

    @Override
    public String kind() {
      return "task_type.required";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("requires", requires);
    }
  }
}
