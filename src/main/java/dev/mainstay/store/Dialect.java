package dev.mainstay.store;

import dev.mainstay.domain.Position;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the two databases truly differ: a handful of fragments, instants, and JSON. */
public abstract class Dialect {
  /** Advisory locks are numbers shared by a whole database; these are ours. */
  static final long EDGES_LOCK = 0x4d41494e_00000001L;

  static final long MIGRATION_LOCK = 0x4d41494e_00000002L;

  static final long SESSIONS_LOCK = 0x4d41494e_00000003L;

  /** Who starts another terminal, as long as there is room. */
  static final long SEATS_LOCK = 0x4d41494e_00000004L;

  /** Who takes in a workflow, as versions are counted. */
  static final long WORKFLOWS_LOCK = 0x4d41494e_00000005L;

  /** Task numbers that were given, to tasks that are here and to those that were archived. */
  static final String NUMBERS_GIVEN =
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
  abstract String skipLocked();

  /** Without statistics SQLite prefers an index that it must sort afterwards. */
  abstract String useIndex(String name);

  /** The time of a transaction, for whoever reads anyway; SQLite's clock is the process's own. */
  abstract String transactionTime();

  /** By which a transaction can be asked after; SQLite's writer marks its batches itself. */
  abstract String transactionNumber();

  /** What makes texts come in the order of their bytes; SQLite has no other. */
  abstract String byteOrder();

  /** A text in which the letters A to Z are like a to z for LIKE, and no others, on both. */
  abstract String plainCase(String column);

  abstract String integerType();

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

  /**
   * Makes this transaction's commit wait until everything that it can see is as durable as a commit
   * of its own, on standbys too.
   */
  abstract void awaitReplicas(Tx tx);

  /** Ends what {@link #openJournal} began. */
  abstract void closeJournal(Tx tx);

  /** Whether this transaction gets a role that one at a time may have; never waits. */
  abstract boolean tryElect(Tx tx, String role);

  /** The statement that hands out the next task number. */
  abstract String nextTaskNumber();

  /** Hands out so many, each to whoever reads the row. */
  abstract void nextTaskNumbers(Tx tx, int count, Consumer<Row> reader);

  /**
   * The text with a list in the place of {@code :name}, whose items become binds; written so that
   * there are few texts, as each is prepared.
   */
  abstract String spread(
      String text, String name, Collection<?> items, Map<String, @Nullable Object> binds);

  /** The hour in which a moment lies, as a moment. */
  abstract String hourOf(String column);

  /** The seconds from one moment to another. */
  abstract String seconds(String from, String to);

  /** Whether a column, which may be JSON, has a text in it. */
  abstract String contains(String column, String text);

  /** The statement for the columns of a table that hold text or JSON. */
  abstract String textColumnsOf();

  /** Lets payloads of the journal be rewritten, in this transaction alone. */
  abstract void openPayloads(Tx tx);

  /** Ends what {@link #openPayloads} began. */
  abstract void closePayloads(Tx tx);

  /** The columns a feed is ordered by. */
  abstract String feedPlace();

  /** The condition for what comes after a feed's position and can no longer be overtaken. */
  abstract String feedAfter();

  /** The same for what comes before a position. */
  String feedBefore() {
    return feedAfter().replaceFirst(">", "<");
  }

  /** The condition for the entry that a position is after. */
  abstract String feedAt();

  /** The newest entry that can no longer be overtaken, as a statement. */
  abstract String feedLast();

  /** The number of the server's timeline, which changes when a standby is promoted. */
  abstract String timeline();

  /** The condition for what lies between two positions. */
  abstract String feedBetween();

  abstract Position position(Row row, String epoch);

  /** The statement for the position after everything that can no longer be overtaken. */
  abstract String feedEnd();

  abstract String columnsOf();

  /** Those of a table that hold text or JSON. */
  List<String> textColumns(Tx tx, String table) {
    return tx.sql(textColumnsOf()).bind("table", table).list(row -> row.text("name"));
  }

  /** The columns of a table, in its order. */
  List<String> columns(Tx tx, String table) {
    return tx.sql(columnsOf()).bind("table", table).list(row -> row.text("name"));
  }

  /** Lets the database's own counters go on after what was copied into its tables. */
  abstract void resetCounters(Tx tx);

  /** The statement for triggers, rules and views: kind, name, on_table and text of each. */
  abstract String triggersAndViews();

  /** How the definitions of tables, triggers and views differ from those of the migrations. */
  abstract List<String> schemaProblems(Tx tx);

  /** What the database itself finds wrong with its file. */
  abstract List<String> integrityProblems(Tx tx);

  abstract void set(PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException;

  abstract @Nullable Instant instant(ResultSet result, int column) throws SQLException;
}
