package dev.mainstay.cli;

import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Evidence;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.session.Checks.Ran;
import dev.mainstay.state.EvidenceBook.Entry;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay evidence ...}: how commands ended, as Mainstay itself saw it. */
final class EvidenceCommands {
  private EvidenceCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Run(session))
        .addSubcommand(new ListAll(session));
  }

  @CommandLine.Command(
      name = "evidence",
      synopsisSubcommandLabel = "COMMAND",
      description = "Run checks, and look at how commands ended, as Mainstay itself saw it.",
      footer = {
        "",
        "Example:",
        "  mainstay evidence run T-001 -- mvn -B verify",
        "  mainstay evidence list T-001"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "run",
      description =
          "Run the checks of a task's criteria, or one command, and record how it ended on which files.",
      footer = {
        "",
        "Commands run in the workspace, without a shell. Exit code 1 means that one of them failed.",
        "",
        "Example:",
        "  mainstay evidence run T-001",
        "  mainstay evidence run T-001 -- mvn -B verify"
      })
  private static final class Run extends Command.OfTask {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "the workspace's folder (default: the root of the worktree you are in)")
    @Nullable Path dir;

    // Without a key: what was run twice was run twice, and how it ended may differ.
    @Option(names = "--fence", paramLabel = "N", description = FENCE_MEANS)
    @Nullable Long fence;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "CMD", description = "what to run")
    List<String> command = List.of();

    Run(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Path folder = dir == null ? session.services().workDir() : dir.toAbsolutePath().normalize();
      PrintStream shown = session.io().err();
      List<Ran> ran =
          session.withExisting(
              db,
              house -> {
                Call call = session.call(null, fence, id);
                return command.isEmpty()
                    ? house.checks().runAll(id, folder, shown, call)
                    : List.of(house.checks().run(id, folder, Argv.join(command), shown, call));
              });
      if (json) session.json(JsonObject.of("ran", ran.stream().map(Ran::toJson).toList()));
      for (Ran each : json ? List.<Ran>of() : ran) {
        session.print(
            Printable.line(Phrase.of("%s ended with %d", each.command(), each.exitCode())));
      }
      boolean well = ran.stream().allMatch(each -> each.exitCode() == 0);
      return well ? ExitCodes.OK : ExitCodes.REFUSED;
    }
  }

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
      TaskId id = session.task(db, task);
      List<Entry> entries = session.withExisting(db, house -> house.evidence().list(id));
      if (json) {
        session.json(JsonObject.of("evidence", entries.stream().map(Entry::toJson).toList()));
        return ExitCodes.OK;
      }
      if (entries.isEmpty()) {
        session.note(
            Phrase.of("no evidence yet; 'mainstay evidence run %s -- CMD' makes some", id));
      } else session.print(table(entries));
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
