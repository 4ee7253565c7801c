package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every text in every table, for one who looks for something that must not be there. */
public final class ErasureTable {
  private static final String KEYS = "idempotency_keys";
  private static final String STATE_FILES = "state_files";
  private static final String NOTEBOOKS = "notebooks";

  private final Tx tx;

  ErasureTable(Tx tx) {
    this.tx = tx;
  }

  /**
   * Where it stands: how many rows of which table, in how many of them only its beginning, since a
   * text was cut there; in which columns that are names, by which something is found again and
   * which are therefore left as they are; and which folders have files with it that nobody here can
   * rewrite.
   */
  public record Found(
      Map<String, Long> rows,
      Map<String, Long> cut,
      Map<String, Long> names,
      List<StateDirectory> unreached) {}

  /** Looks for it; nothing is changed. */
  public Found look(Erasure erasure, Set<String> reached) {
    Map<String, Long> rows = new TreeMap<>();
    Map<String, Long> cut = new TreeMap<>();
    List<StateDirectory> unreached = List.of();
    for (String table : TableCopy.TABLES.keySet()) {
      List<Place> places = found(table, columns(table), erasure, "");
      count(rows, cut, table, places);
      if (table.equals(STATE_FILES)) unreached = unreached(places, reached);
      if (table.equals(KEYS)) count(rows, table, keys(erasure).size());
    }
    return new Found(rows, cut, names(erasure), unreached);
  }

  /**
   * Rewrites everything that can be rewritten and notes that; entries keep their chain. Files in
   * other folders than those that are reached still have it, so they are not to be read again.
   */
  public Found erase(Erasure erasure, Set<String> reached, Call call) {
    ErasedHistory history = new ErasedHistory(tx, erasure);
    Map<String, Long> rows = new TreeMap<>();
    Map<String, Long> cut = new TreeMap<>();
    List<StateDirectory> unreached = List.of();
    history.lock(locked("journal", erasure));
    count(rows, KEYS, removeKeys(erasure));
    for (String table : TableCopy.TABLES.keySet()) {
      if (table.equals("journal") || table.equals("artifact_contents")) continue;
      List<Place> places = locked(table, erasure);
      for (Place each : places) write(table, each);
      if (table.equals(NOTEBOOKS)) places.forEach(this::renamed);
      count(rows, cut, table, places);
      if (table.equals(STATE_FILES)) unreached = distrusted(places, reached);
    }
    List<Place> contents = locked("artifact_contents", erasure);
    history.contents(contents);
    count(rows, cut, "artifact_contents", contents);
    List<Place> entries = locked("journal", erasure);
    var marks = history.entries(entries);
    count(rows, "journal", marks.size());
    count(cut, "journal", entries.stream().filter(Place::cut).count());
    if (!rows.isEmpty()) Erasures.record(tx, call, erasure.mark(), rows, marks);
    return new Found(rows, cut, names(erasure), unreached);
  }

  private void renamed(Place notebook) {
    TaskId task = new TaskId(String.valueOf(notebook.key().get("task_id")));
    tx.notebooks().renamed(task, String.valueOf(notebook.values().get("notebook")));
  }

  private List<StateDirectory> unreached(List<Place> files, Set<String> reached) {
    return files.stream()
        .map(Place::directory)
        .distinct()
        .filter(id -> !reached.contains(id))
        .flatMap(id -> tx.stateDirectories().find(id).stream())
        .toList();
  }

  private List<StateDirectory> distrusted(List<Place> files, Set<String> reached) {
    for (Place each : files) {
      if (reached.contains(each.directory())) continue;
      tx.stateDirectories().distrust(each.directory(), String.valueOf(each.key().get("name")));
    }
    return unreached(files, reached);
  }

  private static void count(
      Map<String, Long> rows, Map<String, Long> cut, String table, List<Place> places) {
    count(rows, table, places.size());
    count(cut, table, places.stream().filter(Place::cut).count());
  }

  private static void count(Map<String, Long> rows, String table, long more) {
    if (more > 0) rows.merge(table, more, Long::sum);
  }

  private static List<String> columns(String table) {
    List<String> columns = new ArrayList<>(TextColumns.TEXTS.getOrDefault(table, List.of()));
    columns.addAll(TextColumns.MADE.getOrDefault(table, List.of()));
    return columns;
  }

  /**
   * A row that has it: by which it is known, its columns as they will be, and whether it has only
   * the beginning.
   */
  record Place(Map<String, @Nullable Object> key, Map<String, String> values, boolean cut) {
    private String directory() {
      return String.valueOf(key.get("directory_id"));
    }
  }

  /** What is rewritten must be what was read: others would lose what they wrote in between. */
  private List<Place> locked(String table, Erasure erasure) {
    return found(table, columns(table), erasure, tx.dialect().forUpdate());
  }

  private List<Place> found(String table, List<String> columns, Erasure erasure, String lock) {
    if (columns.isEmpty()) return List.of();
    List<String> keys = keysOf(table);
    Sql sql =
        tx.sql("SELECT <names> FROM <table> WHERE <holds> ORDER BY <keys> <lock>")
            .define("lock", lock)
            .define("names", String.join(", ", keys) + ", " + String.join(", ", columns))
            .define("table", table)
            .define("keys", String.join(", ", keys))
            .define("holds", holds(columns, erasure));
    bind(sql, erasure);
    List<Place> places = new ArrayList<>();
    sql.each(
        row -> {
          Map<String, String> values = changed(row, columns, erasure);
          if (values.isEmpty()) return;
          boolean cut = changed(row, columns, erasure.whole()).isEmpty();
          places.add(new Place(key(row, keys), values, cut));
        });
    return places;
  }

  /** What a table is ordered by knows each of its rows. */
  private static List<String> keysOf(String table) {
    String order = TableCopy.TABLES.get(table);
    return List.of((order == null ? "" : order).split(", "));
  }

  private static Map<String, @Nullable Object> key(Row row, List<String> keys) {
    Map<String, @Nullable Object> key = new LinkedHashMap<>();
    for (String each : keys) {
      key.put(
          each,
          TableCopy.INSTANTS.contains(each) ? row.instantOrNull(each) : row.plainOrNull(each));
    }
    return key;
  }

  private static Map<String, String> changed(Row row, List<String> columns, Erasure erasure) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String column : columns) {
      String text = row.textOrNull(column);
      if (text == null) continue;
      String without = isJson(column) ? json(text, erasure) : erasure.in(text);
      if (!without.equals(text)) values.put(column, without);
    }
    return values;
  }

  private static boolean isJson(String column) {
    return TableCopy.JSON.contains(column) || column.equals("payload");
  }

  /** PostgreSQL shows JSON with blanks, so equal values are asked for and not equal texts. */
  static String json(String text, Erasure erasure) {
    Object value = text.startsWith("[") ? JsonText.list(text) : JsonText.object(text);
    Object without = erasure.inJson(value);
    return value.equals(without) ? text : JsonText.write(without);
  }

  private void write(String table, Place place) {
    Map<String, @Nullable Object> where = new LinkedHashMap<>(place.key());
    String sets =
        place.values().keySet().stream()
            .map(column -> column + " = :new_" + column)
            .collect(Collectors.joining(", "));
    String keys =
        where.keySet().stream().map(c -> c + " = :" + c).collect(Collectors.joining(" AND "));
    Sql sql = tx.sql("UPDATE " + table + " SET " + sets + " WHERE " + keys);
    where.forEach(sql::bind);
    place.values().forEach((column, value) -> sql.bind("new_" + column, bound(column, value)));
    sql.update();
  }

  private static Object bound(String column, String value) {
    return TableCopy.JSON.contains(column) ? new JsonRaw(value) : value;
  }

  private String holds(List<String> columns, Erasure erasure) {
    List<String> conditions = new ArrayList<>();
    for (String column : columns) {
      for (int sign = 0; sign < erasure.signs().size(); sign++) {
        conditions.add(tx.dialect().contains(column, ":sign" + sign));
      }
    }
    return String.join(" OR ", conditions);
  }

  private static void bind(Sql sql, Erasure erasure) {
    List<String> signs = erasure.signs();
    for (int sign = 0; sign < signs.size(); sign++) sql.bind("sign" + sign, signs.get(sign));
  }

  /** A key that has it is forgotten altogether: the same request is then asked anew. */
  private long removeKeys(Erasure erasure) {
    List<String> keys = keys(erasure);
    for (String key : keys) tx.keys().forget(key);
    return keys.size();
  }

  private List<String> keys(Erasure erasure) {
    Sql sql =
        tx.sql("SELECT key FROM idempotency_keys WHERE <holds> ORDER BY key")
            .define("holds", holds(List.of("key"), erasure));
    bind(sql, erasure);
    return sql.list(row -> row.text("key")).stream().filter(erasure::isIn).toList();
  }

  private Map<String, Long> names(Erasure erasure) {
    Map<String, Long> names = new TreeMap<>();
    for (String table : TableCopy.TABLES.keySet()) {
      for (String column : tx.dialect().textColumns(tx, table)) {
        if (!TextColumns.isName(table, column) || column.equals("key")) continue;
        Sql sql =
            tx.sql("SELECT <column> AS name FROM <table> WHERE <holds>")
                .define("column", column)
                .define("table", table)
                .define("holds", holds(List.of(column), erasure));
        bind(sql, erasure);
        long count = sql.list(row -> row.text("name")).stream().filter(erasure::isIn).count();
        if (count > 0) names.put(table + "." + column, count);
      }
    }
    return names;
  }
}
