package dev.mainstay.store;

import java.util.List;

/** Does to a store what only an attacker or a broken disk does: changes behind its back. */
public final class Tamper {
  private static final List<String> GUARDS =
      List.of(
          "journal_keeps_its_entries", "journal_loses_no_entries", "journal_replaces_no_entries");

  private Tamper() {}

  public static void with(Store store, String sql) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          if (tx.dialect() == SqliteDialect.ONLY) return withoutGuards(tx, sql);
          tx.sql("ALTER TABLE journal DISABLE TRIGGER USER").update();
          return tx.sql(sql).update();
        });
  }

  /** A missing trigger would be a finding of its own. */
  private static int withoutGuards(Tx tx, String sql) {
    List<String> guards =
        tx.sql("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'journal'")
            .list(row -> row.text("sql"));
    for (String guard : GUARDS) tx.sql("DROP TRIGGER IF EXISTS " + guard).update();
    int changed = tx.sql(sql).update();
    for (String guard : guards) tx.sql(guard).update();
    return changed;
  }
}
