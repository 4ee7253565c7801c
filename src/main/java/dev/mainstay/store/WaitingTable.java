package dev.mainstay.store;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Changes.News;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What tasks wait for beside their dependencies: children, a moment, room in a budget. */
public final class WaitingTable {
  private static final int FAILURES_READ_MAX = 2_000;
  private static final List<String> ATTEMPTS =
      List.of("task.held", "task.lease_expired", "task.retried", "task.reopened");

  /** After one of these a task is held, or any worker may claim it. */
  private static final List<String> LET_GO =
      List.of("task.held", "task.released", "task.lease_expired", "task.retried", "task.reopened");

  private static final String OPEN_CHILDREN =
      """
      (SELECT count(*) FROM tasks child WHERE child.parent_id = tasks.id
       AND child.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS'))""";

  private final Tx tx;

  WaitingTable(Tx tx) {
    this.tx = tx;
  }

  /** A child of a task and where it stands. */
  public record Child(TaskId id, TaskStatus status) {}

  /** The children of a task in id order, which is the order locks are taken in. */
  public List<Child> children(TaskId parent) {
    return tx.sql("SELECT id, status FROM tasks WHERE parent_id = :parent ORDER BY seq")
        .bind("parent", parent)
        .list(row -> new Child(new TaskId(row.text("id")), TaskStatus.valueOf(row.text("status"))));
  }

  /** The children of each of these tasks. */
  public Map<TaskId, List<TaskId>> parts(Collection<TaskId> parents) {
    Map<TaskId, List<TaskId>> found = new HashMap<>();
    tx.sql("SELECT id, parent_id FROM tasks WHERE parent_id IN (:parents) ORDER BY seq")
        .bind("parents", parents)
        .each(
            row ->
                found
                    .computeIfAbsent(new TaskId(row.text("parent_id")), id -> new ArrayList<>())
                    .add(new TaskId(row.text("id"))));
    return found;
  }

  /** Counts the open children of a task anew; how many there are. */
  public int recountChildren(TaskId parent) {
    tx.sql("UPDATE tasks SET open_children = <open> WHERE id = :parent")
        .define("open", OPEN_CHILDREN)
        .bind("parent", parent)
        .update();
    int open =
        tx.sql("SELECT open_children FROM tasks WHERE id = :parent")
            .bind("parent", parent)
            .one(row -> row.integer("open_children"));
    if (open == 0) tx.brings(News.READY);
    return open;
  }

  /** Counts the open children of every task anew. */
  public void recountChildren() {
    tx.sql("UPDATE tasks SET open_children = <open> WHERE open_children <> <open>")
        .define("open", OPEN_CHILDREN)
        .update();
  }

  /** Tasks whose count of open children is not what the rows say. */
  public List<TaskId> miscountedChildren() {
    return tx.sql("SELECT id FROM tasks WHERE open_children <> <open> ORDER BY seq")
        .define("open", OPEN_CHILDREN)
        .list(row -> new TaskId(row.text("id")));
  }

  /** The task itself and all it is a part of, the nearest first. */
  public List<TaskId> lineage(TaskId task) {
    return tx.sql(
            """
            WITH RECURSIVE up (id, parent_id) AS (
              SELECT id, parent_id FROM tasks WHERE id = :task
              UNION ALL
              SELECT t.id, t.parent_id FROM tasks t JOIN up ON t.id = up.parent_id)
            SELECT id FROM up""")
        .bind("task", task)
        .list(row -> new TaskId(row.text("id")));
  }

  /** Whether a lease or a pause is over, so that somebody should look. */
  public boolean somethingIsDue() {
    return tx.sql(
            """
            SELECT 1 AS due WHERE
              EXISTS (SELECT 1 FROM tasks WHERE lease_until IS NOT NULL AND lease_until <= :now)
              OR EXISTS (SELECT 1 FROM tasks WHERE delayed_until IS NOT NULL AND delayed_until <= :now)""")
        .bind("now", tx.now())
        .first(row -> true)
        .isPresent();
  }

  /** How long until the next lease or pause is over; empty when there is none. */
  public Optional<Duration> untilNextDue() {
    return tx.sql(
            """
            SELECT min(due) AS due FROM (
              SELECT min(lease_until) AS due FROM tasks WHERE lease_until IS NOT NULL
              UNION ALL
              SELECT min(delayed_until) FROM tasks WHERE delayed_until IS NOT NULL) moments""")
        .one(row -> Optional.ofNullable(row.instantOrNull("due")))
        .map(due -> Duration.between(tx.now(), due));
  }

  /** Ends the pauses that are over; pauses are local, so this is no event. */
  public int endPauses() {
    int ended =
        tx.sql(
                """
                UPDATE tasks SET delayed_until = NULL
                WHERE delayed_until IS NOT NULL AND delayed_until <= :now""")
            .bind("now", tx.now())
            .update();
    if (ended > 0) tx.brings(News.READY);
    return ended;
  }

  /** Nothing is taken out of a budget without room for it; others come first until there is. */
  public void holdBack(TaskId task) {
    tx.sql("UPDATE tasks SET over_budget = 1 WHERE id = :id").bind("id", task).update();
  }

  /** There may be room again for the tasks at and below this one. */
  public void freeBelow(TaskId budget) {
    tx.sql(
            """
            UPDATE tasks SET over_budget = 0 WHERE over_budget = 1 AND id IN (
              WITH RECURSIVE below (id) AS (
                SELECT id FROM tasks WHERE id = :budget
                UNION ALL
                SELECT t.id FROM tasks t JOIN below ON t.parent_id = below.id)
              SELECT id FROM below)""")
        .bind("budget", budget)
        .update();
    tx.brings(News.READY);
  }

  /** The task because of which this one was cancelled or failed, if it was another. */
  public Optional<TaskId> causeOfEnd(TaskId task) {
    return tx
        .journal()
        .newestOfKinds(task.stream(), List.of("task.cancelled", "task.failed"), 1)
        .stream()
        .map(WaitingTable::payload)
        .flatMap(payload -> Optional.ofNullable(payload.textOrNull("cause")).stream())
        .map(TaskId::new)
        .findFirst();
  }

  /** Why attempts were lost since the task was made or reopened, oldest first. */
  public List<String> lostAttempts(TaskId task) {
    List<String> reasons = new ArrayList<>();
    boolean goesOn = false; // the same holder came back after it
    for (JournalEntry entry : newestFirst(task, ATTEMPTS)) {
      String kind = entry.content().kind();
      if (kind.equals("task.reopened")) break;
      JsonObject payload = payload(entry);
      boolean cameBack = goesOn;
      goesOn = Boolean.TRUE.equals(payload.get("resumed"));
      if (kind.equals("task.held") || (cameBack && kind.equals("task.lease_expired"))) continue;
      String reason = payload.textOrNull("reason");
      reasons.add(reason == null ? payload.text("error") : reason);
    }
    Collections.reverse(reasons);
    return reasons;
  }

  /** Whether the last lease of a task ended because its time was over, and nothing came after. */
  public boolean lostByTime(TaskId task) {
    return tx.journal().newestOfKinds(task.stream(), LET_GO, 1).stream()
        .anyMatch(last -> last.content().kind().equals("task.lease_expired"));
  }

  private List<JournalEntry> newestFirst(TaskId task, List<String> kinds) {
    var entries =
        new ArrayList<>(tx.journal().newestOfKinds(task.stream(), kinds, FAILURES_READ_MAX));
    entries.sort((a, b) -> Long.compare(b.place().number(), a.place().number()));
    return entries;
  }

  private static JsonObject payload(JournalEntry entry) {
    return JsonText.object(entry.content().payload());
  }
}
