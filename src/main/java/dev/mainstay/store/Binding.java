package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** How values are given to a statement, as far as both databases agree. */
final class Binding {
  private Binding() {}

  static boolean isJson(@Nullable Object value) {
    return value instanceof JsonObject || value instanceof JsonValue || value instanceof JsonRaw;
  }

  static String json(@Nullable Object value) {
    if (value instanceof JsonRaw raw) return raw.text();
    return JsonText.write(value instanceof JsonValue json ? json.value() : value);
  }

  static void setPlain(PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException {
    if (value == null) statement.setNull(place, Types.NULL);
    else if (value instanceof Long number) statement.setLong(place, number);
    else if (value instanceof Integer number) statement.setInt(place, number);
    else if (value instanceof Enum<?> constant) statement.setString(place, constant.name());
    else statement.setString(place, value.toString());
  }
}
