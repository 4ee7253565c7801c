package dev.mainstay.cli;

import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workflow;
import dev.mainstay.json.JsonText;
import dev.mainstay.workflow.ExecutionView;
import dev.mainstay.workflow.WorkflowJson;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workflow.Workflows.Imported;
import dev.mainstay.workflow.Workflows.Shown;
import dev.mainstay.workflow.Workflows.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay workflow import|list|show|export}: workflows as they are drawn. */
final class WorkflowCommands {
  private static final String NAMED = "a name, name@version, or the id of a version";

  private WorkflowCommands() {}

  static CommandLine noun(Session session) {
    CommandLine noun =
        new CommandLine(new Noun())
            .addSubcommand(new Import(session))
            .addSubcommand(new ListAll(session))
            .addSubcommand(new Show(session))
            .addSubcommand(new Export(session));
    WorkflowRunCommands.addTo(noun, session);
    WorkflowControlCommands.addTo(noun, session);
    WorkflowStartCommands.addTo(noun, session);
    return noun;
  }

  @CommandLine.Command(
      name = "workflow",
      synopsisSubcommandLabel = "COMMAND",
      description = "Run processes drawn in BPMN: work for agents, questions for people.",
      footer = {
        "",
        "Tasks of a workflow are tasks of the queue: whoever claims and completes one moves it on.",
        "",
        "Example:",
        "  mainstay workflow import examples/release.bpmn",
        "  mainstay workflow start release --var version=1.4.0",
        "  mainstay workflow questions"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "import",
      description = "Take in a file of BPMN 2.0, or the same as JSON; each change is a version.",
      footer = {
        "",
        "Example:",
        "  mainstay workflow import examples/release.bpmn",
        "  mainstay workflow import --check drawing.bpmn"
      })
  private static final class Import extends WorkflowCommand.Writing {
    @Parameters(
        index = "0",
        paramLabel = "FILE",
        description = "BPMN, or JSON with name, title, nodes and edges; - reads standard input")
    String file;

    @Option(names = "--check", description = "only say what speaks against it; nothing is kept")
    boolean check;

    Import(Session session) {
      super(session);
    }

    @Override
    int run() {
      String text = Workflows.text(session.inputBytes("the workflow", file));
      boolean asJson = text.stripLeading().startsWith("{");
      List<Problem> problems =
          asJson ? Workflows.check(JsonText.object(text)) : Workflows.check(text);
      if (check) return checked(problems);
      if (problems.stream().anyMatch(Problem::isFatal)) return refused(problems);
      List<Imported> taken =
          session.with(
              db,
              house ->
                  asJson
                      ? List.of(house.workflows().importJson(JsonText.object(text), caller()))
                      : house.workflows().importBpmn(text, caller()));
      if (json) {
        session.json(JsonObject.of("workflows", taken.stream().map(WorkflowJson::write).toList()));
      } else {
        taken.forEach(this::tell);
      }
      return ExitCodes.OK;
    }

    private int checked(List<Problem> problems) {
      boolean fatal = problems.stream().anyMatch(Problem::isFatal);
      if (json) {
        session.json(
            JsonObject.of("problems", problems.stream().map(Problem::toJson).toList())
                .with("runs", !fatal));
      } else {
        problems.forEach(each -> session.print(line(each)));
        if (problems.isEmpty()) session.print("nothing speaks against it");
      }
      return fatal ? ExitCodes.REFUSED : ExitCodes.OK;
    }

    private int refused(List<Problem> problems) {
      String sentence =
          Phrase.of(
              "%s cannot be run like this, and nothing was taken in; see its problems",
              file.equals("-") ? "standard input" : file);
      if (json) {
        session.note(
            JsonText.write(
                JsonObject.of("error", "invalid", "message", sentence)
                    .with("problems", problems.stream().map(Problem::toJson).toList())));
      } else {
        problems.forEach(each -> session.note(line(each)));
        session.note("mainstay: " + Printable.line(sentence));
      }
      return ExitCodes.REFUSED;
    }

    private static String line(Problem problem) {
      return Printable.line((problem.isFatal() ? "" : "note: ") + problem);
    }

    private void tell(Imported each) {
      Workflow workflow = each.workflow();
      session.print(
          Printable.line(
              Phrase.of(
                  "%s %s version %d%s",
                  workflow.id(),
                  workflow.name(),
                  workflow.version(),
                  each.isNew() ? "" : ", as it was")));
      each.notes().forEach(note -> session.print("  " + line(note)));
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the newest version of each workflow, and how many are under way.",
      footer = {"", "Example:", "  mainstay workflow list"})
  private static final class ListAll extends WorkflowCommand {
    @Option(names = "--after", paramLabel = "NAME", description = "go on after this workflow")
    @Nullable String after;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Summary> all =
          session.withExisting(
              db,
              house -> {
                house.workflowExecutions().due();
                return house.workflows().list(after, Workflows.PAGE_MAX);
              });
      if (json) {
        session.json(JsonObject.of("workflows", all.stream().map(WorkflowJson::write).toList()));
      } else if (all.isEmpty()) {
        session.note("no workflows; 'mainstay workflow import FILE' takes one in");
      } else {
        Table table = new Table(session.columns(), "NAME", "VERSION", "ID", "UNDER WAY", "TITLE");
        for (Summary each : all) {
          Workflow workflow = each.workflow();
          table.row(
              workflow.name(),
              Long.toString(workflow.version()),
              workflow.id(),
              Long.toString(each.live()),
              workflow.title());
        }
        session.print(table.lines());
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "show",
      description =
          "Show a workflow's nodes; or how an execution stands, what it waits for and what happened.",
      footer = {
        "",
        "Example:",
        "  mainstay workflow show release",
        "  mainstay workflow show exec-0a1b2c3d"
      })
  private static final class Show extends WorkflowCommand {
    @Parameters(
        index = "0",
        paramLabel = "NAME|EXECUTION",
        description = NAMED + ", or the id of an execution")
    String which;

    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      return which.startsWith(WorkflowText.EXECUTION) ? showExecution() : showWorkflow();
    }

    private int showWorkflow() {
      Shown shown = session.withExisting(db, house -> house.workflows().show(which));
      if (json) session.json(WorkflowJson.write(shown));
      else session.print(WorkflowText.lines(shown, session.columns()));
      return ExitCodes.OK;
    }

    private int showExecution() {
      List<String> lines = new ArrayList<>();
      ExecutionView view =
          session.withExisting(
              db,
              house -> {
                house.workflowExecutions().due();
                ExecutionView seen = house.workflowExecutions().show(which);
                Shown drawn = house.workflows().show(seen.workflow().id());
                if (!json) lines.addAll(ExecutionText.lines(seen, drawn, session.columns()));
                return seen;
              });
      if (json) session.json(WorkflowJson.write(view));
      else session.print(lines);
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "export",
      description = "Give a workflow back as BPMN 2.0 with its diagram.",
      footer = {"", "Example:", "  mainstay workflow export release --output release.bpmn"})
  private static final class Export extends WorkflowCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = NAMED)
    String which;

    @Option(
        names = "--output",
        paramLabel = "FILE",
        description = "the file to write (default: standard output); one that is there is replaced")
    @Nullable Path output;

    Export(Session session) {
      super(session);
    }

    @Override
    int run() {
      String xml = session.withExisting(db, house -> house.workflows().export(which));
      Path place = output;
      if (place != null) write(place, xml);
      if (json) {
        JsonObject told = JsonObject.of("workflow", which);
        session.json(place == null ? told.with("bpmn", xml) : told.with("file", place.toString()));
      } else if (place == null) {
        session.io().out().print(xml);
      } else {
        session.print(Phrase.of("%s is in %s", which, place));
      }
      return ExitCodes.OK;
    }

    private static void write(Path place, String xml) {
      try {
        Files.writeString(place, xml);
      } catch (IOException fault) {
        throw Refusal.invalid(
            Phrase.of("%s cannot be written: %s; name another file", place, fault.getMessage()));
      }
    }
  }
}
