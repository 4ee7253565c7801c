package dev.mainstay.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One statement that changes many rows, each in its own way, in the place of many that have the
 * same text: {@code UPDATE t SET a = :a WHERE id = :id} becomes {@code UPDATE t SET a = v_a FROM
 * (VALUES (..), (..)) AS v (v_a, v_id) WHERE id = v_id}. PostgreSQL begins and ends a statement
 * once then, and is told once.
 */
final class WideUpdate {
  private static final Pattern SIMPLE =
      Pattern.compile("UPDATE\\s+\\w+\\s+SET\\s[^()]+?\\sWHERE\\s.*", Pattern.DOTALL);
  private static final Pattern NOT_SIMPLE = Pattern.compile("\\b(RETURNING|SELECT|FROM)\\b");
  private static final Pattern NAME = Pattern.compile(":([a-z_]+)");
  private static final Pattern WHERE = Pattern.compile("\\sWHERE\\s");
  private static final int TEXTS_MAX = 500;

  /** What a text was made of: the text of one, how many there are, and what each bind is. */
  private record Made(String text, int rows, Map<String, String> casts) {}

  private static final Map<Made, String> TEXTS = new ConcurrentHashMap<>();

  private WideUpdate() {}

  /** Whether changes with this text can be made one. */
  static boolean fits(String text) {
    return SIMPLE.matcher(text).matches() && !NOT_SIMPLE.matcher(text).find();
  }

  static Sql of(List<Sql> rows) {
    String text = rows.get(0).text();
    Map<String, String> casts = casts(text, rows);
    Made made = new Made(text, rows.size(), casts);
    String wide = TEXTS.get(made);
    if (wide == null) {
      wide = text(made);
      if (TEXTS.size() < TEXTS_MAX) TEXTS.put(made, wide);
    }
    Sql all = rows.get(0).withText(wide);
    for (int i = 0; i < rows.size(); i++) {
      for (String name : casts.keySet()) {
        all.bind(SqlText.numbered(name, i), rows.get(i).binds().get(name));
      }
    }
    return all;
  }

  /** What each bind is; without those that are nothing in every row, as nothing has no type. */
  private static Map<String, String> casts(String text, List<Sql> rows) {
    Map<String, String> casts = new LinkedHashMap<>();
    for (String name : names(text)) {
      for (Sql row : rows) {
        Object value = row.binds().get(name);
        if (value != null) casts.putIfAbsent(name, cast(value));
      }
    }
    return casts;
  }

  private static Set<String> names(String text) {
    return new LinkedHashSet<>(ParsedSql.of(text).names());
  }

  private static String cast(Object value) {
    if (value instanceof Instant) return "timestamptz";
    if (Binding.isJson(value)) return "jsonb";
    if (value instanceof Long || value instanceof Integer) return "bigint";
    return "text";
  }

  private static String text(Made made) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < made.rows(); i++) {
      List<String> values = new ArrayList<>();
      for (var each : made.casts().entrySet()) {
        values.add(":" + SqlText.numbered(each.getKey(), i) + "::" + each.getValue());
      }
      rows.add("(" + String.join(", ", values) + ")");
    }
    String columns = "v_" + String.join(", v_", made.casts().keySet());
    String from = " FROM (VALUES " + String.join(", ", rows) + ") AS v (" + columns + ")";
    String one = NAME.matcher(made.text()).replaceAll(bind -> column(made, bind.group(1)));
    Matcher where = WHERE.matcher(one);
    if (!where.find()) throw new IllegalArgumentException("no rows are named: " + made.text());
    return one.substring(0, where.start()) + from + one.substring(where.start());
  }

  private static String column(Made made, @Nullable String name) {
    return made.casts().containsKey(name) ? "v_" + name : "NULL";
  }
}
