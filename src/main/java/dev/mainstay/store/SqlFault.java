package dev.mainstay.store;

import java.sql.SQLException;

/** A database's own error on its way to {@link Faults}, which decides what it means. */
final class SqlFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SQLException sql;

  SqlFault(SQLException sql) {
    super(sql);
    this.sql = sql;
  }

  SQLException sql() {
    return sql;
  }
}
