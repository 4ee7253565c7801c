package dev.mainstay.store;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.Flow.Place;
import dev.mainstay.domain.Flow.Stamps;
import dev.mainstay.domain.Flow.Timing;
import dev.mainstay.domain.Flow.Work;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The flows of all hosts. */
public final class FlowTable {
  private final Tx tx;

  FlowTable(Tx tx) {
    this.tx = tx;
  }

  public Optional<Flow> find(String name) {
    return tx.sql("SELECT * FROM flows WHERE name = :name AND host IS NOT NULL")
        .bind("name", name)
        .first(FlowTable::flow);
  }

  public Flow get(String name) {
    return find(name).orElseThrow(() -> unknown(name));
  }

  /** The flow, kept from changing until the end of the transaction. */
  public Flow lock(String name) {
    return lockIfThere(name).orElseThrow(() -> unknown(name));
  }

  /** The same for one that may not be there. */
  public Optional<Flow> lockIfThere(String name) {
    return tx.sql("SELECT * FROM flows WHERE name = :name AND host IS NOT NULL <lock>")
        .define("lock", tx.dialect().forUpdate())
        .bind("name", name)
        .first(FlowTable::flow);
  }

  private static Refusal unknown(String name) {
    return Refusal.notFound(
        Phrase.of("there is no flow %s; 'mainstay flow list' shows those there are", name));
  }

  /** In the order of their names, from after one. */
  public List<Flow> list(String after, int limit) {
    return tx.sql(
            """
            SELECT * FROM flows WHERE name > :after AND host IS NOT NULL
            ORDER BY name LIMIT :limit""")
        .bind("after", after)
        .bind("limit", limit)
        .list(FlowTable::flow);
  }

  /**
   * Whether a flow of a host is due, or one of its runs began so long ago that whoever ran it must
   * be dead. One look that uses an index for each.
   */
  public boolean isWorkFor(String host, Instant begunBefore) {
    return tx.sql(
            """
            SELECT CASE WHEN EXISTS (
                SELECT 1 FROM flows WHERE host = :host AND enabled = 1 AND next_run <= :now)
              OR EXISTS (
                SELECT 1 FROM flow_runs r JOIN flows f ON f.name = r.flow_name
                WHERE r.status = 'RUNNING' AND r.started_at <= :before AND f.host = :host)
              THEN 1 ELSE 0 END AS work""")
        .bind("host", host)
        .bind("now", tx.now())
        .bind("before", begunBefore)
        .one(row -> row.integer("work") == 1);
  }

  /** Locks flows of a host that are due, and passes over those that somebody else just takes. */
  public List<Flow> lockDue(String host, int limit) {
    return tx.sql(
            """
            SELECT * FROM flows <index>
            WHERE host = :host AND enabled = 1 AND next_run <= :now
            ORDER BY next_run, name LIMIT :limit <lock>""")
        .define("index", tx.dialect().useIndex("flows_due"))
        .define("lock", tx.dialect().skipLocked())
        .bind("host", host)
        .bind("now", tx.now())
        .bind("limit", limit)
        .list(FlowTable::flow);
  }

  /** Keeps a flow in place of the one of its name, if there is one. */
  public void put(Flow flow) {
    tx.sql(
            """
            INSERT INTO flows (name, schedule, zone, missed, agent_profile, provider, script,
              variables, body, host, work_dir, enabled, next_run, version, created_at, updated_at)
            VALUES (:name, :schedule, :zone, :missed, :profile, :provider, :script,
              :variables, :body, :host, :work_dir, :enabled, :next_run, :version, :created_at,
              :updated_at)
            ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, zone = excluded.zone,
              missed = excluded.missed, agent_profile = excluded.agent_profile,
              provider = excluded.provider, script = excluded.script,
              variables = excluded.variables, body = excluded.body, host = excluded.host,
              work_dir = excluded.work_dir, enabled = excluded.enabled,
              next_run = excluded.next_run, version = excluded.version,
              created_at = excluded.created_at, updated_at = excluded.updated_at""")
        .bind("name", flow.name())
        .bind("schedule", flow.timing().schedule())
        .bind("zone", flow.timing().zone())
        .bind("missed", flow.timing().missed().typed())
        .bind("profile", flow.work().profile())
        .bind("provider", flow.work().provider())
        .bind("script", flow.work().script())
        .bind("variables", flow.work().variables())
        .bind("body", flow.work().body())
        .bind("host", flow.place().host())
        .bind("work_dir", flow.place().workDir())
        .bind("enabled", flow.stamps().enabled() ? 1 : 0)
        .bind("next_run", flow.stamps().nextRun())
        .bind("version", flow.stamps().version())
        .bind("created_at", flow.stamps().createdAt())
        .bind("updated_at", flow.stamps().updatedAt())
        .update();
  }

  /** Takes a flow away, and its runs with it. */
  public void delete(String name) {
    tx.sql("DELETE FROM flows WHERE name = :name").bind("name", name).update();
  }

  private static Flow flow(Row row) {
    return new Flow(
        row.text("name"),
        new Timing(row.text("schedule"), row.text("zone"), Missed.parse(row.text("missed"))),
        new Work(
            row.text("agent_profile"),
            row.textOrNull("provider"),
            row.textOrNull("script"),
            row.json("variables"),
            row.text("body")),
        new Place(row.text("host"), row.text("work_dir")),
        new Stamps(
            row.integer("enabled") == 1,
            row.instantOrNull("next_run"),
            row.number("version"),
            row.instant("created_at"),
            row.instant("updated_at")));
  }
}
