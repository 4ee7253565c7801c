package dev.mainstay.domain;

import java.util.List;

/** A folder on one host that shows the execution of one task. */
public record StateDirectory(String host, String folder, TaskId task, String execution) {
  /** Locked while one process works on the folder. */
  public static final String LOCK = ".mainstay.lock";

  public static final String PLAN = "plan.md";
  public static final String CONTEXT = "context.md";
  public static final String VARIABLES = "variables.json";
  public static final String HISTORY = "history.md";
  public static final String CONSTRAINTS = "constraints.md";

  /** What Mainstay writes there. */
  public static final List<String> FILES =
      List.of(PLAN, CONTEXT, VARIABLES, HISTORY, CONSTRAINTS, LOCK);

  /** The same folder has the same id, whatever it shows. */
  public static String id(String host, String folder) {
    return JournalEntry.sha256(host.length() + ":" + host + folder).substring(0, 32);
  }

  public String id() {
    return id(host, folder);
  }
}
