package dev.mainstay.queue;

import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.List;

/** The workers that may write to a held task beside its holder. The list ends with the lease. */
public final class Helpers {
  private final Store store;

  public Helpers(Store store) {
    this.store = store;
  }

  /**
   * Lets a worker write to the task under the fence of its lease. Only the holder and persons name
   * helpers.
   */
  public Task add(TaskId id, String worker, Call call) {
    String name = Terminal.id(worker);
    JsonObject asked = JsonObject.of("id", id.value(), "worker", name);
    return store.inTransaction(
        Tasks.once(call, "task.add_helper", asked),
        tx -> {
          Task task = tx.tasks().lock(id);
          Lease lease = ownLease(task, call);
          if (lease.holder().equals(name) || lease.helpers().contains(name)) return task;
          if (lease.helpers().size() >= Lease.HELPERS_MAX) {
            throw Refusal.tooLarge(
                Phrase.of(
                    "%s has %d helpers, which is the most; remove one first",
                    id, Lease.HELPERS_MAX));
          }
          return recorded(tx, task, new AttemptEvent.HelperAdded(name), call);
        });
  }

  /** Takes that right from a worker again. */
  public Task remove(TaskId id, String worker, Call call) {
    JsonObject asked = JsonObject.of("id", id.value(), "worker", worker);
    return store.inTransaction(
        Tasks.once(call, "task.remove_helper", asked),
        tx -> {
          Task task = tx.tasks().lock(id);
          if (!ownLease(task, call).helpers().contains(worker)) {
            throw Refusal.notFound(
                Phrase.of(
                    "%s is not a helper of %s; 'mainstay task show %s' lists its helpers",
                    worker, id, id));
          }
          return recorded(tx, task, new AttemptEvent.HelperRemoved(worker), call);
        });
  }

  private static Task recorded(Tx tx, Task task, TaskEvent event, Call call) {
    return tx.tasks().record(task, List.of(event), call);
  }

  private static Lease ownLease(Task task, Call call) {
    task.admit(call);
    Lease lease = task.lease().orElse(null);
    if (lease == null) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s; only a task that is held has helpers, so claim it first",
              task.id(), task.status()));
    }
    if (call.actor().isAgent() && !call.isBy(lease.holder())) {
      throw Refusal.notHolder(
          Phrase.of(
              "you are a helper of %s; only its holder %s or a person names others, so ask %s",
              task.id(), lease.holder(), lease.holder()));
    }
    return lease;
  }
}
