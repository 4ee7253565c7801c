package dev.mainstay.store;

import dev.mainstay.domain.TaskId;

/**
 * Something whose history is over: a task or an execution that ended, or what was known of a
 * terminal.
 */
public record ClosedStream(Kind kind, String id) {

  /** What can leave by age, and where its row is. */
  public enum Kind {
    TASK(
        "task/",
        "tasks",
        "id",
        "t.status IN ('COMPLETED', 'FAILED', 'CANCELLED') AND t.updated_at <= :until"),
    EXECUTION(
        "execution/",
        "workflow_executions",
        "id",
        "t.status IN ('COMPLETED', 'FAILED', 'CANCELLED') AND t.updated_at <= :until"),
    TERMINAL("terminal/", "terminal_states", "terminal_id", "t.updated_at <= :until");

    private final String prefix;
    private final String table;
    private final String key;
    private final String old;

    Kind(String prefix, String table, String key, String old) {
      this.prefix = prefix;
      this.table = table;
      this.key = key;
      this.old = old;
    }

    String prefix() {
      return prefix;
    }

    String table() {
      return table;
    }

    String key() {
      return key;
    }

    /** The condition for a row that has not been touched for the age. */
    String old() {
      return old;
    }
  }

  public static ClosedStream of(String stream) {
    for (Kind kind : Kind.values()) {
      if (stream.startsWith(kind.prefix)) {
        return new ClosedStream(kind, stream.substring(kind.prefix.length()));
      }
    }
    throw new IllegalArgumentException(stream + " is no stream that can be archived");
  }

  public static ClosedStream of(TaskId task) {
    return new ClosedStream(Kind.TASK, task.value());
  }

  public String stream() {
    return kind.prefix + id;
  }

  @Override
  public String toString() {
    return kind == Kind.TERMINAL ? stream() : id;
  }
}
