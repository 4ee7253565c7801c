package dev.mainstay.store;

import dev.mainstay.domain.Position;
import dev.mainstay.domain.Times;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the two databases truly differ: a handful of fragments, instants, and JSON. */
public enum Dialect {
  /** One writer at a time, so nothing needs a row lock. */
  SQLITE("sqlite") {
    @Override
    String forUpdate() {
      return "";
    }

    @Override
    String forShare() {
      return "";
    }

    @Override
    void lockAlone(Tx tx, long what) {} // the one writer is alone already

    @Override
    void lockContents(Tx tx) {} // the one writer is alone already

    @Override
    void openJournal(Tx tx) {
      tx.meta().set(RETENTION, "on"); // what the trigger looks for
    }

    @Override
    void closeJournal(Tx tx) {
      tx.meta().remove(RETENTION);
    }

    @Override
    boolean tryElect(Tx tx, String role) {
      return true; // the one writer is alone already
    }

    @Override
    String nextTaskNumber() {
      return "UPDATE counters SET value = value + 1 WHERE name = 'task' RETURNING value AS number";
    }

    @Override
    String feedPlace() {
      return "seq"; // one writer: entries become visible in the order of their numbers
    }

    @Override
    String feedAfter() {
      return "seq > :seq";
    }

    @Override
    String feedBetween() {
      return "seq > :from_seq AND seq <= :to_seq";
    }

    @Override
    Position position(Row row, String epoch) {
      return new Position(epoch, 0, row.number("seq"));
    }

    @Override
    String feedEnd() {
      return "SELECT 0 AS xid, coalesce(max(seq), 0) AS seq FROM journal";
    }

    @Override
    String columnsOf() {
      return "SELECT name FROM pragma_table_info(:table) ORDER BY cid";
    }

    /** Keys that count by themselves need nothing: SQLite remembers the highest one given. */
    @Override
    void resetCounters(Tx tx) {
      tx.sql(
              """
              UPDATE counters SET value = (SELECT coalesce(max(number), 0) FROM (<numbers>) given)
              WHERE name = 'task'""")
          .define("numbers", NUMBERS_GIVEN)
          .update();
    }

    @Override
    List<String> integrityProblems(Tx tx) {
      List<String> problems = new ArrayList<>();
      try {
        tx.sql("PRAGMA integrity_check(20)").each(row -> problems.add(row.text("integrity_check")));
        problems.remove("ok");
        tx.sql("PRAGMA foreign_key_check")
            .each(
                row ->
                    problems.add(
                        "a row of "
                            + row.text("table")
                            + " refers to a missing row of "
                            + row.text("parent")));
      } catch (SqlFault fault) { // a table's own description may be what is damaged
        problems.add("it cannot be checked: " + fault.sql().getMessage());
      }
      return problems;
    }

    @Override
    void set(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
      if (value instanceof Instant instant) statement.setString(place, Times.write(instant));
      else if (Binding.isJson(value)) statement.setString(place, Binding.json(value));
      else Binding.setPlain(statement, place, value);
    }

    @Override
    @Nullable Instant instant(ResultSet result, int column) throws SQLException {
      String text = result.getString(column);
      return text == null ? null : Times.read(text);
    }
  },

  POSTGRESQL("postgresql") {
    @Override
    String forUpdate() {
      return "FOR UPDATE";
    }

    @Override
    String forShare() {
      return "FOR SHARE"; // KEY SHARE, as a foreign key takes it, does not hold off a status change
    }

    @Override
    void lockAlone(Tx tx, long what) {
      tx.sql("SELECT pg_advisory_xact_lock(:what)").bind("what", what).list(row -> 0);
    }

    /** Waits for those who have just found a text there and are about to show it. */
    @Override
    void lockContents(Tx tx) {
      tx.sql("LOCK TABLE artifact_contents IN SHARE ROW EXCLUSIVE MODE").update();
    }

    @Override
    void openJournal(Tx tx) {
      tx.sql("SELECT set_config('mainstay.retention', 'on', true)").list(row -> 0);
    }

    @Override
    void closeJournal(Tx tx) {
      tx.sql("SELECT set_config('mainstay.retention', 'off', true)").list(row -> 0);
    }

    /** Such locks are shared by a whole database, so the schema is part of the number. */
    @Override
    boolean tryElect(Tx tx, String role) {
      return tx.sql(
              """
              SELECT CASE WHEN pg_try_advisory_xact_lock(
                hashtextextended(current_schema() || '/' || :role, 0)) THEN 1 ELSE 0 END AS elected""")
          .bind("role", role)
          .one(row -> row.integer("elected") == 1);
    }

    @Override
    String nextTaskNumber() {
      return "SELECT nextval('task_numbers') AS number"; // a counter row would queue all creators
    }

    @Override
    String feedPlace() {
      return "xid, seq";
    }

    /** Sequences are handed out before commit: only below the oldest running one is all settled. */
    @Override
    String feedAfter() {
      return "(xid, seq) > (:xid::text::xid8, :seq) AND xid < pg_snapshot_xmin(pg_current_snapshot())";
    }

    @Override
    String feedBetween() {
      return "(xid, seq) > (:from_xid::text::xid8, :from_seq) AND (xid, seq) <= (:to_xid::text::xid8, :to_seq)";
    }

    @Override
    Position position(Row row, String epoch) {
      return new Position(epoch, Long.parseUnsignedLong(row.text("xid")), row.number("seq"));
    }

    /** Everything below the oldest running transaction; its own entries come after. */
    @Override
    String feedEnd() {
      return "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid, 0 AS seq";
    }

    @Override
    String columnsOf() {
      return """
          SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = :table ORDER BY ordinal_position""";
    }

    @Override
    void resetCounters(Tx tx) {
      tx.sql(
              "SELECT setval('task_numbers', coalesce(max(number), 0) + 1, false) FROM (<numbers>) given")
          .define("numbers", NUMBERS_GIVEN)
          .list(row -> 0);
      for (String counted :
          List.of(
              "journal.seq",
              "inbox.id",
              "task_assignments.id",
              "task_artifacts.id",
              "observations.id",
              "workflow_messages.id")) {
        String table = counted.substring(0, counted.indexOf('.'));
        String column = counted.substring(counted.indexOf('.') + 1);
        tx.sql(
                "SELECT setval(pg_get_serial_sequence('<table>', '<column>'), coalesce(max(<column>), 0) + 1, false) FROM <table>")
            .define("table", table)
            .define("column", column)
            .list(row -> 0);
      }
    }

    /**
     * PostgreSQL checks its constraints always and its pages when it was made with checksums. But
     * entries that were moved here by other means than ours keep the transaction numbers of another
     * server, and a feed would wait for them for ever.
     */
    @Override
    List<String> integrityProblems(Tx tx) {
      boolean ahead =
          tx.sql(
                  """
                  SELECT seq FROM journal WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())
                  ORDER BY xid DESC LIMIT 1""")
              .first(row -> row.number("seq"))
              .isPresent();
      if (!ahead) return List.of();
      return List.of(
          "entries are numbered by another server's transactions; move a store by 'mainstay backup' and 'mainstay restore'");
    }

    @Override
    void set(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
      if (value instanceof Instant instant) {
        statement.setObject(place, instant.atOffset(ZoneOffset.UTC));
      } else if (Binding.isJson(value)) {
        statement.setObject(place, Binding.json(value), Types.OTHER);
      } else if (value instanceof Column column) {
        column.set(statement, place);
      } else {
        Binding.setPlain(statement, place, value);
      }
    }

    @Override
    @Nullable Instant instant(ResultSet result, int column) throws SQLException {
      OffsetDateTime time = result.getObject(column, OffsetDateTime.class);
      return time == null ? null : time.toInstant();
    }
  };

  /** Advisory locks are numbers shared by a whole database; these are ours. */
  static final long EDGES_LOCK = 0x4d41494e_00000001L;

  static final long MIGRATION_LOCK = 0x4d41494e_00000002L;

  static final long SESSIONS_LOCK = 0x4d41494e_00000003L;

  /** Who starts another terminal, as long as there is room. */
  static final long SEATS_LOCK = 0x4d41494e_00000004L;

  /** Who takes in a workflow, as versions are counted. */
  static final long WORKFLOWS_LOCK = 0x4d41494e_00000005L;

  /** The mark under which SQLite lets entries leave the journal. */
  private static final String RETENTION = "retention";

  /** Task numbers that were given, to tasks that are here and to those that were archived. */
  private static final String NUMBERS_GIVEN =
      """
      SELECT max(seq) AS number FROM tasks
      UNION ALL
      SELECT max(CAST(substr(stream, 8) AS bigint)) AS number
      FROM archived_streams WHERE stream LIKE 'task/T-%'""";

  private final String folder;

  Dialect(String folder) {
    this.folder = folder;
  }

  /** Where this dialect's migrations are. */
  String folder() {
    return folder;
  }

  /** Locks the rows read and passes over those that another transaction has. */
  String skipLocked() {
    return this == SQLITE ? "" : "FOR UPDATE SKIP LOCKED"; // SQLite has one writer at a time
  }

  /** Without statistics SQLite prefers an index that it must sort afterwards. */
  String useIndex(String name) {
    return this == SQLITE ? "INDEXED BY " + name : "";
  }

  /** The time of a transaction, for whoever reads anyway; SQLite's clock is the process's own. */
  String transactionTime() {
    return this == POSTGRESQL ? "now()" : "NULL";
  }

  /** By which a transaction can be asked after; SQLite's writer marks its batches itself. */
  String transactionNumber() {
    return this == POSTGRESQL ? "pg_current_xact_id()::text" : "''";
  }

  /** A text in which the letters A to Z are like a to z for LIKE, and no others, on both. */
  String plainCase(String column) {
    return this == SQLITE ? column : "lower(" + column + " COLLATE \"C\")";
  }

  String integerType() {
    return this == SQLITE ? "INTEGER" : "bigint";
  }

  /** Locks the rows read until the transaction ends. */
  abstract String forUpdate();

  /** Keeps the rows read from changing until the transaction ends. */
  abstract String forShare();

  /** Lets one transaction at a time do one of the things above. */
  abstract void lockAlone(Tx tx, long what);

  /** Keeps texts of artifacts from being shown by somebody new until the transaction ends. */
  abstract void lockContents(Tx tx);

  /** Lets entries of archived streams leave the journal, in this transaction alone. */
  abstract void openJournal(Tx tx);

  /** Ends what {@link #openJournal} began. */
  abstract void closeJournal(Tx tx);

  /** Whether this transaction gets a role that one at a time may have; never waits. */
  abstract boolean tryElect(Tx tx, String role);

  /** The statement that hands out the next task number. */
  abstract String nextTaskNumber();

  /** The columns a feed is ordered by. */
  abstract String feedPlace();

  /** The condition for what comes after a feed's position and can no longer be overtaken. */
  abstract String feedAfter();

  /** The same for what comes before a position. */
  String feedBefore() {
    return feedAfter().replaceFirst(">", "<");
  }

  /** The condition for what lies between two positions. */
  abstract String feedBetween();

  abstract Position position(Row row, String epoch);

  /** The statement for the position after everything that can no longer be overtaken. */
  abstract String feedEnd();

  abstract String columnsOf();

  /** The columns of a table, in its order. */
  List<String> columns(Tx tx, String table) {
    return tx.sql(columnsOf()).bind("table", table).list(row -> row.text("name"));
  }

  /** Lets the database's own counters go on after what was copied into its tables. */
  abstract void resetCounters(Tx tx);

  /** What the database itself finds wrong with its file. */
  abstract List<String> integrityProblems(Tx tx);

  abstract void set(PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException;

  abstract @Nullable Instant instant(ResultSet result, int column) throws SQLException;
}
