package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import java.util.List;

/** Finds what a store that came from elsewhere holds beside tasks and notes. */
public final class ForeignTable {
  private final Tx tx;

  ForeignTable(Tx tx) {
    this.tx = tx;
  }

  /** The tasks that may have binding orders; some of them have none. */
  public List<TaskId> tasksWithOrders() {
    return tx.sql(
            """
            SELECT task_id FROM dossiers
            WHERE CAST(task_state AS TEXT) LIKE '%"binding":%true%' ORDER BY task_id""")
        .list(row -> TaskId.parse(row.text("task_id")));
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
