package dev.mainstay.store;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskLine.Standing;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lists of tasks for those who look: filtered, searched and in an order of their own. */
final class TaskListing {
  private static final String LINE =
      "id, title, task_type, priority, status, unmet_dependencies, open_children, delayed_until,"
          + " over_budget";

  private final Tx tx;

  TaskListing(Tx tx) {
    this.tx = tx;
  }

  List<Task> list(TaskFilter filter, TaskOrder order, TaskOrder.@Nullable Place after, int limit) {
    return selected("*", filter, order, after, limit).list(TaskTable::task);
  }

  List<TaskLine> lines(
      TaskFilter filter, TaskOrder order, TaskOrder.@Nullable Place after, int limit) {
    return selected(LINE, filter, order, after, limit).list(TaskListing::line);
  }

  private static TaskLine line(Row row) {
    try {
      return new TaskLine(
          new TaskId(row.text("id")),
          row.text("title"),
          new TaskType(row.text("task_type")),
          row.integer("priority"),
          new Standing(TaskStatus.valueOf(row.text("status")), TaskTable.waiting(row)));
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException damage) {
      throw Faults.damagedRow(damage);
    }
  }

  private Sql selected(
      String columns,
      TaskFilter filter,
      TaskOrder order,
      TaskOrder.@Nullable Place after,
      int limit) {
    Sql sql =
        order == TaskOrder.OPEN
            ? openFirst(columns, filter, after)
            : ordered(columns, filter, order, after);
    return bound(sql, filter)
        .bind("after", after == null ? null : after.number())
        .bind("priority", after == null ? null : after.rank())
        .bind("limit", limit);
  }

  private Sql ordered(
      String columns, TaskFilter filter, TaskOrder order, TaskOrder.@Nullable Place after) {
    List<String> conditions = conditions(filter);
    if (after != null) conditions.add(after(order));
    String where = conditions.isEmpty() ? "" : "WHERE " + String.join(" AND ", conditions);
    return tx.sql("SELECT <columns> FROM tasks <where> ORDER BY <order> LIMIT :limit")
        .define("columns", columns)
        .define("where", where)
        .define("order", order(order));
  }

  /**
   * One limited range of the index on (status, seq) for each status, so that a page costs the same
   * however many tasks there are.
   */
  private Sql openFirst(String columns, TaskFilter filter, TaskOrder.@Nullable Place after) {
    List<String> ranges = new ArrayList<>();
    var wanted = filter.standing().statuses();
    for (TaskStatus status : TaskStatus.values()) {
      int rank = TaskOrder.rank(status);
      boolean isPast = after != null && rank < after.rank();
      if (isPast || (!wanted.isEmpty() && !wanted.contains(status))) continue;
      boolean isNewestFirst = rank == TaskOrder.ENDED_RANK;
      List<String> conditions = conditions(filter);
      conditions.add("status = '" + status + "'");
      if (after != null && rank == after.rank()) {
        conditions.add(isNewestFirst ? "seq < :after" : "seq > :after");
      }
      ranges.add(
          "SELECT * FROM (SELECT "
              + columns
              + ", "
              + rank
              + " AS list_rank, "
              + (isNewestFirst ? "-seq" : "seq")
              + " AS list_place FROM tasks WHERE "
              + String.join(" AND ", conditions)
              + (isNewestFirst ? " ORDER BY seq DESC" : " ORDER BY seq")
              + " LIMIT :limit) AS "
              + status.name().toLowerCase(Locale.ROOT));
    }
    String all = ranges.isEmpty() ? nothing(columns) : String.join(" UNION ALL ", ranges);
    return tx.sql("SELECT * FROM (<ranges>) AS listed ORDER BY list_rank, list_place LIMIT :limit")
        .define("ranges", all);
  }

  private static String nothing(String columns) {
    return "SELECT " + columns + ", 0 AS list_rank, 0 AS list_place FROM tasks WHERE 1 = 0";
  }

  private static String order(TaskOrder order) {
    return switch (order) {
      case OLDEST -> "seq";
      case NEWEST -> "seq DESC";
      case URGENT -> "priority DESC, seq";
      case OPEN -> throw new IllegalArgumentException("this order has a statement of its own");
    };
  }

  private static String after(TaskOrder order) {
    return switch (order) {
      case OLDEST -> "seq > :after";
      case NEWEST -> "seq < :after";
      case URGENT -> "(priority < :priority OR (priority = :priority AND seq > :after))";
      case OPEN -> throw new IllegalArgumentException("this order has a statement of its own");
    };
  }

  /** How many there are that the filter lets through. */
  long count(TaskFilter filter) {
    List<String> conditions = conditions(filter);
    String where = conditions.isEmpty() ? "" : "WHERE " + String.join(" AND ", conditions);
    return bound(
            tx.sql("SELECT count(*) AS tasks FROM tasks <where>").define("where", where), filter)
        .one(row -> row.number("tasks"));
  }

  private List<String> conditions(TaskFilter filter) {
    List<String> all = new ArrayList<>();
    // One status alone is a range of an index in the order of the numbers; several are not.
    var statuses = filter.standing().statuses();
    if (statuses.size() == 1) all.add("status = :status");
    else if (!statuses.isEmpty()) all.add("status IN (:statuses)");
    switch (filter.standing().pending()) {
      case READY -> all.add("(status <> 'PENDING' OR (" + ReadyTasks.IS_READY + "))");
      case WAITING -> all.add("NOT (" + ReadyTasks.IS_READY + ")");
      case ANY -> {}
    }
    if (filter.type() != null) all.add("task_type = :type");
    if (filter.parent() != null) all.add("parent_id = :parent");
    if (filter.workflow() != null) all.add("workflow_id = :workflow");
    for (int i = 0; i < filter.words().size(); i++) all.add(says("word_" + i));
    return all;
  }

  private String says(String word) {
    List<String> places = new ArrayList<>();
    for (String column : List.of("id", "title", "description")) {
      places.add(tx.dialect().plainCase(column) + " LIKE :" + word + " ESCAPE '\\'");
    }
    return "(" + String.join(" OR ", places) + ")";
  }

  private static Sql bound(Sql sql, TaskFilter filter) {
    var statuses = filter.standing().statuses();
    sql.bind("status", statuses.stream().findFirst().orElse(null))
        .bind("type", filter.type())
        .bind("parent", filter.parent())
        .bind("workflow", filter.workflow());
    if (statuses.size() > 1) sql.bind("statuses", statuses);
    for (int i = 0; i < filter.words().size(); i++) {
      sql.bind("word_" + i, "%" + escaped(filter.words().get(i)) + "%");
    }
    return sql;
  }

  /** Letters of the alphabet in lower case, as both databases compare no others so. */
  private static String escaped(String word) {
    StringBuilder pattern = new StringBuilder();
    for (char each : word.toCharArray()) {
      if (each == '%' || each == '_' || each == '\\') pattern.append('\\');
      pattern.append(each >= 'A' && each <= 'Z' ? (char) (each + ('a' - 'A')) : each);
    }
    return pattern.toString();
  }
}
