package dev.mainstay.store;

import dev.mainstay.Pause;
import java.util.ArrayList;
import java.util.List;

/** Looks at and fills tables that no use case of a test's own room writes; triggers stay. */
public final class Raw {
  private Raw() {}

  public static int run(Store store, String sql) {
    return store.inTransaction(Once.unkeyed(), tx -> tx.sql(sql).update());
  }

  public static List<String> texts(Store store, String sql, String column) {
    return store.reading(tx -> tx.sql(sql).list(row -> String.valueOf(row.textOrNull(column))));
  }

  /** Runs a change and begins something else, which must wait for it, before it is kept. */
  public static void keptOnceAwaited(Store store, String sql, Runnable other) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.sql(sql).update();
          other.run();
          while (!isAwaited(tx)) Pause.briefly();
          return true;
        });
  }

  /** Keeps a table to itself, begins something that must wait for it, and cuts that off there. */
  public static void cutOffOnceAwaited(Store store, String table, Runnable other) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.sql("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE").update();
          other.run();
          while (!isAwaited(tx)) Pause.briefly();
          return tx.sql(
                  """
                  SELECT count(pg_terminate_backend(pid)) AS n FROM pg_locks
                  WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))""")
              .one(row -> row.number("n"));
        });
  }

  private static boolean isAwaited(Tx tx) {
    return tx.sql(
            """
            SELECT count(*) AS n FROM pg_locks
            WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))""")
        .one(row -> row.number("n") > 0);
  }

  /** How often PostgreSQL looked through a table or its indexes in this transaction so far. */
  public static long scans(Tx tx, String table) {
    return tx.sql(
            """
            SELECT seq_scan + idx_scan AS n FROM pg_stat_xact_user_tables
            WHERE schemaname = current_schema() AND relname = :table""")
        .bind("table", table)
        .one(row -> row.number("n"));
  }

  /** Every row of every table. */
  public static List<String> dump(Store store) {
    return store.reading(
        tx -> {
          List<String> lines = new ArrayList<>();
          List<String> tables = new ArrayList<>(TableCopy.TABLES.keySet());
          tables.add("store_meta");
          for (String table : tables) {
            List<String> columns = tx.dialect().columns(tx, table);
            tx.sql("SELECT * FROM " + table)
                .each(
                    row ->
                        lines.add(
                            table
                                + columns.stream().map(c -> c + "=" + row.textOrNull(c)).toList()));
          }
          lines.sort(null);
          return lines;
        });
  }
}
