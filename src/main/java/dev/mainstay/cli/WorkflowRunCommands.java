package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.json.JsonText;
import dev.mainstay.workflow.NewExecution;
import dev.mainstay.workflow.NewMessage;
import dev.mainstay.workflow.Question;
import dev.mainstay.workflow.SessionName;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.WorkflowJson;
import dev.mainstay.workspace.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay workflow start|executions|questions|message}: workflows under way. */
final class WorkflowRunCommands {
  private static final int PAGE = 50;

  private WorkflowRunCommands() {}

  static void addTo(CommandLine noun, Session session) {
    noun.addSubcommand(new Start(session))
        .addSubcommand(new Executions(session))
        .addSubcommand(new Questions(session))
        .addSubcommand(new Message(session));
  }

  @CommandLine.Command(
      name = "start",
      description = "Start a workflow; prints the id of its execution.",
      footer = {
        "",
        "'mainstay workflow show NAME' lists the variables it reads. Tasks for agents of a profile are",
        "placed by a running server ('mainstay serve').",
        "",
        "Example:",
        "  mainstay workflow start release --var version=1.4.0 --var 'reviewers=[\"ada\", \"max\"]'"
      })
  private static final class Start extends WorkflowCommand.Writing {
    @Parameters(
        index = "0",
        paramLabel = "NAME",
        description = "the workflow's name for its newest version, name@version, or a version's id")
    String name;

    @Mixin VariableOptions variables;

    @Option(
        names = "--vars",
        paramLabel = "JSON",
        description = "variables as a JSON object, before those of --var; - reads it")
    @Nullable String all;

    @Option(
        names = "--session",
        paramLabel = "S",
        description = "the session its agents work in (default: named after the folder)")
    @Nullable String inSession;

    @Option(names = "--folder", paramLabel = "DIR", description = "where they work (default: here)")
    @Nullable Path folder;

    @Option(
        names = "--wait",
        paramLabel = "10m",
        description = "for its end, at most so long; it goes on after that")
    @Nullable String wait;

    Start(Session session) {
      super(session);
    }

    @Override
    int run() {
      Duration atMost = wait == null ? Duration.ZERO : LeaseCommands.length("a wait", wait);
      Path given = folder;
      Path where =
          given == null ? session.services().workDir() : given.toAbsolutePath().normalize();
      if (!Files.isDirectory(where)) {
        throw Refusal.invalid(Phrase.of("there is no folder %s; make it or name another", where));
      }
      String place = inSession == null ? SessionName.of(where) : inSession;
      var wanted = new NewExecution(name, place, Host.current(), where, values());
      WorkflowExecution last =
          session.withExisting(
              db,
              house -> {
                WorkflowExecutions executions = house.workflowExecutions();
                WorkflowExecution begun = executions.start(wanted, caller());
                house
                    .workflows()
                    .startNotes(begun.workflow(), wanted.variables())
                    .forEach(each -> session.note(Printable.line("note: " + each)));
                return atMost.isZero()
                    ? begun
                    : executions.await(begun.id(), atMost, executions::due);
              });
      if (json) session.json(last.toJson());
      else session.print(last.id());
      boolean goesWell = !last.status().isOver() && last.standing().error() == null;
      if (wait == null && goesWell) return ExitCodes.OK;
      session.note(Printable.line(WorkflowText.sentence(last)));
      if (wait == null) return ExitCodes.OK;
      return last.status() == Status.COMPLETED ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private JsonObject values() {
      String whole = session.textOrInput("the variables", all);
      JsonObject values = whole == null ? JsonObject.EMPTY : JsonText.object(whole);
      for (var each : variables.values().asMap().entrySet()) {
        values = values.withAny(each.getKey(), each.getValue());
      }
      return values;
    }
  }

  @CommandLine.Command(
      name = "executions",
      description = "List executions, the newest first.",
      footer = {"", "Example:", "  mainstay workflow executions release --status running"})
  private static final class Executions extends WorkflowCommand {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "NAME",
        description = "only those of this workflow")
    @Nullable String name;

    @Option(
        names = "--status",
        paramLabel = "S",
        description = "running, paused, completed, failed or cancelled")
    @Nullable String status;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "" + PAGE,
        description = "at most so many (default ${DEFAULT-VALUE})")
    int limit;

    @Option(names = "--cursor", paramLabel = "EXECUTION", description = "go on after this one")
    @Nullable String cursor;

    Executions(Session session) {
      super(session);
    }

    @Override
    int run() {
      Status wanted = status == null ? null : status(status);
      List<WorkflowExecution> found =
          upToDate(executions -> executions.list(name, wanted, cursor, limit));
      String next = found.size() < limit ? null : found.get(found.size() - 1).id();
      if (json) {
        session.json(
            JsonObject.of("executions", found.stream().map(WorkflowExecution::toJson).toList())
                .withAny("next", next));
        return ExitCodes.OK;
      }
      if (found.isEmpty()) session.note("none; 'mainstay workflow start NAME' starts one");
      else session.print(table(found));
      if (next != null) session.note("there may be more: --cursor " + next);
      return ExitCodes.OK;
    }

    private List<String> table(List<WorkflowExecution> found) {
      Table table =
          new Table(session.columns(), "EXECUTION", "STATUS", "WORKFLOW", "AT", "STARTED", "ERROR");
      for (WorkflowExecution each : found) {
        String node = each.standing().node();
        String error = each.standing().error();
        table.row(
            each.id(),
            each.status().name(),
            each.workflow(),
            node == null ? "-" : node,
            ExecutionText.time(each.stamps().startedAt()),
            error == null ? "" : error);
      }
      return table.lines();
    }
  }

  private static Status status(String typed) {
    List<String> names = Arrays.stream(Status.values()).map(Status::name).toList();
    String name = typed.toUpperCase(Locale.ROOT);
    if (names.contains(name)) return Status.valueOf(name);
    throw Refusal.invalid(
        Phrase.of(
            "there is no status \"%s\"; %s",
            typed, Nearest.guess(name, names).toLowerCase(Locale.ROOT)));
  }

  @CommandLine.Command(
      name = "questions",
      description = "List what workflows ask people, oldest first, with how to answer.",
      footer = {"", "Example:", "  mainstay workflow questions"})
  private static final class Questions extends WorkflowCommand {
    Questions(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Question> all = upToDate(each -> each.questions(WorkflowExecutions.PAGE_MAX));
      if (json) {
        session.json(JsonObject.of("questions", all.stream().map(Question::toJson).toList()));
      } else if (all.isEmpty()) {
        session.note("nobody is asked anything");
      } else {
        for (Question each : all) {
          long alike = all.stream().filter(other -> isAtTheSame(each, other)).count();
          tell(each, alike == 1 ? each.node() : each.by().token());
        }
      }
      return ExitCodes.OK;
    }

    private static boolean isAtTheSame(Question one, Question other) {
      return one.execution().equals(other.execution()) && one.node().equals(other.node());
    }

    private void tell(Question question, String where) {
      session.print(
          Printable.line(
              Phrase.of(
                  "%s (%s, since %s)",
                  question.text(), question.node(), ExecutionText.time(question.since()))));
      session.print(
          Printable.line(
              Phrase.of(
                  "  mainstay workflow answer %s %s --answer %s",
                  question.execution(), ExecutionText.quoted(where), answers(question.answers()))));
    }

    /** The first as it can be typed, and the others behind what a shell takes for a comment. */
    private static String answers(List<String> allowed) {
      if (allowed.isEmpty()) return "TEXT";
      String first = ExecutionText.quoted(allowed.get(0));
      if (allowed.size() == 1) return first;
      return first + "   # or: " + String.join(", ", allowed.subList(1, allowed.size()));
    }
  }

  @CommandLine.Command(
      name = "message",
      description =
          "Give a message to the execution that waits for it longest, or start one by it.",
      footer = {
        "",
        "Example:",
        "  mainstay workflow message build-finished --correlation 1.2.0 --var ok=true"
      })
  private static final class Message extends WorkflowCommand.Writing {
    @Parameters(index = "0", paramLabel = "NAME", description = "the message's name")
    String name;

    @Option(
        names = "--correlation",
        paramLabel = "K",
        description = "which of several waiting executions is meant")
    @Nullable String correlation;

    @Option(
        names = "--execution",
        paramLabel = "EXECUTION",
        description = "the only one that may get it")
    @Nullable String execution;

    @Mixin VariableOptions content;

    @Option(names = "--keep", description = "keep it when nobody waits for it yet")
    boolean keep;

    Message(Session session) {
      super(session);
    }

    @Override
    int run() {
      var message = new NewMessage(name, correlation, execution, content.values(), keep);
      Optional<WorkflowExecution> got =
          upToDate(executions -> executions.message(message, caller()));
      if (json) {
        session.json(WorkflowJson.delivered(got));
      } else {
        session.print(
            Printable.line(
                got.map(WorkflowText::sentence)
                    .orElse(name + " is kept until somebody waits for it")));
      }
      return ExitCodes.OK;
    }
  }
}
