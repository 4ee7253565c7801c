package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store.Outcome;
import dev.mainstay.store.Store.Settled;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of several use cases in a transaction, perhaps about a task, and how it went. */
final class Member<T> {
  /**
   * Who has to wait for somebody else's lock does so alone, and not with all who go with it: that
   * lock may be of one who was cut off.
   */
  private static final String WAITS_LITTLE = "SET LOCAL lock_timeout = '500ms'";

  private final @Nullable TaskId task;
  private final Attempt<T> attempt;
  private @Nullable Settled<Outcome<T>> settled;

  Member(@Nullable TaskId task, Attempt<T> attempt) {
    this.task = task;
    this.attempt = attempt;
  }

  @Nullable TaskId task() {
    return task;
  }

  boolean isSettled() {
    return settled != null;
  }

  /** Whatever it came to is undone. */
  void unsettle() {
    settled = null;
  }

  Settled<Outcome<T>> settled() {
    Settled<Outcome<T>> how = settled;
    if (how == null) throw new IllegalStateException("it is not known how it went");
    return how;
  }

  @Nullable Tx kept() {
    Settled<Outcome<T>> how = settled;
    return how == null || how.answer() == null ? null : how.get().tx();
  }

  /**
   * Runs it in a transaction with others. One that fails before it changed anything is none of the
   * others' business; one that fails later is thrown, because nothing of all can be kept.
   */
  void run(Tx tx) {
    Statements.Moment before = tx.statements().now();
    try {
      settled = new Settled<>(new Outcome<>(attempt.run(tx), tx), null);
    } catch (SqlFault fault) {
      throw fault;
    } catch (RuntimeException fault) {
      if (!tx.statements().takeBack(before)) throw new OneFailed(fault);
      settled = new Settled<>(null, fault);
    } catch (Error fault) {
      throw new OneFailed(fault); // its caller meets it again, alone
    }
  }

  /** Runs it in a transaction of its own. */
  void runAlone(Store store) {
    settled = Settled.of(() -> store.write(attempt));
  }

  /** It failed with all the others. */
  void refuse(Function<Attempt<?>, RuntimeException> why) {
    settled = new Settled<>(null, why.apply(attempt));
  }

  /** One of several use cases in a transaction came to nothing, and so did all. */
  static final class OneFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OneFailed(Throwable fault) {
      super(fault);
    }
  }

  /**
   * Runs those of a group that can be run together; who they are. Their tasks are locked and looked
   * at, all at once, and nobody waits for one that somebody else has locked: that member is left
   * out. Executions of workflows are come to in the order of their ids, by everybody.
   */
  static List<Member<?>> runTogether(Tx all, List<? extends Member<?>> group) {
    Map<TaskId, Tx> aboutTasks = new HashMap<>();
    Map<TaskId, String> executions = new HashMap<>();
    List<TaskId> tasks = new ArrayList<>();
    for (Member<?> each : group) if (each.task != null) tasks.add(each.task);
    if (!tasks.isEmpty()) lock(all, tasks, aboutTasks, executions);
    all.sql(WAITS_LITTLE).later();
    List<Member<?>> run = new ArrayList<>();
    for (Member<?> each : group) {
      if (each.task == null || aboutTasks.containsKey(each.task)) run.add(each);
    }
    run.sort(Comparator.comparing(each -> executions.getOrDefault(each.task, "")));
    for (Member<?> each : run) {
      Tx own = each.task == null ? null : aboutTasks.get(each.task);
      each.run((own == null ? all.beside() : own).inCompany());
    }
    tellFollower(run);
    return run;
  }

  /**
   * Who follows is told once, of all tasks that have ended, as often as it would read and write.
   */
  private static void tellFollower(List<Member<?>> run) {
    Tx last = null;
    for (Member<?> each : run) {
      Tx own = each.kept();
      if (own != null && own.takesOver(last)) last = own;
    }
    if (last == null) return;
    try {
      last.tellFollower();
    } catch (SqlFault fault) {
      throw fault;
    } catch (RuntimeException | Error fault) {
      throw new OneFailed(fault);
    }
  }

  private static void lock(
      Tx all, List<TaskId> tasks, Map<TaskId, Tx> byTask, Map<TaskId, String> executions) {
    Map<TaskId, Tx> known = new HashMap<>();
    Function<TaskId, Tx> own = id -> known.computeIfAbsent(id, each -> all.beside());
    List<TaskId> ofWorkflows = new ArrayList<>();
    for (var each : all.tasks().lockFree(tasks, seen -> seen.tell(own.apply(seen.task())))) {
      TaskId id = each.task().id();
      own.apply(id).has(each);
      byTask.put(id, own.apply(id));
      if (each.task().links().workflow() != null) ofWorkflows.add(id);
    }
    if (!ofWorkflows.isEmpty()) {
      executions.putAll(all.workflowWaits().executionsByTask(ofWorkflows));
    }
  }
}
