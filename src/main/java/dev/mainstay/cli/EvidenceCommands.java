package dev.mainstay.cli;

import dev.mainstay.domain.Evidence;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.EvidenceBook.Entry;
import java.util.List;
import picocli.CommandLine;

/** {@code mainstay evidence ...}: how commands ended, as Mainstay itself saw it. */
final class EvidenceCommands {
  private EvidenceCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun()).addSubcommand(new ListAll(session));
  }

  @CommandLine.Command(
      name = "evidence",
      synopsisSubcommandLabel = "COMMAND",
      description = "Look at how commands ended, as Mainstay itself saw it.",
      footer = {"", "Example:", "  mainstay evidence list T-001"})
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "list",
      description = "List the evidence of a task, newest last; it is stale once files changed.",
      footer = {"", "Example:", "  mainstay evidence list T-001"})
  private static final class ListAll extends Command.OfTask {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = TaskId.parse(task);
      List<Entry> entries = session.withExisting(db, house -> house.evidence().list(id));
      if (json) {
        session.json(JsonObject.of("evidence", entries.stream().map(Entry::toJson).toList()));
        return ExitCodes.OK;
      }
      if (entries.isEmpty()) session.note("no evidence yet");
      else session.print(table(entries));
      return ExitCodes.OK;
    }

    private List<String> table(List<Entry> entries) {
      Table table = new Table(session.columns(), "EXIT", "FILES", "HOW", "SEEN", "COMMAND");
      for (Entry entry : entries) {
        Evidence evidence = entry.evidence();
        table.row(
            String.valueOf(evidence.exitCode()),
            entry.fresh() ? "fresh" : "stale",
            evidence.how().typed(),
            TaskText.time(evidence.origin().at()),
            evidence.command());
      }
      return table.lines();
    }
  }
}
