package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row of a result, read by column name through the dialect's mapper. */
public final class Row {
  private final ResultSet result;
  private final Dialect dialect;
  private final Map<String, Integer> columns;

  /** Looking a column up by name is slow in the driver, so its place is kept per statement. */
  Row(ResultSet result, Dialect dialect, Map<String, Integer> columns) {
    this.result = result;
    this.dialect = dialect;
    this.columns = columns;
  }

  private int place(String column) throws SQLException {
    Integer known = columns.get(column);
    if (known != null) return known;
    int found = result.findColumn(column);
    columns.put(column, found);
    return found;
  }

  public String text(String column) {
    return present(column, textOrNull(column));
  }

  public @Nullable String textOrNull(String column) {
    try {
      return result.getString(place(column));
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }

  public long number(String column) {
    try {
      return result.getLong(place(column));
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }

  public @Nullable Long numberOrNull(String column) {
    Object value = plainOrNull(column);
    return value == null ? null : ((Number) value).longValue();
  }

  public @Nullable JsonObject jsonOrNull(String column) {
    return textOrNull(column) == null ? null : json(column);
  }

  public int integer(String column) {
    return Math.toIntExact(number(column));
  }

  public Instant instant(String column) {
    return present(column, instantOrNull(column));
  }

  /** A time that cannot be read was not written by us: the store is damaged, and that is said. */
  public @Nullable Instant instantOrNull(String column) {
    try {
      return dialect.instant(result, place(column));
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    } catch (DateTimeException | NumberFormatException damage) {
      throw Faults.damagedRow(damage);
    }
  }

  public JsonObject json(String column) {
    String text = textOrNull(column);
    return text == null ? JsonObject.EMPTY : JsonText.object(text);
  }

  public List<?> jsonList(String column) {
    String text = textOrNull(column);
    return text == null ? List.of() : JsonText.list(text);
  }

  /** JSON as it stands, to be kept elsewhere. */
  @Nullable JsonRaw jsonRawOrNull(String column) {
    String text = textOrNull(column);
    return text == null ? null : new JsonRaw(text);
  }

  /** A number or a text. */
  @Nullable Object plainOrNull(String column) {
    try {
      return result.getObject(place(column));
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }

  private static <T> T present(String column, @Nullable T value) {
    if (value == null) throw new IllegalStateException("the column " + column + " is null");
    return value;
  }
}
