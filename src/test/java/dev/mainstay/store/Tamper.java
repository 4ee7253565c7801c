package dev.mainstay.store;

/** Does to a store what only an attacker or a broken disk does: changes behind its back. */
public final class Tamper {
  private Tamper() {}

  public static void with(Store store, String sql) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          if (tx.dialect() == SqliteDialect.ONLY) {
            tx.sql("DROP TRIGGER IF EXISTS journal_keeps_its_entries").update();
            tx.sql("DROP TRIGGER IF EXISTS journal_loses_no_entries").update();
            tx.sql("DROP TRIGGER IF EXISTS journal_replaces_no_entries").update();
          } else {
            tx.sql("ALTER TABLE journal DISABLE TRIGGER USER").update();
          }
          return tx.sql(sql).update();
        });
  }
}
