package dev.mainstay.store;

import dev.mainstay.domain.Times;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows that come and go with a task, an execution or a terminal's state. A test holds that
 * every table whose rows vanish with a task's row is here or keeps the task from leaving.
 */
final class HangingRows {
  /** Each table and the condition for its rows, in the order in which they can be put back. */
  static final Map<String, String> OF_TASK = ofTask();

  static final Map<String, String> OF_TERMINAL = ofTerminal();

  static final Map<String, String> OF_EXECUTION = Map.of("workflow_executions", "id = :id");

  private final Tx tx;
  private final Map<String, List<String>> columns = new HashMap<>();

  HangingRows(Tx tx) {
    this.tx = tx;
  }

  private static Map<String, String> ofTask() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("tasks", "id = :id");
    tables.put("task_dependencies", "task_id = :id");
    tables.put("task_assignments", "task_id = :id");
    tables.put(
        "artifact_contents",
        "content_hash IN (SELECT content_hash FROM task_artifacts WHERE task_id = :id)");
    tables.put("task_artifacts", "task_id = :id");
    tables.put("task_budgets", "task_id = :id");
    tables.put("dossiers", "task_id = :id");
    tables.put("notebooks", "task_id = :id");
    tables.put("checkpoints", "task_id = :id");
    tables.put("snapshots", "stream = :stream");
    tables.put("runs", "task_id = :id");
    tables.put("prompts_given", "task_id = :id");
    tables.put("delegations", "task_id = :id");
    tables.put("workspace_touches", "task_id = :id");
    tables.put("reservations", "task_id = :id");
    return Collections.unmodifiableMap(tables);
  }

  private static Map<String, String> ofTerminal() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("terminal_states", "terminal_id = :id");
    tables.put("inbox", "receiver_id = :id");
    return Collections.unmodifiableMap(tables);
  }

  /** Hands over each row as plain values: text, numbers and nulls; times and JSON are text. */
  void each(ClosedStream closed, BiConsumer<String, Map<String, @Nullable Object>> consumer) {
    Map<String, String> tables =
        switch (closed.kind()) {
          case TASK -> OF_TASK;
          case EXECUTION -> OF_EXECUTION; // what it waits for keeps it here
          case TERMINAL -> OF_TERMINAL;
        };
    tables.forEach(
        (table, condition) -> {
          List<String> names = columns(table);
          tx.sql("SELECT <names> FROM <table> WHERE <condition> ORDER BY <order>")
              .define("names", String.join(", ", names))
              .define("table", table)
              .define("condition", condition)
              .define("order", order(table))
              .bind("id", closed.id())
              .bind("stream", closed.stream())
              .each(row -> consumer.accept(table, values(row, names)));
        });
  }

  private static String order(String table) {
    String order = TableCopy.TABLES.get(table);
    if (order == null) throw new IllegalStateException("no order of " + table);
    return order;
  }

  private List<String> columns(String table) {
    return columns.computeIfAbsent(table, name -> TableCopy.columns(tx, name));
  }

  private static Map<String, @Nullable Object> values(Row row, List<String> names) {
    Map<String, @Nullable Object> values = new TreeMap<>();
    for (String name : names) values.put(name, value(row, name));
    return values;
  }

  private static @Nullable Object value(Row row, String column) {
    if (TableCopy.INSTANTS.contains(column)) {
      var instant = row.instantOrNull(column);
      return instant == null ? null : Times.write(instant);
    }
    if (TableCopy.JSON.contains(column)) return row.textOrNull(column);
    Object plain = row.plainOrNull(column);
    return plain instanceof Integer number ? (Object) number.longValue() : plain;
  }
}
