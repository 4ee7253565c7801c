package dev.mainstay.store;

import static java.util.stream.Collectors.toSet;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Stamps;
import dev.mainstay.domain.WorkflowExecution.Standing;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.store.JournalTable.Head;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workflows that were started, as they stand. */
public final class WorkflowExecutionTable {
  private final Tx tx;

  WorkflowExecutionTable(Tx tx) {
    this.tx = tx;
  }

  /**
   * An execution that nobody else can change until the transaction ends.
   *
   * @param held what happened while it was paused
   * @param waits what it waits for
   */
  public record Locked(
      WorkflowExecution execution, List<JsonObject> held, List<WorkflowWait> waits) {}

  /** Nobody else knows of a new one yet, so that its stream is known to be empty. */
  public void announce(String id) {
    tx.heads().put(WorkflowExecution.stream(id), Head.NONE);
  }

  /** Keeps a new one that was announced. */
  public void insert(WorkflowExecution made) {
    Caller caller = made.home().caller();
    bound(
            tx.sql(
                """
                INSERT INTO workflow_executions (id, workflow_id, session_name, status,
                  current_node_id, execution_data, error_message, version, started_at, updated_at,
                  completed_at, host, work_dir, parent_execution, parent_token, started_by,
                  incidents)
                VALUES (:id, :workflow, :session, :status, :node, :data, :error, :version,
                  :started_at, :now, :completed_at, :host, :folder, :parent, :token, :by,
                  :incidents)"""),
            made)
        .bind("session", made.home().session())
        .bind("started_at", made.stamps().startedAt())
        .bind("host", made.home().host())
        .bind("folder", made.home().folder())
        .bind("parent", caller == null ? null : caller.execution())
        .bind("token", caller == null ? null : caller.token())
        .bind("by", made.stamps().startedBy())
        .later();
  }

  /** Writes down how a locked one stands now, and what happened while it was paused. */
  public void update(WorkflowExecution after, List<JsonObject> held) {
    bound(
            tx.sql(
                """
                UPDATE workflow_executions SET workflow_id = :workflow, status = :status,
                  current_node_id = :node, execution_data = :data, error_message = :error,
                  version = :version, updated_at = :now, completed_at = :completed_at,
                  incidents = :incidents, held = :held
                WHERE id = :id"""),
            after)
        .bind("held", held.isEmpty() ? null : new JsonValue(held))
        .later();
  }

  /** Makes tokens and variables of one that is there what its stream says; false if it is not. */
  public boolean restore(ExecutionReplay replayed) {
    return tx.sql(
                """
                UPDATE workflow_executions SET workflow_id = :workflow, status = :status,
                  execution_data = :data
                WHERE id = :id""")
            .bind("workflow", replayed.workflow())
            .bind("status", replayed.status())
            .bind("data", replayed.data())
            .bind("id", replayed.id())
            .update()
        > 0;
  }

  private Sql bound(Sql sql, WorkflowExecution execution) {
    Standing standing = execution.standing();
    long incidents =
        standing.data().objects("tokens").stream()
            .filter(token -> "INCIDENT".equals(token.get("status")))
            .count();
    return sql.bind("id", execution.id())
        .bind("workflow", execution.workflow())
        .bind("status", standing.status())
        .bind("node", standing.node())
        .bind("data", standing.data())
        .bind("error", standing.error())
        .bind("version", standing.version())
        .bind("now", tx.now())
        .bind("completed_at", execution.stamps().completedAt())
        .bind("incidents", incidents)
        .about(name(execution.id()));
  }

  /** What changes of an execution's row are about. */
  static String name(String id) {
    return "execution " + id;
  }

  public Optional<WorkflowExecution> find(String id) {
    return tx.sql("SELECT * FROM workflow_executions WHERE id = :id")
        .bind("id", id)
        .first(WorkflowExecutionTable::execution);
  }

  public WorkflowExecution get(String id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  private static Refusal unknown(String id) {
    return Refusal.notFound(
        Phrase.of(
            "there is no execution %s; 'mainstay workflow executions' shows those there are", id));
  }

  /**
   * Locks several, in the order of their ids, and reads what they wait for, all in one go; what is
   * read is as of after the locks.
   */
  public List<Locked> lockAll(List<String> ids) {
    if (ids.isEmpty()) return List.of();
    List<Locked> found = locked(ids, tx.dialect().forUpdate());
    Set<String> known = found.stream().map(each -> each.execution().id()).collect(toSet());
    for (String id : ids) if (!known.contains(id)) throw unknown(id);
    return found;
  }

  /** The same for one that nobody else has at the moment; never waits. */
  public Optional<Locked> lockIfFree(String id) {
    return locked(List.of(id), tx.dialect().skipLocked()).stream().findFirst();
  }

  private List<Locked> locked(List<String> ids, String lock) {
    Map<String, Locked> found = new LinkedHashMap<>();
    Map<String, Head> heads = new HashMap<>();
    tx.sql("SELECT * FROM workflow_executions WHERE id IN (:ids) ORDER BY id <lock>")
        .define("lock", lock)
        .bind("ids", ids)
        .later(
            row ->
                found.put(
                    row.text("id"), new Locked(execution(row), held(row), new ArrayList<>())));
    List<WorkflowWait> waits = new ArrayList<>();
    tx.workflowWaits().soon(ids, waits::add);
    tx.sql(
            """
            SELECT id, (SELECT number || ' ' || hash FROM journal
              WHERE stream = 'execution/' || workflow_executions.id
              ORDER BY number DESC LIMIT 1) AS head, <time> AS time
            FROM workflow_executions WHERE id IN (:ids)""")
        .define("time", tx.dialect().transactionTime())
        .bind("ids", ids)
        .later(
            row -> {
              heads.put(row.text("id"), Head.parse(row.textOrNull("head")));
              if (row.textOrNull("time") != null) tx.tellsTime(row.instant("time"));
            });
    tx.finish();
    for (WorkflowWait wait : waits) {
      Locked of = found.get(wait.execution());
      if (of != null) of.waits().add(wait);
    }
    // Of one that could not be locked somebody else may be moving the stream.
    found.keySet().forEach(id -> tx.heads().put(WorkflowExecution.stream(id), heads.get(id)));
    return List.copyOf(found.values());
  }

  /** Where it was called from, the outermost first, and itself last. */
  public List<String> chain(String id) {
    return tx.sql(
            """
            WITH RECURSIVE up (id, parent, depth) AS (
              SELECT id, parent_execution, 0 FROM workflow_executions WHERE id = :id
              UNION ALL
              SELECT e.id, e.parent_execution, up.depth + 1
              FROM up JOIN workflow_executions e ON e.id = up.parent)
            SELECT id FROM up ORDER BY depth DESC""")
        .bind("id", id)
        .list(row -> row.text("id"));
  }

  /** Newest first, those before one; of one workflow's name and in one status, if named. */
  public List<WorkflowExecution> list(
      @Nullable String workflow,
      @Nullable Status status,
      @Nullable WorkflowExecution before,
      int limit) {
    StringBuilder where = new StringBuilder("WHERE 1 = 1");
    if (workflow != null) {
      where.append(" AND workflow_id IN (SELECT id FROM workflows WHERE name = :workflow)");
    }
    if (status != null) where.append(" AND status = :status");
    if (before != null) where.append(" AND (started_at, id) < (:started_at, :id)");
    return tx.sql(
            "SELECT * FROM workflow_executions "
                + where
                + " ORDER BY started_at DESC, id DESC LIMIT :limit")
        .bind("workflow", workflow)
        .bind("status", status)
        .bind("started_at", before == null ? null : before.stamps().startedAt())
        .bind("id", before == null ? null : before.id())
        .bind("limit", limit)
        .list(WorkflowExecutionTable::execution);
  }

  private static List<JsonObject> held(Row row) {
    return JsonObject.of("held", row.jsonList("held")).objects("held");
  }

  private static WorkflowExecution execution(Row row) {
    String caller = row.textOrNull("parent_execution");
    return new WorkflowExecution(
        row.text("id"),
        row.text("workflow_id"),
        new Home(
            row.text("session_name"),
            row.text("host"),
            row.text("work_dir"),
            caller == null ? null : new Caller(caller, row.text("parent_token"))),
        new Standing(
            Status.valueOf(row.text("status")),
            row.textOrNull("current_node_id"),
            row.json("execution_data"),
            row.textOrNull("error_message"),
            row.number("version")),
        new Stamps(
            row.text("started_by"), row.instant("started_at"), row.instantOrNull("completed_at")));
  }
}
