package dev.mainstay.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the tables of a store in PostgreSQL, or brings them up to date, once for all processes. */
final class PostgresSchema {
  private final StoreAddress.Server address;
  private final Connection connection;
  private final Tx tx;

  PostgresSchema(StoreAddress.Server address, Connection connection, Tx tx) {
    this.address = address;
    this.connection = connection;
    this.tx = tx;
  }

  void bringUpToDate() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      connection.setNetworkTimeout(Runnable::run, 0); // a migration takes as long as it takes
      if (!Migrations.needed(version(), address.shown())) return;
      connection.commit();
      // One process at a time, from the schema on; the others find the work done.
      statement.execute("SELECT pg_advisory_xact_lock(" + Dialect.MIGRATION_LOCK + ")");
      if (address.schema() != null && !hasSchema(address.schema())) {
        statement.execute("CREATE SCHEMA " + address.schema());
      }
      for (int next = version() + 1; next <= Migrations.NEWEST; next++) {
        Migrations.apply(connection, PostgresDialect.ONLY, next);
        if (next == 1) tx.meta().newEpoch();
      }
      connection.commit();
    }
  }

  /** Asked first: making a schema needs a right that using one does not. */
  private boolean hasSchema(String schema) {
    return tx.sql("SELECT 1 AS one FROM pg_namespace WHERE nspname = :schema")
        .bind("schema", schema)
        .first(row -> row.number("one"))
        .isPresent();
  }

  /** Not by to_regclass, which may remember that the table was not there before a lock was had. */
  private int version() {
    boolean made =
        tx.sql(
                """
                SELECT 1 AS one FROM pg_class
                WHERE relname = 'schema_version' AND pg_table_is_visible(oid)""")
            .first(row -> row.number("one"))
            .isPresent();
    if (!made) return 0;
    return tx.sql("SELECT version FROM schema_version").one(row -> row.integer("version"));
  }
}
