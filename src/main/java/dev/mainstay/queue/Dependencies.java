package dev.mainstay.queue;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Dependency.Standing;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Who waits for whom: counting, telling those who wait, and refusing circles. */
final class Dependencies {
  private static final int ASKED_AT_ONCE_MAX = 1_000;

  private Dependencies() {}

  /** How many of these are not met yet; one that can never be met is refused. */
  static int unmet(Tx tx, List<Dependency> dependencies) {
    Map<TaskId, Task> others = new HashMap<>();
    var ids = dependencies.stream().map(Dependency::on).sorted().toList();
    for (Task other : tx.tasks().keepStill(ids)) others.put(other.id(), other);
    int unmet = 0;
    for (Dependency dependency : dependencies) {
      TaskStatus status = status(others, dependency.on());
      switch (dependency.kind().standing(status)) {
        case MET -> {}
        case WAITING -> unmet++;
        case IMPOSSIBLE ->
            throw Refusal.conflict(
                Phrase.of(
                    "%s is %s, so a task that waits for it (%s) could never start; leave it out or choose another",
                    dependency.on(), status, dependency.kind().typed()));
      }
    }
    return unmet;
  }

  /** The task because of whose end this one can never start, if there is one. */
  static Optional<Task> impossible(Tx tx, Task task) {
    for (Dependency dependency : task.links().dependencies()) {
      Task other = tx.tasks().get(dependency.on());
      if (dependency.kind().standing(other.status()) == Standing.IMPOSSIBLE) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private static TaskStatus status(Map<TaskId, Task> others, TaskId id) {
    Task other = others.get(id);
    if (other == null) throw Refusal.notFound("there is no task " + id);
    return other.status();
  }

  /** Journals a change of the edges and brings the derived count with it. */
  static Task recorded(Tx tx, Task task, TaskEvent event, int unmet, Call call) {
    Task after = tx.tasks().record(task, List.of(event), call);
    tx.tasks().setUnmet(task.id(), unmet);
    return after.with(after.links().withUnmet(unmet));
  }

  /** Walks up from what the task shall wait for; meeting the task itself closes a circle. */
  static void refuseCircle(Tx tx, TaskId task, TaskId other) {
    Map<TaskId, TaskId> reachedFrom = new HashMap<>();
    Set<TaskId> level = new LinkedHashSet<>(List.of(other));
    while (!level.isEmpty()) {
      Set<TaskId> next = new LinkedHashSet<>();
      awaited(tx, List.copyOf(level))
          .forEach(
              (from, others) -> {
                for (TaskId awaited : others) {
                  if (reachedFrom.putIfAbsent(awaited, from) == null) next.add(awaited);
                }
              });
      if (reachedFrom.containsKey(task)) throw circle(task, other, reachedFrom);
      level = next;
    }
  }

  /** Whom each of these must wait for: what it depends on, and its parts. */
  private static Map<TaskId, List<TaskId>> awaited(Tx tx, List<TaskId> tasks) {
    Map<TaskId, List<TaskId>> awaited = new LinkedHashMap<>();
    for (int from = 0; from < tasks.size(); from += ASKED_AT_ONCE_MAX) {
      var some = tasks.subList(from, Math.min(from + ASKED_AT_ONCE_MAX, tasks.size()));
      var dependencies = tx.dependencies().of(some);
      var parts = tx.waiting().parts(some);
      for (TaskId task : some) {
        List<TaskId> others = new ArrayList<>(parts.getOrDefault(task, List.of()));
        dependencies.getOrDefault(task, List.of()).forEach(edge -> others.add(edge.on()));
        awaited.put(task, others);
      }
    }
    return awaited;
  }

  private static Refusal circle(TaskId task, TaskId other, Map<TaskId, TaskId> reachedFrom) {
    List<TaskId> path = new ArrayList<>(List.of(task));
    TaskId step = task;
    while (!step.equals(other)) {
      step = reachedFrom.getOrDefault(step, other);
      path.add(step);
    }
    path.add(task);
    Collections.reverse(path);
    String names = path.stream().map(TaskId::value).collect(Collectors.joining(" -> "));
    return Refusal.conflict(
        Phrase.of(
            "%s cannot wait for %s: they would wait for each other in a circle (%s)",
            task, other, names));
  }
}
