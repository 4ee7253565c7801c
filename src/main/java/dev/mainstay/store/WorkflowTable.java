package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The versions of workflows, with their nodes and edges. A version is never changed. */
public final class WorkflowTable {
  private static final String ID_HEAD = "WF-";
  private static final int ID_DIGITS_MIN = 3;

  private final Tx tx;

  WorkflowTable(Tx tx) {
    this.tx = tx;
  }

  public void mustExist(String id) {
    tx.sql("SELECT id FROM workflows WHERE id = :id")
        .bind("id", id)
        .first(row -> row.text("id"))
        .orElseThrow(
            () -> Refusal.notFound("there is no workflow " + id + "; leave --workflow out"));
  }

  /**
   * What a version was taken from.
   *
   * @param text the file, if there was one
   * @param hash of all that is in it
   * @param config what else is known about it
   */
  public record Source(@Nullable String text, String hash, JsonObject config) {}

  /** A node as it is kept; the position is empty for one that was not drawn. */
  public record NodeRow(String id, JsonObject data, JsonObject position) {}

  /** An edge as it is kept. */
  public record EdgeRow(String id, String source, String target, JsonObject data) {}

  /** Lets nobody else take in a workflow until the transaction ends. */
  public void lockAll() {
    tx.dialect().lockAlone(tx, Dialect.WORKFLOWS_LOCK);
  }

  /** The id of the next version of any workflow; only for whoever has locked all. */
  public String nextId() {
    long last =
        tx.sql(
                """
                SELECT coalesce(max(CAST(substr(id, 4) AS bigint)), 0) AS last FROM workflows
                WHERE id LIKE 'WF-%' AND version >= 1 AND created_at IS NOT NULL""")
            .one(row -> row.number("last"));
    String digits = Long.toString(last + 1);
    return ID_HEAD + "0".repeat(Math.max(0, ID_DIGITS_MIN - digits.length())) + digits;
  }

  public void insert(Workflow workflow, Source source) {
    tx.sql(
            """
            INSERT INTO workflows (id, name, description, config, version, source, content_hash,
              created_at)
            VALUES (:id, :name, :title, :config, :version, :source, :hash, :created_at)""")
        .bind("id", workflow.id())
        .bind("name", workflow.name())
        .bind("title", workflow.title())
        .bind("config", source.config())
        .bind("version", workflow.version())
        .bind("source", source.text())
        .bind("hash", source.hash())
        .bind("created_at", workflow.createdAt())
        .update();
  }

  /** Keeps the nodes and edges of a version in their order. */
  public void insert(String workflow, List<NodeRow> nodes, List<EdgeRow> edges) {
    Sql rows =
        tx.sql(
            """
            INSERT INTO workflow_nodes (id, workflow_id, node_data, position, place)
            VALUES (:id, :workflow, :data, :position, :place)""");
    for (int i = 0; i < nodes.size(); i++) {
      NodeRow node = nodes.get(i);
      rows.bind("id", node.id())
          .bind("workflow", workflow)
          .bind("data", node.data())
          .bind("position", node.position().isEmpty() ? null : node.position())
          .bind("place", i)
          .addRow();
    }
    rows.updateBatch();
    rows =
        tx.sql(
            """
            INSERT INTO workflow_edges (id, workflow_id, source, target, edge_data, place)
            VALUES (:id, :workflow, :source, :target, :data, :place)""");
    for (int i = 0; i < edges.size(); i++) {
      EdgeRow edge = edges.get(i);
      rows.bind("id", edge.id())
          .bind("workflow", workflow)
          .bind("source", edge.source())
          .bind("target", edge.target())
          .bind("data", edge.data())
          .bind("place", i)
          .addRow();
    }
    rows.updateBatch();
  }

  public List<NodeRow> nodes(String workflow) {
    return tx.sql("SELECT * FROM workflow_nodes WHERE workflow_id = :workflow ORDER BY place, id")
        .bind("workflow", workflow)
        .list(row -> new NodeRow(row.text("id"), row.json("node_data"), row.json("position")));
  }

  public List<EdgeRow> edges(String workflow) {
    return tx.sql("SELECT * FROM workflow_edges WHERE workflow_id = :workflow ORDER BY place, id")
        .bind("workflow", workflow)
        .list(
            row ->
                new EdgeRow(
                    row.text("id"), row.text("source"), row.text("target"), row.json("edge_data")));
  }

  public Optional<Workflow> find(String id) {
    return select("id = :id").bind("id", id).first(WorkflowTable::workflow);
  }

  public Workflow get(String id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  public Optional<Workflow> newest(String name) {
    return select("name = :name ORDER BY version DESC LIMIT 1")
        .bind("name", name)
        .first(
            row -> {
              if (row.textOrNull("time") != null) tx.tellsTime(row.instant("time"));
              return workflow(row);
            });
  }

  public Optional<Workflow> version(String name, long version) {
    return select("name = :name AND version = :version")
        .bind("name", name)
        .bind("version", version)
        .first(WorkflowTable::workflow);
  }

  public static Refusal unknown(String which) {
    return Refusal.notFound(
        Phrase.of(
            "there is no workflow %s; 'mainstay workflow list' shows those there are", which));
  }

  /** What a version was taken from. */
  public Source source(String id) {
    return tx.sql("SELECT source, content_hash, config FROM workflows WHERE id = :id")
        .bind("id", id)
        .first(
            row ->
                new Source(
                    row.textOrNull("source"),
                    String.valueOf(row.textOrNull("content_hash")),
                    row.json("config")))
        .orElseThrow(() -> unknown(id));
  }

  /** A workflow's newest version, and how many executions of all versions are under way. */
  public record Counted(Workflow workflow, long live) {}

  /** The newest version of each in the order of their names, from after one. */
  public List<Counted> newestAfter(String after, int limit) {
    return tx.sql(
            """
            SELECT w.*, (
              SELECT count(*) FROM workflow_executions e JOIN workflows v ON v.id = e.workflow_id
              WHERE v.name = w.name AND e.status IN ('RUNNING', 'PAUSED')) AS live
            FROM workflows w WHERE w.name > :after AND w.created_at IS NOT NULL
              AND w.version = (SELECT max(version) FROM workflows n WHERE n.name = w.name)
            ORDER BY w.name LIMIT :limit""")
        .bind("after", after)
        .bind("limit", limit)
        .list(row -> new Counted(workflow(row), row.number("live")));
  }

  /**
   * Notes which workflow a session works by. Nothing is written, and nobody waits, when that is
   * known already.
   */
  public void linkSession(String session, String workflow) {
    tx.sql(
            """
            INSERT INTO session_workflows (session_name, workflow_id)
            SELECT :session, id FROM workflows WHERE id = :workflow AND NOT EXISTS (
              SELECT 1 FROM session_workflows
              WHERE session_name = :session AND workflow_id = :workflow)
            ON CONFLICT (session_name) DO UPDATE SET workflow_id = excluded.workflow_id""")
        .bind("session", session)
        .bind("workflow", workflow)
        .about("session " + session)
        .later();
  }

  /** The workflow a session works by. */
  public Optional<String> ofSession(String session) {
    return tx.sql("SELECT workflow_id FROM session_workflows WHERE session_name = :session")
        .bind("session", session)
        .first(row -> row.text("workflow_id"));
  }

  private Sql select(String condition) {
    return tx.sql(
            "SELECT *, <time> AS time FROM workflows WHERE created_at IS NOT NULL AND " + condition)
        .define("time", tx.dialect().transactionTime());
  }

  private static Workflow workflow(Row row) {
    String title = row.textOrNull("description");
    Instant created = row.instant("created_at");
    return new Workflow(
        row.text("id"),
        row.text("name"),
        row.number("version"),
        title == null ? "" : title,
        created);
  }
}
