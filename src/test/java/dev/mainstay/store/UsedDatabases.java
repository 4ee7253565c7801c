package dev.mainstay.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Databases of a PostgreSQL server that one test after the other uses: making all tables anew takes
 * as long as many tests. One that is given back is emptied; one that somebody is still connected
 * to, or whose tables are not what they were, is not used again.
 */
final class UsedDatabases {
  private static final String SHAPE =
      """
      SELECT coalesce(md5(string_agg(t.relname || a.attname || a.atttypid || a.attnotnull, ','
        ORDER BY t.relname, a.attname)), '') || ' ' || (SELECT max(version) FROM schema_version)
      FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'i') AND a.attnum > 0""";

  private final int port;
  private final Deque<String> free = new ArrayDeque<>();
  private final Map<String, String> shapes = new HashMap<>();

  UsedDatabases(int port) {
    this.port = port;
  }

  /** One with all tables and nothing in them, for the caller alone. */
  synchronized StoreAddress take() {
    String name = free.poll();
    return address(name == null ? made() : name);
  }

  private String made() {
    String name = "used_" + UUID.randomUUID().toString().replace('-', '_');
    run("postgres", statement -> statement.execute("CREATE DATABASE " + name));
    Store.open(address(name), StoreSettings.DEFAULT).close();
    run(name, statement -> shapes.put(name, text(statement, SHAPE)));
    return name;
  }

  private StoreAddress address(String name) {
    return StoreAddress.parse(
        "postgresql://postgres@localhost:" + port + "/" + name + "?sslmode=disable");
  }

  /** The test is over; an address of another kind is nobody's business here. */
  synchronized void giveBack(StoreAddress used) {
    String url = used instanceof StoreAddress.Server server ? server.jdbcUrl() : "";
    for (String name : shapes.keySet()) {
      if (!url.contains("/" + name)) continue;
      run("postgres", statement -> giveBack(statement, name));
      return;
    }
  }

  private void giveBack(Statement statement, String name) throws SQLException {
    String connected =
        text(statement, "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + name + "'");
    if (!connected.equals("0")) return;
    boolean[] same = {false};
    run(
        name,
        own -> {
          same[0] = text(own, SHAPE).equals(shapes.get(name));
          if (same[0]) empty(own);
        });
    if (same[0]) free.add(name);
  }

  private static void empty(Statement statement) throws SQLException {
    statement.execute("SET session_replication_role = replica"); // neither triggers nor references
    List<String> clean = new ArrayList<>();
    String tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
    for (String table : texts(statement, tables)) {
      if (!table.equals("schema_version")) clean.add("DELETE FROM " + table);
    }
    String sequences = "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'";
    for (String each : texts(statement, sequences))
      clean.add("ALTER SEQUENCE " + each + " RESTART");
    clean.add("ALTER TABLE journal ENABLE TRIGGER USER");
    clean.add(
        "INSERT INTO store_meta (name, value) VALUES ('epoch', left(md5(random()::text), 8))");
    statement.execute(String.join("; ", clean));
  }

  private interface Step {
    void run(Statement statement) throws SQLException;
  }

  private void run(String database, Step step) {
    String url = "jdbc:postgresql://localhost:" + port + "/" + database + "?user=postgres";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      step.run(statement);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private static String text(Statement statement, String query) throws SQLException {
    return texts(statement, query).get(0);
  }

  private static List<String> texts(Statement statement, String query) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) found.add(rows.getString(1));
    }
    return found;
  }
}
