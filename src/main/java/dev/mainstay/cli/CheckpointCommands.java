package dev.mainstay.cli;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay checkpoint ...}: name a place in a task's history, go back to it, fork it. */
final class CheckpointCommands {
  private CheckpointCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Save(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Restore(session))
        .addSubcommand(new Fork(session));
  }

  @CommandLine.Command(
      name = "checkpoint",
      synopsisSubcommandLabel = "COMMAND",
      description = "Name a place in a task's history, go back to it, or begin another task there.",
      footer = {"", "Example:", "  mainstay checkpoint save T-001 before-refactoring"})
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "save",
      description = "Name the present place; this keeps no copy.",
      footer = {"", "Example:", "  mainstay checkpoint save T-001 before-refactoring"})
  private static final class Save extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "NAME",
        description = "its name (default: after its entry)")
    @Nullable String name;

    Save(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Checkpoint saved =
          session.withExisting(db, house -> house.checkpoints().save(id, name, caller()));
      if (json) session.json(saved.toJson());
      else session.print(Phrase.of("%s is entry #%d of %s", saved.name(), saved.number(), id));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the checkpoints of a task, oldest first.",
      footer = {"", "Example:", "  mainstay checkpoint list T-001"})
  private static final class ListAll extends Command.OfTask {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      List<Checkpoint> all = session.withExisting(db, house -> house.checkpoints().list(id));
      if (json) {
        session.json(all.stream().map(Checkpoint::toJson).toList());
        return ExitCodes.OK;
      }
      if (all.isEmpty()) {
        session.note(Phrase.of("no checkpoints; 'mainstay checkpoint save %s NAME' makes one", id));
        return ExitCodes.OK;
      }
      Table table = new Table(session.columns(), "ENTRY", "SAVED", "NAME");
      for (Checkpoint each : all) {
        table.row("#" + each.number(), TaskText.time(each.createdAt()), each.name());
      }
      session.print(table.lines());
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "restore",
      description = {
        "Go back to what was known at a checkpoint. Goal, binding directives and what was",
        "observed stay; the way back is kept in the journal."
      },
      footer = {"", "Example:", "  mainstay checkpoint restore T-001 before-refactoring"})
  private static final class Restore extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        paramLabel = "NAME",
        description = "a checkpoint, or another moment as 'state diff' takes it")
    String name;

    Restore(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(
              db, house -> house.checkpoints().restore(id, new Moment(name), caller()));
      return StateCommands.answer(this, receipt, Phrase.of("%s is back at %s", id, name));
    }
  }

  @CommandLine.Command(
      name = "fork",
      description = "Make a new task that knows what this one knew at a checkpoint.",
      footer = {"", "Example:", "  mainstay checkpoint fork T-001 before-refactoring"})
  private static final class Fork extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "NAME",
        defaultValue = "now",
        description = "a checkpoint, or another moment as 'state diff' takes it (default now)")
    String name;

    @Option(names = "--title", paramLabel = "TEXT", description = "another title for the new task")
    @Nullable String title;

    Fork(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task made =
          session.withExisting(
              db, house -> house.checkpoints().fork(id, new Moment(name), title, caller()));
      if (json) session.json(TaskJson.write(made));
      else session.print(Phrase.of("%s goes on from %s at %s", made.id(), id, name));
      return ExitCodes.OK;
    }
  }
}
