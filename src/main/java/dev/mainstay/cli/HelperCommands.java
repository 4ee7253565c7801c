package dev.mainstay.cli;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code mainstay task helper add|remove}: the workers that may write beside the holder. */
final class HelperCommands {
  private HelperCommands() {}

  static void addTo(CommandLine task, Session session) {
    task.addSubcommand(
        new CommandLine(new Noun())
            .addSubcommand(new Add(session))
            .addSubcommand(new Remove(session)));
  }

  @CommandLine.Command(
      name = "helper",
      synopsisSubcommandLabel = "COMMAND",
      description = "Workers that may write to a held task, until its lease ends.",
      footer = {"", "Example:", "  mainstay task helper add T-001 coder-2 --fence 1"})
  private static final class Noun extends Command.Noun {}

  private abstract static class OfWorker extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "WORKER", description = "the terminal, worker or agent")
    String worker;

    OfWorker(Session session) {
      super(session);
    }

    int show(Task task, String sentence) {
      if (json) session.json(TaskJson.write(task));
      else session.print(sentence);
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "add",
      description = "Let a worker write to your task with its fence, until the lease ends.",
      footer = {"", "Example:", "  mainstay task helper add T-001 coder-2 --fence 1"})
  private static final class Add extends OfWorker {
    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task held = session.withExisting(db, house -> house.helpers().add(id, worker, caller()));
      return show(
          held, Phrase.of("%s helps with %s, fence %d", Printable.line(worker), id, held.fence()));
    }
  }

  @CommandLine.Command(
      name = "remove",
      description = "Take that right from a worker again.",
      footer = {"", "Example:", "  mainstay task helper remove T-001 coder-2 --fence 1"})
  private static final class Remove extends OfWorker {
    Remove(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task held = session.withExisting(db, house -> house.helpers().remove(id, worker, caller()));
      return show(held, Phrase.of("%s no longer helps with %s", Printable.line(worker), id));
    }
  }
}
