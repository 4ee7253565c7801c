package dev.mainstay.store;

import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task as the columns of its row. */
final class TaskColumns {
  private TaskColumns() {}

  /** All of them, in the table's order. */
  static Map<String, @Nullable Object> of(Task task) {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("id", task.id().value());
    columns.put("seq", task.id().number());
    addLasting(task, columns);
    columns.putAll(changing(task));
    return columns;
  }

  private static void addLasting(Task task, Map<String, @Nullable Object> columns) {
    columns.put("workflow_id", task.links().workflow());
    columns.put("parent_id", task.links().parent());
    columns.put("alias", task.brief().alias());
    columns.put("title", task.brief().title());
    columns.put("description", task.brief().description());
    columns.put("task_type", task.brief().type().name());
    columns.put("priority", task.brief().priority());
    columns.put("dependencies", new JsonValue(TaskJson.ids(task.links().dependencies())));
    columns.put("metadata", task.brief().metadata());
    columns.put("terms", task.links().terms().toJson());
    columns.put("unmet_dependencies", task.links().unmet());
    columns.put("open_children", task.links().waiting().openChildren());
    columns.put("delayed_until", task.links().waiting().delayedUntil());
    columns.put("over_budget", task.links().waiting().overBudget() ? 1 : 0);
  }

  private static Map<String, @Nullable Object> changing(Task task) {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("status", task.status());
    columns.put("reason", task.progress().reason());
    columns.put("attempt", task.progress().attempt());
    columns.put("fence", task.fence());
    columns.put("lease_holder", task.lease().map(Lease::holder).orElse(null));
    columns.put("lease_helpers", new JsonValue(task.lease().map(Lease::helpers).orElse(List.of())));
    columns.put("lease_since", task.lease().map(Lease::since).orElse(null));
    columns.put("heartbeat_at", task.lease().map(Lease::heartbeat).orElse(null));
    columns.put("lease_until", task.lease().map(Lease::until).orElse(null));
    columns.put("version", task.stamps().version());
    columns.put("created_at", task.stamps().createdAt());
    columns.put("updated_at", task.stamps().updatedAt());
    columns.put("completed_at", task.stamps().completedAt());
    return columns;
  }

  /** Those that differ. */
  static Map<String, @Nullable Object> changed(Task before, Task after) {
    Map<String, @Nullable Object> columns = changing(after);
    Map<String, @Nullable Object> was = changing(before);
    // Most changes leave alone what a task is and whom it waits for.
    if (before.brief() != after.brief() || before.links() != after.links()) {
      addLasting(after, columns);
      addLasting(before, was);
    }
    columns
        .entrySet()
        .removeIf(column -> Objects.equals(column.getValue(), was.get(column.getKey())));
    return columns;
  }
}
