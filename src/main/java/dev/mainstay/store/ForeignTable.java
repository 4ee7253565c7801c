package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import java.util.List;

/** Finds what a store that came from elsewhere holds beside tasks and notes. */
public final class ForeignTable {
  private final Tx tx;

  ForeignTable(Tx tx) {
    this.tx = tx;
  }

  /** All tasks with a state: what it says is read, as a search of its text can be evaded. */
  public List<TaskId> tasks() {
    return tx.sql("SELECT task_id FROM dossiers ORDER BY task_id")
        .list(row -> TaskId.parse(row.text("task_id")));
  }

  /** The delegations that wait for an agent or have one, as task and profile. */
  public List<String> delegations() {
    return tx.sql(
            """
            SELECT task_id, agent_profile FROM delegations
            WHERE status IN ('WAITING', 'GIVEN') ORDER BY task_id""")
        .list(row -> row.text("task_id") + " for " + row.text("agent_profile"));
  }

  /** The folders whose five files are kept in step. */
  public List<String> stateDirectories() {
    return tx.sql("SELECT folder FROM state_directories ORDER BY folder")
        .list(row -> row.text("folder"));
  }

  /**
   * Ends delegations, lets go of folders, and forgets windows of terminals and sessions' orders.
   */
  public void detach() {
    tx.sql("DELETE FROM delegations WHERE status IN ('WAITING', 'GIVEN')").update();
    tx.sql("DELETE FROM state_directories").update();
    tx.sql("UPDATE terminals SET status = 'GONE' WHERE status IS NOT NULL").update();
    tx.sql("UPDATE agent_sessions SET repeat_fuse = :none").bind("none", JsonObject.EMPTY).update();
  }

  /**
   * The names of triggers and views of a SQLite store that are not Mainstay's own; none of a
   * database that others may use as well.
   */
  public List<String> programs() {
    if (tx.dialect() != SqliteDialect.ONLY) return List.of();
    return tx
        .sql("SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name")
        .list(row -> List.of(row.text("name"), row.text("sql")))
        .stream()
        .filter(made -> !Migrations.makes(tx.dialect(), made.get(1)))
        .map(made -> made.get(0))
        .toList();
  }

  /** Removes what {@link #programs} found. */
  public void dropPrograms() {
    for (String name : programs()) {
      String quoted = "\"" + name.replace("\"", "\"\"") + "\"";
      boolean isView =
          tx.sql("SELECT type FROM sqlite_schema WHERE name = :name")
              .bind("name", name)
              .one(row -> row.text("type"))
              .equals("view");
      tx.sql("DROP <kind> <name>")
          .define("kind", isView ? "VIEW" : "TRIGGER")
          .define("name", quoted)
          .update();
    }
  }
}
