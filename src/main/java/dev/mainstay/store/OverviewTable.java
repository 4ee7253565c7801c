package dev.mainstay.store;

import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionJson;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.domain.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What persons look at, over all tasks. Nothing is changed here. */
public final class OverviewTable {
  /** What a task waits for is looked at so far, and no further. */
  private static final int CAUSES_MAX = 2_000;

  private static final int ENDED_LOOKED_MAX = 2_000;

  private static final String IS_BLOCKED =
      "status = 'PENDING' AND (unmet_dependencies > 0 OR open_children > 0"
          + " OR delayed_until IS NOT NULL OR over_budget = 1)";

  private final Tx tx;

  OverviewTable(Tx tx) {
    this.tx = tx;
  }

  /** How many tasks stand how. */
  public Map<TaskStatus, Long> counts() {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    for (TaskStatus each : TaskStatus.values()) counts.put(each, 0L);
    tx.sql("SELECT status, count(*) AS tasks FROM tasks GROUP BY status")
        .each(row -> counts.put(TaskStatus.valueOf(row.text("status")), row.number("tasks")));
    return counts;
  }

  /** How many can be begun now, those among them that are for one agent alone. */
  public long readyCount() {
    return tx.sql("SELECT count(*) AS ready FROM tasks <index> WHERE <ready>")
        .define("index", tx.dialect().useIndex("tasks_ready"))
        .define("ready", ReadyTasks.IS_READY)
        .one(row -> row.number("ready"));
  }

  /** Those, the most urgent first. */
  public List<Task> ready(int limit) {
    return tx.sql(
            "SELECT * FROM tasks <index> WHERE <ready> ORDER BY priority DESC, seq LIMIT :limit")
        .define("index", tx.dialect().useIndex("tasks_ready"))
        .define("ready", ReadyTasks.IS_READY)
        .bind("limit", limit)
        .list(TaskTable::task);
  }

  /** Somebody at work: the task he holds, who he is as far as is known, and how far the run is. */
  public record Holder(Task task, @Nullable String agent, TaskState state) {
    public Lease lease() {
      return task.lease().orElseThrow();
    }
  }

  /** Who works on what, the last to begin first. */
  public List<Holder> working(int limit) {
    return tx.sql(
            """
            SELECT t.*, d.task_state, COALESCE(h.agent_profile, (
              SELECT s.agent FROM agent_sessions s WHERE s.task_id = t.id
              ORDER BY s.last_seen DESC, s.id LIMIT 1)) AS agent
            FROM (SELECT * FROM tasks WHERE lease_until IS NOT NULL
                  ORDER BY lease_since DESC, seq LIMIT :limit) t
            LEFT JOIN terminals h ON h.id = t.lease_holder
            LEFT JOIN dossiers d ON d.task_id = t.id
            ORDER BY t.lease_since DESC, t.seq""")
        .bind("limit", limit)
        .list(row -> new Holder(TaskTable.task(row), row.textOrNull("agent"), state(row)));
  }

  private TaskState state(Row row) {
    if (row.textOrNull("task_state") == null) return TaskState.NONE;
    TaskState state = TaskStateJson.read(row.json("task_state"));
    return tx.isTrusted() ? state : state.unconfirmed();
  }

  /** Tasks that nobody can begin yet, the oldest first: so the first few are found at once. */
  public List<Task> blocked(int limit) {
    return tx.sql("SELECT * FROM tasks <index> WHERE <blocked> ORDER BY seq LIMIT :limit")
        .define("index", tx.dialect().useIndex("tasks_by_status"))
        .define("blocked", IS_BLOCKED)
        .bind("limit", limit)
        .list(TaskTable::task);
  }

  /** A task that another waits for, and in which way: by a kind of dependency, or as its part. */
  public record Cause(Task task, String kind) {}

  /** What each of these waits for: others that did not end as they must, and open parts. */
  public Map<TaskId, List<Cause>> causes(Collection<TaskId> tasks) {
    Map<TaskId, List<Cause>> found = new HashMap<>();
    if (tasks.isEmpty()) return found;
    tx.sql(
            """
            SELECT o.*, d.task_id AS who, d.kind AS way
            FROM task_dependencies d JOIN tasks o ON o.id = d.depends_on
            WHERE d.task_id IN (:tasks) AND NOT <met> ORDER BY d.task_id, d.place LIMIT :limit""")
        .define("met", DependencyTable.IS_MET)
        .bind("tasks", tasks)
        .bind("limit", CAUSES_MAX)
        .each(row -> add(found, row, Dependency.Kind.valueOf(row.text("way")).typed()));
    tx.sql(
            """
            SELECT o.*, o.parent_id AS who FROM tasks o <index>
            WHERE o.parent_id IS NOT NULL AND o.parent_id IN (:tasks)
              AND o.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS')
            ORDER BY o.parent_id, o.seq LIMIT :limit""")
        .define("index", tx.dialect().useIndex("tasks_by_parent"))
        .bind("tasks", tasks)
        .bind("limit", CAUSES_MAX)
        .each(row -> add(found, row, "part"));
    return found;
  }

  /** What these wait for and what waits for them: dependencies, parts and wholes. */
  public List<TaskId> neighbours(Collection<TaskId> tasks) {
    return tx.sql(
            """
            SELECT depends_on AS id FROM task_dependencies WHERE task_id IN (:tasks)
            UNION SELECT task_id FROM task_dependencies WHERE depends_on IN (:tasks)
            UNION SELECT id FROM tasks WHERE parent_id IN (:tasks)
            UNION SELECT parent_id FROM tasks WHERE id IN (:tasks) AND parent_id IS NOT NULL
            ORDER BY 1""")
        .bind("tasks", tasks)
        .list(row -> new TaskId(row.text("id")));
  }

  private static void add(Map<TaskId, List<Cause>> found, Row row, String kind) {
    found
        .computeIfAbsent(new TaskId(row.text("who")), id -> new ArrayList<>())
        .add(new Cause(TaskTable.task(row), kind));
  }

  /**
   * Tasks that failed, the last first. Of those that ended last a few thousand are looked at; where
   * that is not enough, the youngest of all that failed follow.
   */
  public List<Task> failed(int limit) {
    List<Task> lately =
        tx.sql(
                """
                SELECT * FROM tasks WHERE id IN (
                  SELECT id FROM (SELECT id, status, updated_at, seq FROM tasks <index>
                    WHERE status IN ('COMPLETED', 'FAILED', 'CANCELLED')
                    ORDER BY updated_at DESC LIMIT :looked) AS ended
                  WHERE status = 'FAILED' ORDER BY updated_at DESC, seq DESC LIMIT :limit)
                ORDER BY updated_at DESC, seq DESC""")
            .define("index", tx.dialect().useIndex("tasks_by_end"))
            .bind("looked", ENDED_LOOKED_MAX)
            .bind("limit", limit)
            .list(TaskTable::task);
    if (lately.size() == limit) return lately;
    List<Task> all = new ArrayList<>(lately);
    tx
        .sql("SELECT * FROM tasks WHERE status = 'FAILED' ORDER BY seq DESC LIMIT :limit")
        .bind("limit", limit)
        .list(TaskTable::task)
        .stream()
        .filter(task -> lately.stream().noneMatch(known -> known.id().equals(task.id())))
        .forEach(all::add);
    return all.subList(0, Math.min(limit, all.size()));
  }

  /** What an agent that has stopped for it wants to know. */
  public record Asked(TaskId task, String text) {}

  private static final String IS_ASKED =
      """
      FROM runs r JOIN dossiers d ON d.task_id = r.task_id JOIN tasks t ON t.id = r.task_id
      WHERE r.phase = 'SUSPENDED' AND d.task_state ->> 'waiting_on' = 'question'
        AND t.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS')""";

  /** What is asked about tasks, the oldest first. */
  public List<Asked> asked(int limit) {
    return tx.sql(
            """
            SELECT r.task_id, d.task_state ->> 'waiting_for' AS text <asked>
            ORDER BY r.started_at, r.task_id LIMIT :limit""")
        .define("asked", IS_ASKED)
        .bind("limit", limit)
        .list(row -> new Asked(new TaskId(row.text("task_id")), row.text("text")));
  }

  /** How much is asked of persons, by workflows and about tasks. */
  public long questionCount() {
    return tx.sql(
            """
            SELECT (SELECT count(*) FROM workflow_waits WHERE kind = 'ANSWER')
              + (SELECT count(*) <asked>) AS questions""")
        .define("asked", IS_ASKED)
        .one(row -> row.number("questions"));
  }

  /** A workflow that was started and is held up, with what went wrong at one of its nodes. */
  public record Stuck(String execution, String title, String node, String problem, Instant since) {}

  private static final String IS_STUCK = "e.status IN ('RUNNING', 'PAUSED') AND e.incidents > 0";

  /** The incidents of executions that are not over, those that moved last first. */
  public List<Stuck> stuck(int limit) {
    List<Stuck> found = new ArrayList<>();
    tx.sql(
            """
            SELECT e.id, e.execution_data, COALESCE(e.updated_at, e.started_at) AS moved_at,
              COALESCE(NULLIF(w.description, ''), w.name) AS title
            FROM workflow_executions e <index> JOIN workflows w ON w.id = e.workflow_id
            WHERE <stuck> ORDER BY moved_at DESC, e.id LIMIT :limit""")
        .define("stuck", IS_STUCK)
        .define("index", tx.dialect().useIndex("workflow_executions_live"))
        .bind("limit", limit)
        .each(row -> found.addAll(incidents(row)));
    return found.subList(0, Math.min(limit, found.size()));
  }

  private static List<Stuck> incidents(Row row) {
    return row.json("execution_data").objects("tokens").stream()
        .filter(token -> "INCIDENT".equals(token.get("status")))
        .map(
            token ->
                new Stuck(
                    row.text("id"),
                    row.text("title"),
                    token.text("position"),
                    token.text("problem"),
                    row.instant("moved_at")))
        .toList();
  }

  public long stuckCount() {
    return tx.sql(
            """
            SELECT COALESCE(sum(e.incidents), 0) AS stuck FROM workflow_executions e <index>
            WHERE <stuck>""")
        .define("stuck", IS_STUCK)
        .define("index", tx.dialect().useIndex("workflow_executions_live"))
        .one(row -> row.number("stuck"));
  }

  /** What a person is asked to allow, with the task it is about. */
  public record Proposed(TaskId task, String title, Execution execution) {}

  /** The executions of tasks that are not over and in which something waits for a person. */
  public List<Proposed> proposals(int limit) {
    return tx.sql(
            """
            SELECT t.id, t.title, d.execution FROM dossiers d JOIN tasks t ON t.id = d.task_id
            WHERE d.execution ->> 'open_proposals' <> '[]'
              AND t.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS')
            ORDER BY t.seq LIMIT :limit""")
        .bind("limit", limit)
        .list(
            row ->
                new Proposed(
                    new TaskId(row.text("id")),
                    row.text("title"),
                    ExecutionJson.read(row.json("execution"))));
  }

  /** What a task that is not over may cost, and its title. */
  public record Limited(String title, Budget budget) {}

  /** Few budgets are in use at a time, so they come first, and their tasks after them. */
  private static final String IS_LIMITED =
      """
      FROM task_budgets b CROSS JOIN tasks t
      WHERE b.tokens_spent + b.tokens_reserved + b.cost_spent + b.cost_reserved
          + b.seconds_spent + b.seconds_reserved > 0
        AND (b.tokens_max IS NOT NULL OR b.cost_max IS NOT NULL OR b.seconds_max IS NOT NULL)
        AND t.id = b.task_id AND t.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS')""";

  /** Budgets in use of tasks that are not over; those with the least left come first. */
  public List<Limited> budgets(int limit) {
    return tx.sql(
            """
            SELECT b.*, t.title <limited>
            ORDER BY COALESCE((b.tokens_spent + b.tokens_reserved) * 1.0 / NULLIF(b.tokens_max, 0), 0)
              + COALESCE((b.cost_spent + b.cost_reserved) * 1.0 / NULLIF(b.cost_max, 0), 0)
              + COALESCE((b.seconds_spent + b.seconds_reserved) * 1.0 / NULLIF(b.seconds_max, 0), 0)
              DESC, t.seq LIMIT :limit""")
        .define("limited", IS_LIMITED)
        .bind("limit", limit)
        .list(row -> new Limited(row.text("title"), BudgetTable.budget(row)));
  }

  public long budgetCount() {
    return tx.sql("SELECT count(*) AS budgets <limited>")
        .define("limited", IS_LIMITED)
        .one(row -> row.number("budgets"));
  }
}
