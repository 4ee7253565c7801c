package dev.mainstay.store;

import java.util.List;

/** How each database is asked for texts and lets payloads be rewritten; beside {@link Dialect}. */
final class ErasureFragments {
  private static final String FORGETTING = "forgetting";

  private ErasureFragments() {}

  /** Whether a column, which may be JSON, has a text in it. */
  static String contains(Dialect dialect, String column, String text) {
    return dialect == Dialect.SQLITE
        ? "instr(" + column + ", " + text + ") > 0"
        : "strpos(" + column + "::text, " + text + ") > 0";
  }

  /** The columns of a table that hold text or JSON. */
  static List<String> texts(Tx tx, String table) {
    return tx.sql(
            tx.dialect() == Dialect.SQLITE
                ? "SELECT name FROM pragma_table_info(:table) WHERE type = 'TEXT' ORDER BY cid"
                : """
                SELECT column_name AS name FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = :table
                  AND data_type IN ('text', 'jsonb') ORDER BY ordinal_position""")
        .bind("table", table)
        .list(row -> row.text("name"));
  }

  /** Lets payloads be rewritten, in this transaction alone. */
  static void openPayloads(Tx tx) {
    if (tx.dialect() == Dialect.SQLITE) tx.meta().set(FORGETTING, "on");
    else tx.sql("SELECT set_config('mainstay.forgetting', 'on', true)").list(row -> 0);
  }

  /** Ends what {@link #openPayloads} began. */
  static void closePayloads(Tx tx) {
    if (tx.dialect() == Dialect.SQLITE) tx.meta().remove(FORGETTING);
    else tx.sql("SELECT set_config('mainstay.forgetting', 'off', true)").list(row -> 0);
  }
}
