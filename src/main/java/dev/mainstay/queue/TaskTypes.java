package dev.mainstay.queue;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Requirement;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.TaskTypeRule;
import dev.mainstay.domain.Text;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tasks of a type must show before they count as done. */
public final class TaskTypes {
  private final Store store;

  public TaskTypes(Store store) {
    this.store = store;
  }

  /** The journal stream of a type of task. */
  private static String stream(TaskType type) {
    return "task-type/" + type.name();
  }

  /**
   * Says what tasks of a type must show from now on: {@code tests}, or commands; an empty list asks
   * for nothing. Only a person says that, or agents would be their own judges.
   */
  public TaskTypeRule require(TaskType type, List<String> kinds, Call call) {
    var wanted = List.copyOf(new LinkedHashSet<>(kinds.stream().map(Requirement::new).toList()));
    var rule = new TaskTypeRule(type, wanted, 0, null);
    if (!call.actor().isPerson()) {
      throw Refusal.conflict(
              "only a person says what a type of task requires; ask one to run 'mainstay task type'")
          .reserved();
    }
    return store.inTransaction(
        Once.of(
            call,
            "task_type.require",
            JsonObject.of("type", type.name(), "requires", rule.texts()),
            TaskTypeRule::toJson,
            TaskTypeRule::fromJson),
        tx -> {
          TaskTypeRule known = tx.taskTypes().find(type).orElse(TaskTypeRule.none(type));
          if (known.requires().equals(wanted)) return known;
          TaskTypeRule put = tx.taskTypes().put(type, wanted);
          var event = new TaskTypeRule.Required(rule.texts());
          tx.journal().append(stream(type), call, List.of(event));
          return put;
        });
  }

  /** What tasks of a type must show; nothing unless a person said so. */
  public TaskTypeRule show(TaskType type) {
    return store.reading(tx -> tx.taskTypes().find(type).orElse(TaskTypeRule.none(type)));
  }

  /** All types that somebody said something about. */
  public List<TaskTypeRule> list() {
    return store.reading(tx -> tx.taskTypes().list());
  }

  /** A person's reason to complete a task without what its type requires, as it is kept. */
  static @Nullable String override(@Nullable String reason) {
    if (reason == null) return null;
    return Text.line(
        "the reason of an override", Redactor.DEFAULT.redact(reason), Task.REASON_CHARS_MAX);
  }
}
