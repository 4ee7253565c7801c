package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.json.JsonText;
import dev.mainstay.workflow.WorkflowExecutions;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code mainstay workflow schedule|messages}: what starts by itself, and what waits to be taken.
 */
final class WorkflowStartCommands {
  private WorkflowStartCommands() {}

  static void addTo(CommandLine noun, Session session) {
    noun.addSubcommand(new Schedule(session)).addSubcommand(new Messages(session));
  }

  @CommandLine.Command(
      name = "schedule",
      description = "Show the moments and messages that start a workflow, or end that.",
      footer = {
        "",
        "A new version begins with what is drawn in it.",
        "",
        "Example:",
        "  mainstay workflow schedule nightly",
        "  mainstay workflow schedule nightly --off"
      })
  private static final class Schedule extends WorkflowCommand.Writing {
    @Parameters(index = "0", paramLabel = "NAME", description = "the workflow's name")
    String name;

    @Option(names = "--off", description = "nothing starts it by itself any more")
    boolean off;

    @Option(names = "--on", description = "what is drawn starts it again, from now on")
    boolean on;

    Schedule(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (on && off) throw Refusal.invalid("a schedule goes on or ends; give --on or --off");
      List<WorkflowStart> starts =
          session.withExisting(
              db,
              house ->
                  on || off
                      ? house.workflows().schedule(name, on, caller())
                      : house.workflows().schedule(name));
      if (json) {
        session.json(JsonObject.of("starts", starts.stream().map(WorkflowStart::toJson).toList()));
      } else if (starts.isEmpty()) {
        session.print(Printable.line(Phrase.of("nothing starts %s by itself", name)));
      } else {
        for (WorkflowStart each : starts) session.print(Printable.line(line(each)));
      }
      return ExitCodes.OK;
    }

    private static String line(WorkflowStart start) {
      Instant due = start.dueAt();
      return due == null
          ? Phrase.of("%s: by the message %s", start.node(), start.message())
          : Phrase.of("%s: next at %s", start.node(), ExecutionText.time(due));
    }
  }

  @CommandLine.Command(
      name = "messages",
      description = "List messages that are kept until somebody waits for them, oldest first.",
      footer = {
        "",
        "A message that nobody takes is forgotten after 30 days.",
        "",
        "Example:",
        "  mainstay workflow messages"
      })
  private static final class Messages extends WorkflowCommand {
    Messages(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<WorkflowMessage> kept = upToDate(each -> each.messages(WorkflowExecutions.PAGE_MAX));
      if (json) {
        session.json(
            JsonObject.of("messages", kept.stream().map(WorkflowMessage::toJson).toList()));
      } else if (kept.isEmpty()) {
        session.note("no messages are kept");
      } else {
        Table table = new Table(session.columns(), "NAME", "FOR", "SENT", "BY", "SAYS");
        for (WorkflowMessage each : kept) {
          String about = each.correlation();
          table.row(
              each.name(),
              about == null ? "" : about,
              ExecutionText.time(each.sent().at()),
              each.sent().by(),
              JsonText.write(each.content()));
        }
        session.print(table.lines());
      }
      return ExitCodes.OK;
    }
  }
}
