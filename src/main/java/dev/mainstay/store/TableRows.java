package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads all rows that make up a store, in the same form and order whichever database holds them. A
 * value is a number, a text or null: an instant is its ISO-8601 text in UTC, JSON its canonical
 * text.
 */
public final class TableRows {
  /** Receives the rows, table by table. */
  public interface Reader {
    void table(String table, List<String> columns);

    void row(List<@Nullable Object> values);
  }

  private final Tx tx;

  public TableRows(Tx tx) {
    this.tx = tx;
  }

  /** The version of the schema that the rows are of. */
  public static int schema() {
    return Migrations.NEWEST;
  }

  /** The number of rows of each table, in the order in which {@link #read} gives the tables. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String table : TableCopy.TABLES.keySet()) {
      counts.put(
          table, tx.sql("SELECT count(*) AS n FROM " + table).<Long>one(row -> row.number("n")));
    }
    return counts;
  }

  /** Gives every row; a table follows those that it refers to. */
  public void read(Reader reader) {
    TableCopy.TABLES.forEach((table, order) -> read(table, order, reader));
  }

  private void read(String table, String order, Reader reader) {
    List<String> columns = TableCopy.columns(tx, table);
    reader.table(table, columns);
    tx.sql("SELECT " + String.join(", ", columns) + " FROM " + table + " ORDER BY <order>")
        .define("order", byBytes(table, order))
        .each(row -> reader.row(values(row, columns)));
  }

  /** The locale of a database must not decide in which order its texts come. */
  private String byBytes(String table, String order) {
    List<String> texts = tx.dialect().textColumns(tx, table);
    return Arrays.stream(order.split(", "))
        .map(column -> texts.contains(column) ? column + tx.dialect().byteOrder() : column)
        .collect(Collectors.joining(", "));
  }

  private static List<@Nullable Object> values(Row row, List<String> columns) {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (String column : columns) values.add(value(row, column));
    return values;
  }

  private static @Nullable Object value(Row row, String column) {
    if (TableCopy.INSTANTS.contains(column)) {
      Instant instant = row.instantOrNull(column);
      return instant == null ? null : Times.write(instant);
    }
    if (!TableCopy.JSON.contains(column)) return row.plainOrNull(column);
    String text = row.textOrNull(column);
    return text == null ? null : canonical(text);
  }

  /** PostgreSQL gives JSON in an order and with blanks of its own. */
  private static String canonical(String json) {
    return json.startsWith("[")
        ? JsonText.write(JsonObject.of("list", JsonText.list(json)).get("list"))
        : JsonText.write(JsonText.object(json));
  }
}
