package dev.mainstay.store;

import dev.mainstay.domain.Position;
import dev.mainstay.domain.Times;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** SQLite: one writer at a time, so nothing needs a row lock. */
final class SqliteDialect extends Dialect {
  static final Dialect ONLY = new SqliteDialect();

  /** The mark under which SQLite lets entries leave the journal. */
  private static final String RETENTION = "retention";

  /** The mark under which it lets payloads be rewritten. */
  private static final String FORGETTING = "forgetting";

  private SqliteDialect() {
    super("sqlite");
  }

  @Override
  String skipLocked() {
    return "";
  }

  @Override
  String useIndex(String name) {
    return "INDEXED BY " + name;
  }

  @Override
  String transactionTime() {
    return "NULL";
  }

  @Override
  String transactionNumber() {
    return "''";
  }

  @Override
  String byteOrder() {
    return "";
  }

  @Override
  String plainCase(String column) {
    return column;
  }

  @Override
  String integerType() {
    return "INTEGER";
  }

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
  void awaitReplicas(Tx tx) {} // what another transaction can see is on the disk

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
  void nextTaskNumbers(Tx tx, int count, Consumer<Row> reader) {
    for (int i = 0; i < count; i++) tx.sql(nextTaskNumber()).later(reader);
  }

  /**
   * A list of three becomes {@code :ids_0, :ids_1, :ids_2, :ids_3}, where the last is there twice.
   */
  @Override
  String spread(
      String text, String name, Collection<?> items, Map<String, @Nullable Object> binds) {
    int size = SqlText.sizeFor(items.size());
    Object last = null;
    int i = 0;
    for (Object item : items) binds.put(SqlText.numbered(name, i++), last = item);
    for (; i < size; i++) binds.put(SqlText.numbered(name, i), last);
    return SqlText.spread(text, name, size);
  }

  @Override
  String hourOf(String column) {
    return "substr(" + column + ", 1, 13) || ':00:00.000000Z'";
  }

  @Override
  String seconds(String from, String to) {
    return "(julianday(" + to + ") - julianday(" + from + ")) * 86400.0";
  }

  @Override
  String contains(String column, String text) {
    return "instr(" + column + ", " + text + ") > 0";
  }

  @Override
  String textColumnsOf() {
    return "SELECT name FROM pragma_table_info(:table) WHERE type = 'TEXT' ORDER BY cid";
  }

  @Override
  void openPayloads(Tx tx) {
    tx.meta().set(FORGETTING, "on"); // what the trigger looks for
  }

  @Override
  void closePayloads(Tx tx) {
    tx.meta().remove(FORGETTING);
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
  String feedAt() {
    return "seq = :seq";
  }

  @Override
  String feedLast() {
    return "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1";
  }

  @Override
  String timeline() {
    return "0";
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
  String triggersAndViews() {
    return """
        SELECT type AS kind, name, tbl_name AS on_table, sql AS text FROM sqlite_schema
        WHERE type IN ('trigger', 'view')""";
  }

  @Override
  List<String> schemaProblems(Tx tx) {
    List<String> problems = new ArrayList<>(ForeignObjects.problems(tx));
    problems.addAll(ForeignObjects.differences(tx));
    return problems;
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
}
