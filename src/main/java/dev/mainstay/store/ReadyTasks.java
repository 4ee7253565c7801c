package dev.mainstay.store;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which tasks can be begun now. Each question is answered by an index, however many tasks wait. */
final class ReadyTasks {
  /** Repeats the indexes' own condition, word for word, or neither database would use them. */
  static final String IS_READY =
      "status = 'PENDING' AND unmet_dependencies = 0"
          + " AND open_children = 0 AND delayed_until IS NULL AND over_budget = 0";

  /** What a prompt opened is for the agent it was given to; its sessions find it by themselves. */
  private static final String IS_READY_FOR_ALL =
      IS_READY + " AND (metadata ->> 'opened_by') IS DISTINCT FROM 'prompt'";

  private static final Comparator<Task> MOST_URGENT_FIRST =
      Comparator.comparing((Task task) -> -task.brief().priority())
          .thenComparing(task -> task.id().number());

  private final Tx tx;

  ReadyTasks(Tx tx) {
    this.tx = tx;
  }

  /** The most urgent of one type, or of all. */
  List<Task> list(@Nullable TaskType type, int limit) {
    return list(type, limit, "");
  }

  private List<Task> list(@Nullable TaskType type, int limit, String lock) {
    String which = which(type);
    return filled(tx.sql("SELECT * FROM tasks " + which), type, limit, lock).list(TaskTable::task);
  }

  /**
   * Locks the most urgent, and asks for them again on the same journey: what is locked by then
   * comes once more, and the ends of the streams are seen as of after the lock.
   */
  private List<Task> lockWithHeads(@Nullable TaskType type, int limit) {
    String lock = tx.dialect().skipLocked();
    List<Task> locked = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    filled(tx.sql("SELECT * FROM tasks " + which(type)), type, limit, lock)
        .later(
            row -> {
              locked.add(TaskTable.task(row));
              ids.add(row.text("id"));
            });
    // What was not locked by the first may have moved in the moment before the second locked it.
    filled(Outlook.heads(tx, which(type)), type, limit, lock)
        .later(
            row -> {
              if (ids.contains(row.text("id"))) Outlook.tellHead(tx, row);
            });
    tx.finish();
    return locked;
  }

  private static String which(@Nullable TaskType type) {
    return "<index> WHERE <ready>"
        + (type == null ? "" : " AND task_type = :type")
        + " ORDER BY priority DESC, seq LIMIT <limit> <lock>";
  }

  private Sql filled(Sql question, @Nullable TaskType type, int limit, String lock) {
    return question
        .define("ready", IS_READY_FOR_ALL)
        // To claim, a number and no bind: with one PostgreSQL plans each claim anew, which costs
        // more than it gives. To list, people may ask for any number.
        .define("limit", lock.isEmpty() ? ":limit" : String.valueOf(limit))
        .define("lock", lock)
        .define(
            "index", tx.dialect().useIndex(type == null ? "tasks_ready" : "tasks_ready_by_type"))
        .bind("type", type)
        .bind("limit", limit);
  }

  /** Locks the most urgent of these types and passes over those that somebody else has locked. */
  List<Task> lock(Collection<TaskType> types, int limit) {
    String lock = tx.dialect().skipLocked();
    var distinct = types.stream().distinct().toList();
    if (distinct.size() <= 1) {
      TaskType only = distinct.isEmpty() ? null : distinct.get(0);
      // Without a journey to save, the ends of the streams are asked for by the ids that are known.
      return lock.isEmpty() ? list(only, limit, lock) : lockWithHeads(only, limit);
    }
    List<Task> best = best(distinct, limit);
    // No lock is taken on a task that is not wanted: others would pass over it for nothing.
    List<Task> locked = lock.isEmpty() ? best : lock(best);
    if (locked.size() == best.size()) return locked;
    return withMore(locked, distinct, limit);
  }

  /** The most urgent of several types: each has its own order in the index, so they are merged. */
  private List<Task> best(List<TaskType> types, int limit) {
    List<Task> best = new ArrayList<>();
    for (TaskType type : types) best.addAll(list(type, limit));
    best.sort(MOST_URGENT_FIRST);
    return best.subList(0, Math.min(limit, best.size()));
  }

  private List<Task> lock(List<Task> chosen) {
    if (chosen.isEmpty()) return List.of();
    return tx.sql(
            "SELECT * FROM tasks WHERE id IN (:ids) AND <ready> ORDER BY priority DESC, seq <lock>")
        .define("ready", IS_READY_FOR_ALL)
        .define("lock", tx.dialect().skipLocked())
        .bind("ids", chosen.stream().map(Task::id).toList())
        .list(TaskTable::task);
  }

  /** Somebody else took some of the best: fills up with what is left, one type after the other. */
  private List<Task> withMore(List<Task> locked, List<TaskType> types, int limit) {
    List<Task> all = new ArrayList<>(locked);
    Set<TaskId> known =
        locked.stream().map(Task::id).collect(Collectors.toCollection(TreeSet::new));
    for (TaskType type : types) {
      if (all.size() >= limit) break;
      // Those that are locked already come again, as they are this transaction's own.
      int ours = (int) all.stream().filter(task -> task.brief().type().equals(type)).count();
      for (Task task : list(type, limit - all.size() + ours, tx.dialect().skipLocked())) {
        if (known.add(task.id())) all.add(task);
      }
    }
    all.sort(MOST_URGENT_FIRST);
    return all;
  }

  /** How many there are of these types, or of all, counted up to a limit. */
  int count(Collection<TaskType> types, int limit) {
    return tx.sql(
            "SELECT count(*) AS ready FROM (SELECT 1 AS one FROM tasks <index> WHERE <ready>"
                + (types.isEmpty() ? "" : " AND task_type IN (:types)")
                + " LIMIT :limit) AS counted")
        .define("ready", IS_READY_FOR_ALL)
        .define(
            "index", tx.dialect().useIndex(types.isEmpty() ? "tasks_ready" : "tasks_ready_by_type"))
        .bind("types", types)
        .bind("limit", limit)
        .one(row -> row.integer("ready"));
  }
}
