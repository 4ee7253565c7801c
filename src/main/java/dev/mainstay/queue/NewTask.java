package dev.mainstay.queue;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task that somebody wants made. */
public record NewTask(
    Brief brief,
    @Nullable String workflow,
    @Nullable TaskId parent,
    List<Dependency> dependencies,
    Terms terms) {

  public NewTask {
    Map<TaskId, Dependency> distinct = new LinkedHashMap<>();
    for (Dependency dependency : dependencies) {
      Dependency other = distinct.putIfAbsent(dependency.on(), dependency);
      if (other != null && !other.equals(dependency)) {
        throw Refusal.invalid(
            Phrase.of(
                "%s is named twice with different kinds of dependency; name it once",
                dependency.on()));
      }
    }
    dependencies = List.copyOf(distinct.values());
  }

  /** The least a task needs. */
  public static NewTask titled(String title) {
    return new NewTask(
        new Brief(title, "", TaskType.CODE, 0, JsonObject.EMPTY),
        null,
        null,
        List.of(),
        Terms.NONE);
  }

  public NewTask after(TaskId... others) {
    return new NewTask(
        brief, workflow, parent, List.of(others).stream().map(Dependency::on).toList(), terms);
  }

  public NewTask withPriority(int priority) {
    var b =
        new Brief(
            brief.title(),
            brief.description(),
            brief.type(),
            priority,
            brief.metadata(),
            brief.alias());
    return new NewTask(b, workflow, parent, dependencies, terms);
  }

  /** As a part of another task, which waits for it. */
  public NewTask below(TaskId other) {
    return new NewTask(brief, workflow, other, dependencies, terms);
  }

  public NewTask on(Terms others) {
    return new NewTask(brief, workflow, parent, dependencies, others);
  }

  TaskEvent.Created created() {
    return new TaskEvent.Created(brief, workflow, parent, dependencies, terms);
  }
}
