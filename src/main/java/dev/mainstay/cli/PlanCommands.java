package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStateJson;
import dev.mainstay.state.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay plan ...}: the steps of a run. */
final class PlanCommands {
  private PlanCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Set(session))
        .addSubcommand(new Show(session))
        .addSubcommand(new Done(session));
  }

  @CommandLine.Command(
      name = "plan",
      synopsisSubcommandLabel = "COMMAND",
      description = "Say in which steps a task is done, and which of them are.",
      footer = {"", "Example:", "  mainstay plan set T-001 \"write tests\" \"make them pass\""})
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "set",
      description = "Set the steps; one whose label is unchanged keeps its status.",
      footer = {"", "Example:", "  mainstay plan set T-001 \"write tests\" \"make them pass\""})
  private static final class Set extends Command.WritingOfTask {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "STEP", description = "the steps")
    List<String> steps;

    Set(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(db, house -> house.states().setPlan(id, steps, caller()));
      return StateCommands.answer(
          this, receipt, Phrase.of("the plan of %s has %d steps", id, steps.size()));
    }
  }

  @CommandLine.Command(
      name = "show",
      description = "Show the steps of a task.",
      footer = {"", "Example:", "  mainstay plan show T-001"})
  private static final class Show extends Command.OfTask {
    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      TaskState state = session.withExisting(db, house -> house.states().load(id));
      if (json) {
        JsonObject all = TaskStateJson.show(state);
        session.json(
            JsonObject.of("plan", all.list("plan"), "current_step", all.get("current_step")));
        return ExitCodes.OK;
      }
      if (state.plan().equals(Plan.EMPTY)) {
        session.note(Phrase.of("no plan; 'mainstay plan set %s STEP...' makes one", id));
      }
      int number = 1;
      for (Step step : state.plan().steps()) {
        String why = step.note() == null ? "" : " - " + step.note();
        session.print(
            Phrase.of(
                "[%s] %d. %s",
                step.status().typed(), number++, Printable.line(step.label() + why)));
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "done",
      description = "Say that a step is done, or otherwise settled.",
      footer = {
        "",
        "Example:",
        "  mainstay plan done T-001 2",
        "  mainstay plan done T-001 3 --as skipped --note \"not needed\""
      })
  private static final class Done extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "N", description = "the step's number, from 1")
    int number;

    @Option(
        names = "--as",
        paramLabel = "STATUS",
        defaultValue = "done",
        description = "done (default), active, failed, skipped or todo")
    String status;

    @Option(names = "--note", paramLabel = "TEXT", description = "why it failed or was skipped")
    @Nullable String note;

    Done(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      StepStatus to = StepStatus.parse(status);
      if (number < 1) throw Refusal.invalid("steps are counted from 1");
      Receipt receipt =
          session.withExisting(
              db, house -> house.states().moveStep(id, number - 1, to, note, caller()));
      return StateCommands.answer(
          this, receipt, Phrase.of("step %d of %s is %s", number, id, to.typed()));
    }
  }
}
