package dev.mainstay.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Many values that PostgreSQL is given as one list; what they are, the statement says. */
record Column(List<? extends @Nullable Object> values) {
  void set(PreparedStatement statement, int place) throws SQLException {
    @Nullable String[] texts = new @Nullable String[values.size()];
    for (int i = 0; i < texts.length; i++) texts[i] = text(values.get(i));
    statement.setArray(place, statement.getConnection().createArrayOf("text", texts));
  }

  private static @Nullable String text(@Nullable Object value) {
    if (value == null) return null;
    if (Binding.isJson(value)) return Binding.json(value);
    return value instanceof Enum<?> constant ? constant.name() : value.toString();
  }
}
