package dev.mainstay.overview;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tasks and what leads from one to another: a dependency from what must end first, and a part to
 * the whole that waits for it.
 */
public record Graph(List<Task> nodes, List<Edge> edges, long leftOut) {
  public static final int NODES = 1_000;
  public static final int NODES_MAX = 5_000;

  /** Questions about many tasks are asked about so many at once. */
  private static final int TASKS_AT_ONCE = 1_000;

  /** What must end first, and what waits for it. */
  public record Edge(TaskId from, TaskId to, String kind) {}

  public Graph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  static void checkLimit(int limit) {
    if (limit >= 1 && limit <= NODES_MAX) return;
    throw Refusal.invalid(Phrase.of("a graph has between 1 and %,d tasks", NODES_MAX));
  }

  static Graph of(Tx tx, TaskFilter filter, int limit) {
    List<Task> found = tx.tasks().list(filter, TaskOrder.NEWEST, null, limit);
    long all = found.size() < limit ? found.size() : tx.tasks().count(filter);
    return of(found, all - found.size());
  }

  /** Goes outward from a task, in both directions, until everything is there or enough is. */
  static Graph around(Tx tx, TaskId root, int limit) {
    Map<TaskId, Task> found = new LinkedHashMap<>();
    Set<TaskId> next = new LinkedHashSet<>(Set.of(tx.tasks().get(root).id()));
    while (!next.isEmpty() && found.size() < limit) {
      List<TaskId> now =
          next.stream().limit(Math.min(limit - found.size(), TASKS_AT_ONCE)).toList();
      for (Task task : tx.tasks().get(now)) found.put(task.id(), task);
      now.forEach(next::remove);
      for (TaskId each : tx.overview().neighbours(now))
        if (!found.containsKey(each)) next.add(each);
    }
    return of(found.values(), next.size());
  }

  private static Graph of(Collection<Task> found, long leftOut) {
    Set<TaskId> shown = new LinkedHashSet<>();
    for (Task task : found) shown.add(task.id());
    List<Edge> edges = new ArrayList<>();
    for (Task task : found) {
      for (Dependency each : task.links().dependencies()) {
        if (shown.contains(each.on())) {
          edges.add(new Edge(each.on(), task.id(), each.kind().typed()));
        }
      }
      TaskId whole = task.links().parent();
      if (whole != null && shown.contains(whole)) edges.add(new Edge(task.id(), whole, "part"));
    }
    return new Graph(List.copyOf(found), edges, leftOut);
  }

  public JsonObject toJson() {
    return JsonObject.of("left_out", leftOut)
        .with("nodes", nodes.stream().map(Graph::node).toList())
        .with("edges", edges.stream().map(Graph::edge).toList());
  }

  private static JsonObject node(Task task) {
    return JsonObject.of("id", task.id().value(), "title", task.title())
        .with("status", task.status())
        .with("ready", task.isReady())
        .with("type", task.brief().type().name())
        .with("priority", task.brief().priority());
  }

  private static JsonObject edge(Edge edge) {
    return JsonObject.of("from", edge.from().value(), "to", edge.to().value())
        .with("kind", edge.kind());
  }
}
