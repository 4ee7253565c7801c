package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.state.Known;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The few commands that agents call all the time, parsed by hand before picocli is loaded, which
 * alone would cost 70 ms. Whatever is not exactly understood here is left to picocli, so help and
 * errors are the same.
 */
final class HotCommands {
  private static final int NOT_MINE = -1;

  private static final Set<String> CREATE_OPTIONS =
      Set.of("--db", "--key", "--description", "--type", "--priority", "--parent", "--metadata");

  private static final Set<String> LIST_OPTIONS =
      Set.of(
          "--db",
          "--status",
          "--type",
          "--parent",
          "--workflow",
          "--search",
          "--order",
          "--limit",
          "--after");

  private HotCommands() {}

  /** One task shown in one way. */
  @FunctionalInterface
  private interface Showing {
    int run(Session session, @Nullable String db, String id, boolean json);
  }

  /** The exit code, or -1 when picocli must look at the arguments. */
  static int tryRun(String[] args, Session session) {
    if (args.length == 1 && args[0].equals("mcp")) return session.services().mcp(null);
    if (args.length < 2) return NOT_MINE;
    if (args[0].equals("hook")) return tryHook(args, session);
    if (args[0].equals("dump")) return tryRun(args, 1, session, HotCommands::dump);
    if (args[0].equals("prompt")) return tryPrompt(args, session);
    if (args[0].equals("task") && args[1].equals("create")) return tryCreate(args, session);
    if (args[0].equals("task") && args[1].equals("list")) return tryList(args, session);
    if (!args[1].equals("show")) return NOT_MINE;
    if (args[0].equals("task")) return tryRun(args, 2, session, HotCommands::showTask);
    if (args[0].equals("state")) return tryRun(args, 2, session, HotCommands::showState);
    return NOT_MINE;
  }

  private static int tryRun(String[] args, int from, Session session, Showing showing) {
    String id = null;
    String db = null;
    boolean json = false;
    for (int i = from; i < args.length; i++) {
      String arg = args[i];
      if (arg.equals("--json")) json = true;
      else if (arg.equals("--db") && i + 1 < args.length && db == null) db = args[++i];
      else if (!arg.startsWith("-") && id == null) id = arg;
      else return NOT_MINE;
    }
    return id == null ? NOT_MINE : showing.run(session, db, id, json);
  }

  /**
   * What is not understood is passed over: to an agent's host the exit code of a wrong usage says
   * that its tool must not run.
   */
  private static int tryHook(String[] args, Session session) {
    String event = null;
    String db = null;
    String agent = null;
    for (int i = 1; i < args.length; i++) {
      String arg = args[i];
      boolean valued = i + 1 < args.length;
      if (arg.equals("--help") || arg.equals("-h")) return NOT_MINE;
      if (arg.equals("--db") && valued) db = args[++i];
      else if (arg.equals("--agent") && valued) agent = args[++i];
      else if (arg.startsWith("--agent=")) agent = arg.substring("--agent=".length());
      else if (arg.startsWith("--db=")) db = arg.substring("--db=".length());
      else if (!arg.startsWith("-") && event == null) event = arg;
    }
    return event == null ? NOT_MINE : HookCommand.run(session, db, event, agent);
  }

  private static int tryCreate(String[] args, Session session) {
    PlainArguments given = PlainArguments.of(args, 2, CREATE_OPTIONS).orElse(null);
    if (given == null || given.word() == null || !given.isNumber("--priority")) return NOT_MINE;
    var create = new CreateTaskCommand(session);
    create.title = given.word();
    create.json = given.json();
    create.db = given.value("--db");
    create.key = given.value("--key");
    create.description = given.value("--description");
    create.type = given.value("--type");
    create.priority = given.number("--priority");
    create.parent = given.value("--parent");
    create.metadata = given.value("--metadata");
    return create.run();
  }

  private static int tryList(String[] args, Session session) {
    PlainArguments given = PlainArguments.of(args, 2, LIST_OPTIONS).orElse(null);
    if (given == null || given.word() != null || !given.isNumber("--limit")) return NOT_MINE;
    var list = new TaskCommands.ListAll(session);
    list.json = given.json();
    list.db = given.value("--db");
    list.status = given.value("--status");
    list.type = given.value("--type");
    list.parent = given.value("--parent");
    list.workflow = given.value("--workflow");
    list.search = given.value("--search");
    list.order = given.value("--order");
    list.after = given.value("--after");
    Integer limit = given.number("--limit");
    list.limit = limit == null ? TaskCommands.ListAll.LIMIT : limit;
    return list.run();
  }

  private static int tryPrompt(String[] args, Session session) {
    String id = null;
    String db = null;
    String host = null;
    Integer budget = null;
    boolean json = false;
    for (int i = 1; i < args.length; i++) {
      String arg = args[i];
      boolean valued = i + 1 < args.length;
      if (arg.equals("--json")) json = true;
      else if (arg.equals("--db") && valued && db == null) db = args[++i];
      else if (arg.equals("--for") && valued && host == null) host = args[++i];
      else if (arg.equals("--budget") && valued && args[i + 1].matches("\\d{1,9}"))
        budget = Integer.valueOf(args[++i]);
      else if (!arg.startsWith("-") && id == null) id = arg;
      else return NOT_MINE;
    }
    if (id == null) return NOT_MINE;
    var asked = new PromptCommand.Asked(id, host, budget);
    return PromptCommand.run(session, db, asked, false, json);
  }

  static int showTask(Session session, @Nullable String db, String id, boolean json) {
    TaskId named = session.task(db, id);
    Task task = session.withExisting(db, house -> house.tasks().show(named));
    if (json) session.json(TaskJson.write(task));
    else session.io().out().print(TaskText.show(task));
    return ExitCodes.OK;
  }

  /** The notebook as it is rendered; with --json the fields as the table keeps them. */
  static int dump(Session session, @Nullable String db, String id, boolean json) {
    TaskId task = session.task(db, id);
    if (json) {
      session.json(session.withExisting(db, house -> house.notebooks().load(task)).toBlob());
      return ExitCodes.OK;
    }
    Actor reader = session.call(null).actor();
    String text = session.withExisting(db, house -> house.notebooks().dump(task, reader));
    if (!text.isEmpty()) session.print(Printable.text(text));
    return ExitCodes.OK;
  }

  static int showState(Session session, @Nullable String db, String id, boolean json) {
    TaskId task = session.task(db, id);
    if (json) {
      Known known = session.withExisting(db, house -> house.notebooks().known(task));
      session.json(known.toJson());
      return ExitCodes.OK;
    }
    Actor reader = session.call(null).actor();
    String text = session.withExisting(db, house -> house.notebooks().show(task, reader));
    if (text.isEmpty()) session.note(Phrase.of("nothing is known about %s yet", task));
    else session.print(Printable.text(text));
    return ExitCodes.OK;
  }
}
