package dev.mainstay.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One statement for many rows in the place of many that have the same text: {@code UPDATE t SET a =
 * :a WHERE id = :id} becomes {@code UPDATE t SET a = v_a FROM unnest(:a::text[], :id::text[]) AS v
 * (v_a, v_id) WHERE id = v_id}, and new rows and those that go are made of such lists, too. So the
 * text is the same however many rows there are, and PostgreSQL prepares it once, begins and ends it
 * once, and is told once.
 */
final class WideRows {
  private static final Pattern ROW = Pattern.compile("VALUES\\s*\\(([^()]*)\\)");
  private static final Pattern CHANGE =
      Pattern.compile("UPDATE\\s+\\w+\\s+SET\\s[^()]+?\\sWHERE\\s.*", Pattern.DOTALL);
  private static final Pattern REMOVAL =
      Pattern.compile("DELETE\\s+FROM\\s+\\w+\\s+WHERE\\s[^()]*", Pattern.DOTALL);
  private static final Pattern NOT_SIMPLE = Pattern.compile("\\b(RETURNING|SELECT)\\b");
  private static final Pattern NAME = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");
  private static final Pattern WHERE = Pattern.compile("\\sWHERE\\s");
  private static final int TEXTS_MAX = 500;

  /** What a text was made of: the text for one row, and what each bind is. */
  private record Made(String text, Map<String, String> types) {}

  private static final Map<Made, String> TEXTS = new ConcurrentHashMap<>();

  private WideRows() {}

  /** Whether statements with this text can be made one. */
  static boolean fits(String text) {
    Matcher row = ROW.matcher(text);
    if (row.find()) return !NAME.matcher(text.substring(row.end())).find();
    if (NOT_SIMPLE.matcher(text).find()) return false;
    boolean isChange = CHANGE.matcher(text).matches() && !text.contains(" FROM ");
    return isChange || REMOVAL.matcher(text).matches();
  }

  static Sql of(List<Sql> rows) {
    String text = rows.get(0).text();
    Map<String, String> types = types(text, rows);
    Made made = new Made(text, types);
    String wide = TEXTS.get(made);
    if (wide == null) {
      wide = text(made);
      if (TEXTS.size() < TEXTS_MAX) TEXTS.put(made, wide);
    }
    Sql all = rows.get(0).withText(wide);
    types.forEach(
        (name, type) -> {
          List<@Nullable Object> column = new ArrayList<>();
          for (Sql row : rows) column.add(row.binds().get(name));
          all.bind(name, new Column(column));
        });
    // PostgreSQL returns the rows of such a statement in the order of its lists.
    List<Consumer<Row>> readers = new ArrayList<>();
    for (Sql row : rows)
      if (row.reader() != null) readers.add(Objects.requireNonNull(row.reader()));
    all.readBy(readers);
    return all;
  }

  /** What each bind is; without those that are nothing in every row, as nothing has no type. */
  private static Map<String, String> types(String text, List<Sql> rows) {
    Map<String, String> types = new LinkedHashMap<>();
    for (String name : new LinkedHashSet<>(ParsedSql.of(text).names())) {
      for (Sql row : rows) {
        Object value = row.binds().get(name);
        if (value != null) types.putIfAbsent(name, type(value));
      }
    }
    return types;
  }

  private static String type(Object value) {
    if (value instanceof Instant) return "timestamptz";
    if (Binding.isJson(value)) return "jsonb";
    if (value instanceof Long || value instanceof Integer) return "bigint";
    boolean isNoText = value instanceof Collection || value instanceof Number;
    if (isNoText || value instanceof Boolean) throw new IllegalArgumentException(value.toString());
    return "text";
  }

  private static String text(Made made) {
    String one = NAME.matcher(made.text()).replaceAll(bind -> column(made, bind.group(1)));
    Matcher row = ROW.matcher(one);
    if (row.find()) {
      String columns = "SELECT " + row.group(1) + " FROM " + lists(made);
      return one.substring(0, row.start()) + columns + one.substring(row.end());
    }
    Matcher where = WHERE.matcher(one);
    if (!where.find()) throw new IllegalArgumentException("no rows are named: " + made.text());
    String from = one.startsWith("DELETE") ? " USING " : " FROM ";
    return one.substring(0, where.start()) + from + lists(made) + one.substring(where.start());
  }

  private static String lists(Made made) {
    List<String> lists = new ArrayList<>();
    made.types().forEach((name, type) -> lists.add(":" + name + "::" + type + "[]"));
    String columns = "v_" + String.join(", v_", made.types().keySet());
    return "unnest(" + String.join(", ", lists) + ") AS v (" + columns + ")";
  }

  private static String column(Made made, @Nullable String name) {
    return made.types().containsKey(name) ? "v_" + name : "NULL";
  }
}
