package dev.mainstay.store;

import dev.mainstay.domain.Position;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: many write at once, and what one must do alone has a lock. */
final class PostgresDialect extends Dialect {
  static final Dialect ONLY = new PostgresDialect();

  private PostgresDialect() {
    super("postgresql");
  }

  @Override
  String skipLocked() {
    return "FOR UPDATE SKIP LOCKED";
  }

  @Override
  String useIndex(String name) {
    return "";
  }

  @Override
  String transactionTime() {
    return "now()";
  }

  @Override
  String transactionNumber() {
    return "pg_current_xact_id()::text";
  }

  @Override
  String byteOrder() {
    return " COLLATE \"C\"";
  }

  @Override
  String plainCase(String column) {
    return "lower(" + column + " COLLATE \"C\")";
  }

  @Override
  String integerType() {
    return "bigint";
  }

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

  /**
   * A commit waits for standbys only if its transaction wrote to the log, and then until all of the
   * log before it has arrived. The number comes first: a standby refuses it as read-only.
   */
  @Override
  void awaitReplicas(Tx tx) {
    tx.sql("SELECT pg_current_xact_id(), pg_logical_emit_message(true, 'mainstay', '')")
        .list(row -> 0);
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
  void nextTaskNumbers(Tx tx, int count, Consumer<Row> reader) {
    tx.sql(nextTaskNumber() + " FROM generate_series(1, :count)")
        .bind("count", count)
        .later(reader);
  }

  /** As a comparison with one list, so that there is one text however many there are. */
  @Override
  String spread(
      String text, String name, Collection<?> items, Map<String, @Nullable Object> binds) {
    if (items.isEmpty()) return SqlText.spread(text, name, 0);
    binds.put(name, new Column(List.copyOf(items)));
    return SqlText.compared(text, name, items.iterator().next());
  }

  @Override
  String hourOf(String column) {
    return "date_trunc('hour', " + column + ", 'UTC')";
  }

  @Override
  String seconds(String from, String to) {
    return "extract(epoch FROM (" + to + " - " + from + "))";
  }

  @Override
  String contains(String column, String text) {
    return "strpos(" + column + "::text, " + text + ") > 0";
  }

  @Override
  String textColumnsOf() {
    return """
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = :table
      AND data_type IN ('text', 'jsonb') ORDER BY ordinal_position""";
  }

  @Override
  void openPayloads(Tx tx) {
    tx.sql("SELECT set_config('mainstay.forgetting', 'on', true)").list(row -> 0);
  }

  @Override
  void closePayloads(Tx tx) {
    tx.sql("SELECT set_config('mainstay.forgetting', 'off', true)").list(row -> 0);
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
  String feedAt() {
    return "xid = :xid::text::xid8 AND seq = :seq";
  }

  @Override
  String feedLast() {
    return """
    SELECT xid, seq, hash FROM journal WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY xid DESC, seq DESC LIMIT 1""";
  }

  /** The first eight digits of a log file's name; a standby does not write any. */
  @Override
  String timeline() {
    return """
    CASE WHEN pg_is_in_recovery() THEN 0
      ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint
    END""";
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
  String triggersAndViews() {
    return """
        SELECT 'trigger' AS kind, t.tgname::text AS name, c.relname::text AS on_table,
          pg_get_triggerdef(t.oid) AS text
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
        UNION ALL
        SELECT 'rule', rulename::text, tablename::text, definition FROM pg_rules
        WHERE schemaname = current_schema()
        UNION ALL
        SELECT 'view', viewname::text, viewname::text, definition FROM pg_views
        WHERE schemaname = current_schema()""";
  }

  @Override
  List<String> schemaProblems(Tx tx) {
    return ForeignObjects.problems(tx);
  }

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
}
