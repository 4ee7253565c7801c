package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.domain.WorkflowWait.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the tokens of all executions wait for. */
public final class WorkflowWaitTable {
  private final Tx tx;

  WorkflowWaitTable(Tx tx) {
    this.tx = tx;
  }

  /** Asked for soon, with whatever else is. */
  void soon(Collection<String> executions, Consumer<WorkflowWait> seen) {
    tx.sql("SELECT * FROM workflow_waits WHERE execution_id IN (:ids) ORDER BY since, token_id")
        .bind("ids", executions)
        .later(row -> seen.accept(wait(row)));
  }

  public List<WorkflowWait> of(String execution) {
    return tx.sql("SELECT * FROM workflow_waits WHERE execution_id = :id ORDER BY since, token_id")
        .bind("id", execution)
        .list(WorkflowWaitTable::wait);
  }

  /** An execution with a token that waits for a task, and whether another execution called it. */
  public record Waiting(String execution, boolean isCalled) {}

  /** Whose tokens wait for these tasks. */
  public List<Waiting> forTasks(Collection<TaskId> tasks) {
    List<Waiting> found = new ArrayList<>();
    tx.sql(
            """
            SELECT DISTINCT w.execution_id, e.parent_execution
            FROM workflow_waits w JOIN workflow_executions e ON e.id = w.execution_id
            WHERE w.task_id IN (:tasks) AND w.kind = 'TASK'""")
        .bind("tasks", tasks)
        .later(
            row ->
                found.add(
                    new Waiting(
                        row.text("execution_id"), row.textOrNull("parent_execution") != null)));
    tx.finish();
    return found;
  }

  /** Which execution's token waits for each of these tasks. */
  Map<TaskId, String> executionsByTask(Collection<TaskId> tasks) {
    Map<TaskId, String> found = new HashMap<>();
    tx.sql(
            """
            SELECT task_id, execution_id FROM workflow_waits
            WHERE task_id IN (:tasks) AND kind = 'TASK'""")
        .bind("tasks", tasks)
        .each(row -> found.put(new TaskId(row.text("task_id")), row.text("execution_id")));
    return found;
  }

  /** What a token of an execution that goes on waits for, though the task has ended. */
  public record Ended(WorkflowWait seen, boolean isWell) {}

  /** Those whose task has ended, in the order of the tasks' ids, from after one. */
  public List<Ended> ended(String after, int limit) {
    return tx.sql(
            """
            SELECT w.*, t.status FROM workflow_waits w
            JOIN tasks t ON t.id = w.task_id
            JOIN workflow_executions e ON e.id = w.execution_id
            WHERE w.task_id > :after AND w.kind = 'TASK' AND e.status = 'RUNNING'
              AND t.status IN ('COMPLETED', 'FAILED', 'CANCELLED')
            ORDER BY w.task_id LIMIT :limit""")
        .bind("after", after)
        .bind("limit", limit)
        .list(row -> new Ended(wait(row), row.text("status").equals("COMPLETED")));
  }

  /**
   * Keeps these in place of what their tokens waited for before. What was deleted of their
   * execution is gone before: a task may have stood there under another token.
   */
  public void put(Collection<WorkflowWait> waits, Collection<String> deleted) {
    for (WorkflowWait wait : waits) {
      About about = wait.about();
      boolean isTask = wait.kind() == Kind.TASK || isTask(wait);
      boolean isCall = wait.kind() == Kind.CALL || (wait.kind() == Kind.WITHDRAWN && !isTask);
      tx.sql(
              """
              INSERT INTO workflow_waits (execution_id, token_id, node_id, kind, task_id, due_at,
                message, correlation, child_execution, question, since)
              VALUES (:execution, :token, :node, :kind, :task, :due, :message, :correlation,
                :child, :question, :since)
              ON CONFLICT (execution_id, token_id) DO UPDATE SET node_id = excluded.node_id,
                kind = excluded.kind, task_id = excluded.task_id, due_at = excluded.due_at,
                message = excluded.message, correlation = excluded.correlation,
                child_execution = excluded.child_execution, question = excluded.question,
                since = excluded.since""")
          .bind("execution", wait.execution())
          .bind("token", wait.token())
          .bind("node", wait.node())
          .bind("kind", wait.kind())
          .bind("task", isTask ? about.name() : null)
          .bind("due", about.due())
          .bind("message", wait.kind() == Kind.MESSAGE ? about.name() : null)
          .bind("correlation", about.correlation())
          .bind("child", isCall ? about.name() : null)
          .bind("question", about.question().isEmpty() ? null : about.question())
          .bind("since", wait.since())
          .about(name(wait.execution(), wait.token()))
          .after(before(wait.execution(), deleted))
          .later();
    }
  }

  private static String[] before(String execution, Collection<String> deleted) {
    Set<String> rows = new HashSet<>();
    rows.add(WorkflowExecutionTable.name(execution));
    for (String token : deleted) rows.add(name(execution, token));
    return rows.toArray(String[]::new);
  }

  private static boolean isTask(WorkflowWait wait) {
    return wait.kind() == Kind.WITHDRAWN && TaskId.isOne(wait.name());
  }

  /** Forgets what tokens of an execution waited for. */
  public void delete(String execution, Collection<String> tokens) {
    for (String token : tokens) {
      tx.sql("DELETE FROM workflow_waits WHERE execution_id = :execution AND token_id = :token")
          .bind("execution", execution)
          .bind("token", token)
          .about(name(execution, token))
          .later();
    }
  }

  private static String name(String execution, String token) {
    return "wait " + execution + " " + token;
  }

  /** Moments that have come for executions that go on, the longest over first. */
  public List<WorkflowWait> due(int limit) {
    return tx.sql(
            """
            SELECT w.* FROM workflow_waits w JOIN workflow_executions e ON e.id = w.execution_id
            WHERE w.kind = 'TIMER' AND w.due_at <= :now AND e.status = 'RUNNING'
            ORDER BY w.due_at LIMIT :limit""")
        .bind("now", tx.now())
        .bind("limit", limit)
        .list(WorkflowWaitTable::wait);
  }

  /** What still has to be told that it is wanted no more, the oldest first. */
  public List<WorkflowWait> withdrawn(int limit) {
    return tx.sql(
            "SELECT * FROM workflow_waits WHERE kind = 'WITHDRAWN' ORDER BY since LIMIT :limit")
        .bind("limit", limit)
        .list(WorkflowWaitTable::wait);
  }

  /** Who waits for a message and goes on, the longest first; in one execution alone, if named. */
  public List<WorkflowWait> forMessage(
      String message, @Nullable String correlation, @Nullable String execution, int limit) {
    return tx.sql(
            """
            SELECT w.* FROM workflow_waits w JOIN workflow_executions e ON e.id = w.execution_id
            WHERE w.kind = 'MESSAGE' AND w.message = :message AND <correlation> <execution>
              AND e.status = 'RUNNING'
            ORDER BY w.since, w.execution_id, w.token_id LIMIT :limit""")
        .define("correlation", WorkflowMessageTable.equal(correlation))
        .define("execution", execution == null ? "" : "AND execution_id = :execution")
        .bind("message", message)
        .bind("correlation", correlation)
        .bind("execution", execution)
        .bind("limit", limit)
        .list(WorkflowWaitTable::wait);
  }

  /** Whether anybody waits for a message, even if he is paused, but for these executions. */
  public boolean isAwaited(
      String message, @Nullable String correlation, Collection<String> butFor) {
    return tx.sql(
            """
            SELECT token_id FROM workflow_waits
            WHERE kind = 'MESSAGE' AND message = :message AND <correlation> <others> LIMIT 1""")
        .define("correlation", WorkflowMessageTable.equal(correlation))
        .define("others", butFor.isEmpty() ? "" : "AND execution_id NOT IN (:others)")
        .bind("message", message)
        .bind("correlation", correlation)
        .bind("others", butFor)
        .first(row -> row.text("token_id"))
        .isPresent();
  }

  /**
   * Messages that were kept and for which somebody waits by now who goes on, or by which a workflow
   * begins when nobody waits.
   */
  public List<WorkflowMessage> awaited(int limit) {
    return tx.sql(
            """
            SELECT m.* FROM workflow_messages m WHERE EXISTS (
              SELECT 1 FROM workflow_waits w JOIN workflow_executions e ON e.id = w.execution_id
              WHERE w.kind = 'MESSAGE' AND w.message = m.name AND w.correlation = m.correlation
                AND e.status = 'RUNNING')
            OR (m.correlation IS NULL AND EXISTS (
              SELECT 1 FROM workflow_waits w JOIN workflow_executions e ON e.id = w.execution_id
              WHERE w.kind = 'MESSAGE' AND w.message = m.name AND w.correlation IS NULL
                AND e.status = 'RUNNING'))
            OR (EXISTS (
              SELECT 1 FROM workflow_starts s WHERE s.kind = 'MESSAGE' AND s.message = m.name)
            AND NOT EXISTS (
              SELECT 1 FROM workflow_waits w WHERE w.kind = 'MESSAGE' AND w.message = m.name
                AND w.correlation = m.correlation)
            AND (m.correlation IS NOT NULL OR NOT EXISTS (
              SELECT 1 FROM workflow_waits w WHERE w.kind = 'MESSAGE' AND w.message = m.name
                AND w.correlation IS NULL)))
            ORDER BY m.id LIMIT :limit""")
        .bind("limit", limit)
        .list(WorkflowMessageTable::message);
  }

  /** What persons are asked by executions that are not over, the oldest first. */
  public List<WorkflowWait> asking(@Nullable String execution, int limit) {
    return tx.sql(
            """
            SELECT * FROM workflow_waits WHERE kind = 'ANSWER' <execution>
            ORDER BY since, execution_id, token_id LIMIT :limit""")
        .define("execution", execution == null ? "" : "AND execution_id = :execution")
        .bind("execution", execution)
        .bind("limit", limit)
        .list(WorkflowWaitTable::wait);
  }

  private static WorkflowWait wait(Row row) {
    Kind kind = Kind.valueOf(row.text("kind"));
    String task = row.textOrNull("task_id");
    String child = row.textOrNull("child_execution");
    String name = task != null ? task : child != null ? child : row.textOrNull("message");
    return new WorkflowWait(
        new Place(row.text("execution_id"), row.text("token_id")),
        row.text("node_id"),
        kind,
        new About(
            name, row.textOrNull("correlation"), row.instantOrNull("due_at"), row.json("question")),
        row.instant("since"));
  }
}
