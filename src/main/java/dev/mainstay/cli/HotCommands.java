package dev.mainstay.cli;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import org.jspecify.annotations.Nullable;

/**
 * The few commands that agents call all the time, parsed by hand before picocli is loaded, which
 * alone would cost 70 ms. Whatever is not exactly understood here is left to picocli, so help and
 * errors are the same.
 */
final class HotCommands {
  private static final int NOT_MINE = -1;

  private HotCommands() {}

  /** The exit code, or -1 when picocli must look at the arguments. */
  static int tryRun(String[] args, Session session) {
    if (args.length < 3 || !args[0].equals("task") || !args[1].equals("show")) return NOT_MINE;
    String id = null;
    String db = null;
    boolean json = false;
    for (int i = 2; i < args.length; i++) {
      String arg = args[i];
      if (arg.equals("--json")) json = true;
      else if (arg.equals("--db") && i + 1 < args.length && db == null) db = args[++i];
      else if (!arg.startsWith("-") && id == null) id = arg;
      else return NOT_MINE;
    }
    return id == null ? NOT_MINE : showTask(session, db, id, json);
  }

  static int showTask(Session session, @Nullable String db, String id, boolean json) {
    Task task = session.withExisting(db, house -> house.tasks().show(TaskId.parse(id)));
    if (json) session.json(TaskJson.write(task));
    else session.io().out().print(TaskText.show(task));
    return ExitCodes.OK;
  }
}
