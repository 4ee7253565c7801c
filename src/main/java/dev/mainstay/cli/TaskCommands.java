package dev.mainstay.cli;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.TaskType;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Tasks;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay task ...}: make tasks, look at them, say what they wait for. */
final class TaskCommands {
  private TaskCommands() {}

  static CommandLine noun(Session session) {
    CommandLine noun = new CommandLine(new Noun());
    LeaseCommands.addTo(noun, session);
    AssignmentCommands.addTo(noun, session);
    HelperCommands.addTo(noun, session);
    return noun.addSubcommand(new CreateTaskCommand(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Ready(session))
        .addSubcommand(new Show(session))
        .addSubcommand(new Update(session))
        .addSubcommand(new Cancel(session))
        .addSubcommand(new Depend(session))
        .addSubcommand(new TaskTypeCommand(session));
  }

  @CommandLine.Command(
      name = "task",
      synopsisSubcommandLabel = "COMMAND",
      description = "Make tasks, look at them, and say what they wait for.",
      footer = {"", "Example:", "  mainstay task create \"Add login\" --priority 5"})
  private static final class Noun {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "show this help")
    boolean help;
  }

  static int show(Command command, Task task, String sentence) {
    if (command.json) command.session.json(TaskJson.write(task));
    else command.session.print(sentence);
    return ExitCodes.OK;
  }

  @CommandLine.Command(
      name = "list",
      description = "List tasks: held ones first, then pending ones, then the newest ended ones.",
      footer = {
        "",
        "Example:",
        "  mainstay task list --status PENDING --limit 20",
        "  mainstay task list --search login --order newest"
      })
  static final class ListAll extends Command {
    static final int LIMIT = 50;

    @Option(
        names = "--status",
        paramLabel = "STATUS",
        description = "only tasks that stand so, such as READY,FAILED")
    @Nullable String status;

    @Option(names = "--type", paramLabel = "CODE", description = "only tasks of this type")
    @Nullable String type;

    @Option(names = "--parent", paramLabel = "T-001", description = "only parts of this task")
    @Nullable String parent;

    @Option(names = "--workflow", paramLabel = "ID", description = "only tasks of this workflow")
    @Nullable String workflow;

    @Option(
        names = "--search",
        paramLabel = "WORDS",
        description = "only tasks with each of these words in their text or id")
    @Nullable String search;

    @Option(
        names = "--order",
        paramLabel = "ORDER",
        description = "open (default), oldest, newest or urgent first")
    @Nullable String order;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "" + LIMIT,
        description = "at most so many (default 50)")
    int limit;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "go on after this one; the page before says which")
    @Nullable String after;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      var filter =
          new TaskFilter(
                  null,
                  type == null ? null : new TaskType(type),
                  parent == null ? null : session.task(db, parent),
                  workflow)
              .standing(status)
              .saying(search);
      TaskOrder wanted = TaskOrder.parse(order, TaskOrder.OPEN);
      return json ? asJson(filter, wanted) : asTable(filter, wanted);
    }

    private int asJson(TaskFilter filter, TaskOrder wanted) {
      Tasks.Page page =
          session.withExisting(db, house -> house.tasks().list(filter, wanted, after, limit));
      var tasks = page.tasks().stream().map(TaskJson::write).toList();
      session.json(JsonObject.of("tasks", tasks, "next", page.next()));
      return ExitCodes.OK;
    }

    private int asTable(TaskFilter filter, TaskOrder wanted) {
      Tasks.Lines page =
          session.withExisting(db, house -> house.tasks().lines(filter, wanted, after, limit));
      if (page.lines().isEmpty())
        session.note(
            filter.equals(TaskFilter.ALL)
                ? "no tasks; 'mainstay task create TITLE' makes one"
                : "no such tasks; 'mainstay task list' shows those there are");
      else session.print(TaskText.table(page.lines(), session.columns()));
      String how = order == null ? "" : " --order " + order;
      if (page.next() != null) {
        session.note("more: mainstay task list" + how + " --after " + page.next());
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "ready",
      description = "List the tasks that can be begun now, most urgent first.",
      footer = {"", "Example:", "  mainstay task ready --type REVIEW"})
  private static final class Ready extends Command {
    @Option(names = "--type", paramLabel = "CODE", description = "only tasks of this type")
    @Nullable String type;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "at most so many (default 50)")
    int limit;

    Ready(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskType wanted = type == null ? null : new TaskType(type);
      List<Task> ready = session.withExisting(db, house -> house.tasks().ready(wanted, limit));
      if (json) session.json(JsonObject.of("tasks", ready.stream().map(TaskJson::write).toList()));
      else if (ready.isEmpty())
        session.note("no task is ready; 'mainstay task list' shows what they wait for");
      else {
        List<TaskLine> lines = ready.stream().map(TaskLine::of).toList();
        session.print(TaskText.table(lines, session.columns()));
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "show",
      description = "Show one task.",
      footer = {"", "Example:", "  mainstay task show T-001"})
  private static final class Show extends Command.OfTask {
    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      return HotCommands.showTask(session, db, task, json);
    }
  }

  @CommandLine.Command(
      name = "update",
      description = "Change fields of a task.",
      footer = {"", "Example:", "  mainstay task update T-001 --priority 9 --version 3"})
  private static final class Update extends Command.WritingOfTask {
    @Option(names = "--title", paramLabel = "TEXT", description = "another title")
    @Nullable String title;

    @Option(
        names = "--description",
        paramLabel = "TEXT",
        description = "another description; - reads it from standard input")
    @Nullable String description;

    @Option(names = "--type", paramLabel = "CODE", description = "another type")
    @Nullable String type;

    @Option(names = "--priority", paramLabel = "N", description = "another priority")
    @Nullable Integer priority;

    @Option(names = "--metadata", paramLabel = "JSON", description = "other metadata")
    @Nullable String metadata;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "refuse when the task is no longer at this version")
    @Nullable Long version;

    Update(Session session) {
      super(session);
    }

    @Override
    int run() {
      String text = session.textOrInput("the description", description);
      JsonObject changes =
          JsonObject.of(
              "title",
              title,
              "description",
              text,
              "task_type",
              type,
              "priority",
              priority,
              "metadata",
              metadata == null ? null : JsonText.object(metadata));
      if (changes.isEmpty())
        throw Refusal.invalid(
            "nothing to change; give --title, --description, --type, --priority or --metadata");
      TaskId id = session.task(db, task);
      Task changed =
          session.withExisting(db, house -> house.tasks().update(id, changes, version, caller()));
      return show(
          this, changed, Phrase.of("%s is now at version %d", id, changed.stamps().version()));
    }
  }

  @CommandLine.Command(
      name = "cancel",
      description = "Cancel a task, and with it what can no longer start without it.",
      footer = {"", "Example:", "  mainstay task cancel T-004 --reason \"no longer wanted\""})
  private static final class Cancel extends Command.WritingOfTask {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "why; kept with the task")
    String reason;

    Cancel(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task cancelled =
          session.withExisting(db, house -> house.tasks().cancel(id, reason, caller()));
      return show(this, cancelled, id + " is cancelled");
    }
  }

  @CommandLine.Command(
      name = "depend",
      description = "Make a task wait for another, or no longer.",
      footer = {
        "",
        "Example:",
        "  mainstay task depend T-004 --on T-001",
        "  mainstay task depend T-004 --on T-001 --remove"
      })
  private static final class Depend extends Command.Writing {
    @Parameters(paramLabel = "TASK", description = "the task that waits")
    String task;

    @Option(
        names = "--on",
        required = true,
        paramLabel = "T-001",
        description = "the task it waits for")
    String on;

    @Option(
        names = "--kind",
        paramLabel = "KIND",
        defaultValue = "blocks",
        description = "blocks (default), after-failure or after-any")
    String kind;

    @Option(names = "--remove", description = "wait for it no longer")
    boolean remove;

    Depend(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      TaskId other = session.task(db, on);
      var dependency = new Dependency(other, Dependency.Kind.parse(kind));
      Task changed =
          session.withExisting(
              db,
              house ->
                  remove
                      ? house.tasks().undepend(id, other, caller())
                      : house.tasks().depend(id, dependency, caller()));
      String sentence = remove ? "%s no longer waits for %s" : "%s waits for %s";
      return show(this, changed, Phrase.of(sentence, id, other));
    }
  }
}
