package dev.mainstay.cli;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.state.Receipt;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay directive ...}: the standing orders of a task. */
final class DirectiveCommands {
  private DirectiveCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Add(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Lift(session));
  }

  @CommandLine.Command(
      name = "directive",
      synopsisSubcommandLabel = "COMMAND",
      description = "Give standing orders for a task; they survive every compression.",
      footer = {"", "Example:", "  mainstay directive add T-001 \"do not touch the API\""})
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "add",
      description = "Give a standing order; the same again moves it to the newest place.",
      footer = {"", "Example:", "  mainstay directive add T-001 \"ask before deleting\" --binding"})
  private static final class Add extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "TEXT", description = "the order")
    String text;

    @Option(names = "--binding", description = "nothing pushes it out; for persons alone")
    boolean binding;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(
              db, house -> house.states().addDirective(id, text, binding, caller()));
      return StateCommands.answer(this, receipt, id + " has a new directive");
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the standing orders, newest last.",
      footer = {"", "Example:", "  mainstay directive list T-001"})
  private static final class ListAll extends Command.OfTask {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      TaskState state = session.withExisting(db, house -> house.states().load(id));
      if (json) {
        JsonObject all = TaskStateJson.show(state);
        session.json(
            JsonObject.of(
                "directives", all.list("directives"), "dropped", all.get("directives_dropped")));
        return ExitCodes.OK;
      }
      int number = 1;
      for (Directive order : state.directives().items()) {
        session.print(
            Phrase.of(
                "%d. %s (%sby %s via %s)",
                number++,
                Printable.line(order.text()),
                order.binds() ? "binding, " : order.binding() ? "not confirmed here, " : "",
                Printable.line(order.author().toString()),
                Printable.line(order.origin().source())));
      }
      if (number == 1) session.note("no directives");
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "lift",
      description = "End a standing order.",
      footer = {"", "Example:", "  mainstay directive lift T-001 2"})
  private static final class Lift extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "ITEM", description = "its text, or its number from 1")
    String item;

    Lift(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(db, house -> house.states().liftDirective(id, item, caller()));
      return StateCommands.answer(this, receipt, "the directive no longer stands");
    }
  }
}
