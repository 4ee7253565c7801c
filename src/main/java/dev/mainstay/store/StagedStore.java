package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A new SQLite file that is filled with rows from outside, at the schema version of which they are;
 * {@link Store#open} brings it up to date afterwards. Tables and columns that the schema does not
 * have are refused, and nothing is kept unless {@link #finish} is reached.
 */
public final class StagedStore implements AutoCloseable {
  private static final int ROWS_AT_ONCE = 500;

  private final String where;
  private final Connection connection;
  private @Nullable PreparedStatement insert;
  private int columns;
  private int waiting;

  /** Makes the file, which only its owner can read. */
  public StagedStore(Path file, int schema) throws IOException {
    if (schema < 1 || schema > Migrations.NEWEST) {
      throw new IllegalArgumentException("its schema is " + schema);
    }
    this.where = file.toString();
    OwnFolder.makePrivate(file);
    try {
      connection = SqliteConnections.writing(file);
    } catch (SQLException fault) {
      throw Faults.refusal(fault, where);
    }
    try {
      SqliteConnections.begin(connection);
      for (int number = 1; number <= schema; number++) {
        Migrations.apply(connection, SqliteDialect.ONLY, number);
      }
      run("PRAGMA application_id = " + SqliteConnections.APPLICATION_ID);
      run("PRAGMA defer_foreign_keys = ON"); // a row may refer to a later one of its own table
    } catch (SQLException | SqlFault fault) {
      close();
      throw Faults.refusal(fault instanceof SqlFault own ? own.sql() : (SQLException) fault, where);
    }
  }

  /** What the schema forbids is the rows' fault; anything else is the disk's. */
  private RuntimeException refused(SQLException fault) {
    boolean byRow =
        fault instanceof SQLiteException own
            && (own.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_CONSTRAINT.code;
    return byRow
        ? new IllegalArgumentException("it has a row that the schema forbids", fault)
        : Faults.refusal(fault, where);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** From now on rows are those of this table; its columns come in this order. */
  public void table(String table, List<String> names) {
    flush();
    boolean known = TableCopy.TABLES.containsKey(table);
    List<String> expected = columnsOf(table);
    if (!known || names.size() != expected.size() || !names.containsAll(expected)) {
      throw new IllegalArgumentException("it has a table that its schema does not have");
    }
    columns = names.size();
    String binds = String.join(", ", Collections.nCopies(columns, "?"));
    String sql =
        "INSERT INTO " + table + " (" + String.join(", ", names) + ") VALUES (" + binds + ")";
    try {
      if (insert != null) insert.close();
      insert = connection.prepareStatement(sql);
    } catch (SQLException fault) {
      throw refused(fault);
    }
  }

  private List<String> columnsOf(String table) {
    List<String> names = new ArrayList<>();
    try (PreparedStatement asked =
        connection.prepareStatement("SELECT name FROM pragma_table_info(?)")) {
      asked.setString(1, table);
      try (ResultSet rows = asked.executeQuery()) {
        while (rows.next()) names.add(rows.getString(1));
      }
      return names;
    } catch (SQLException fault) {
      throw refused(fault);
    }
  }

  /** Adds a row of numbers, texts and nulls. */
  public void row(List<? extends @Nullable Object> values) {
    PreparedStatement statement = insert;
    if (statement == null || values.size() != columns) {
      throw new IllegalArgumentException("it has a row that is of no table");
    }
    try {
      for (int i = 0; i < columns; i++) statement.setObject(i + 1, values.get(i));
      statement.addBatch();
    } catch (SQLException fault) {
      throw refused(fault);
    }
    if (++waiting == ROWS_AT_ONCE) flush();
  }

  private void flush() {
    if (insert == null || waiting == 0) return;
    try {
      insert.executeBatch();
      waiting = 0;
    } catch (SQLException fault) {
      throw refused(fault);
    }
  }

  /** Keeps what was added. */
  public void finish() {
    flush();
    try {
      Tx tx =
          new Tx(
              Statements.passing(connection),
              SqliteDialect.ONLY,
              none -> {
                throw new IllegalStateException("rows from outside carry their own times");
              },
              () -> Follower.NONE,
              true);
      tx.dialect().resetCounters(tx);
      tx.meta().newEpoch();
      SqliteConnections.commit(connection);
    } catch (SQLException fault) {
      throw refused(fault);
    } catch (SqlFault fault) {
      throw refused(fault.sql());
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException notKept) {
      throw Refusal.unavailable("the staged store cannot be closed", notKept);
    }
  }
}
