package dev.mainstay.store;

/** Terminals, and workers that are none. */
public final class TerminalTable {
  private final Tx tx;

  TerminalTable(Tx tx) {
    this.tx = tx;
  }

  /** A worker that is no terminal gets a row of its own when it is first seen. */
  public void ensureExternal(String id) {
    tx.sql(
            """
            INSERT INTO terminals (id, provider, created_at) VALUES (:id, 'external', :now)
            ON CONFLICT (id) DO NOTHING""")
        .bind("id", id)
        .bind("now", tx.now())
        .update();
  }
}
