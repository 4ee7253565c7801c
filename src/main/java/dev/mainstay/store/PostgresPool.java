package dev.mainstay.store;

import com.zaxxer.hikari.HikariConfig;

/** How a store connects to PostgreSQL: how often, for how long, and what holds for a session. */
final class PostgresPool {
  static final int CONNECTIONS_MAX = 16;
  private static final long CONNECT_MILLIS_MAX = 5_000;

  /** A network that is cut without a word would keep whoever waits for an answer for ever. */
  private static final String ANSWER_SECONDS_MAX = "120";

  /**
   * What writes looks rows up by their keys, so that one plan is as good as another; but one that
   * was made while a table was empty would read through all of it for ever, so none does that.
   * Whoever is cut off in the middle of a transaction keeps its locks, and the readers of the
   * journal, only so long.
   */
  private static final String SESSION =
      "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off;"
          + " SET idle_in_transaction_session_timeout = '1min'";

  private PostgresPool() {}

  /** What the address says of the connection goes before what is usual. */
  static HikariConfig config(StoreAddress.Server address) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.addDataSourceProperty("socketTimeout", ANSWER_SECONDS_MAX);
    config.addDataSourceProperty("tcpKeepAlive", "true");
    address.login().forEach((name, value) -> config.addDataSourceProperty((String) name, value));
    config.addDataSourceProperty("ApplicationName", "mainstay");
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    // As a start-up parameter: a SET inside a transaction would be undone by its rollback.
    if (address.schema() != null) config.addDataSourceProperty("currentSchema", address.schema());
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT_MILLIS_MAX);
    config.setAutoCommit(false);
    config.setPoolName("mainstay");
    config.setIsolateInternalQueries(true); // else the next line would be undone by a rollback
    config.setConnectionInitSql(SESSION);
    return config;
  }
}
