package dev.mainstay.queue;

import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who was given which task. The moves themselves are those of {@link Leases}. */
public final class Assignments {
  private final Store store;

  public Assignments(Store store) {
    this.store = store;
  }

  public Assignment show(long id) {
    return store.reading(tx -> tx.assignments().get(id));
  }

  /** Everybody who was given a task over time, oldest first. */
  public List<Assignment> ofTask(TaskId task) {
    return store.reading(
        tx -> {
          tx.tasks().get(task);
          return tx.assignments().ofTask(task);
        });
  }

  /** The numbers of the assignments under which these tasks are held. */
  public Map<TaskId, Long> numbers(Collection<Task> held) {
    if (held.isEmpty()) return Map.of();
    return store.reading(tx -> tx.assignments().numbers(held));
  }

  /** What a terminal has in its hands, oldest first. */
  public List<Assignment> openOf(String terminal) {
    return store.reading(tx -> tx.assignments().openOf(terminal));
  }

  /** The assignment of a task to a terminal, if there ever was one. */
  public Optional<Assignment> of(TaskId task, String terminal) {
    return store.reading(tx -> tx.assignments().of(task, terminal));
  }
}
