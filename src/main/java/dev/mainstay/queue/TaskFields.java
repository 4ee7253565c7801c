package dev.mainstay.queue;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import java.util.List;
import java.util.function.Function;

/** A new task from fields by name, as every door gives them. */
public final class TaskFields {
  private static final List<String> KNOWN =
      List.of(
          "title",
          "description",
          "task_type",
          "priority",
          "dependencies",
          "parent_id",
          "workflow_id",
          "metadata",
          "alias",
          "dependency_kinds",
          "terms");

  private TaskFields() {}

  /**
   * Reads a new task.
   *
   * @param tasks what gives the id of a task that is named by its id or alias
   */
  public static NewTask read(JsonObject fields, Function<String, TaskId> tasks) {
    for (String field : fields.asMap().keySet()) {
      if (!KNOWN.contains(field)) {
        throw Refusal.invalid(
            Phrase.of("a new task has no field \"%s\"; %s", field, Nearest.guess(field, KNOWN)));
      }
    }
    String parent = fields.textOrNull("parent_id");
    return new NewTask(
        new Brief(
            fields.has("title") ? fields.text("title") : "",
            fields.has("description") ? fields.text("description") : "",
            fields.has("task_type") ? new TaskType(fields.text("task_type")) : TaskType.CODE,
            fields.has("priority") ? fields.integer("priority") : 0,
            fields.object("metadata"),
            fields.textOrNull("alias")),
        fields.textOrNull("workflow_id"),
        parent == null ? null : tasks.apply(parent),
        dependencies(fields, tasks),
        Terms.fromJson(fields.object("terms")));
  }

  /** Ids to wait for; how each must end is "blocks" unless the kinds say otherwise. */
  private static List<Dependency> dependencies(JsonObject fields, Function<String, TaskId> tasks) {
    JsonObject kinds = fields.object("dependency_kinds");
    List<String> ids = fields.texts("dependencies");
    for (String id : kinds.asMap().keySet()) {
      if (!ids.contains(id)) {
        throw Refusal.invalid(
            Phrase.of("dependency_kinds names %s, which dependencies does not", id));
      }
    }
    return ids.stream()
        .map(
            id -> {
              String kind = kinds.textOrNull(id);
              return kind == null
                  ? Dependency.on(tasks.apply(id))
                  : new Dependency(tasks.apply(id), Dependency.Kind.parse(kind));
            })
        .toList();
  }
}
