package dev.mainstay.cli;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The part of {@code mainstay state ...} that is about a task's run. */
final class RunCommands {
  private static final Map<String, RunPhase> ENDS =
      Map.of(
          "finished",
          RunPhase.FINISHED,
          "no-progress",
          RunPhase.NO_PROGRESS,
          "abandoned",
          RunPhase.ABANDONED);

  private RunCommands() {}

  @CommandLine.Command(
      name = "start",
      description = "Start the run of a task; its goal holds until the run ends.",
      footer = {
        "",
        "Example:",
        "  mainstay state start T-001 --goal \"Add login\" --criterion \"all tests pass\""
      })
  static final class Start extends Command.WritingOfTask {
    @Option(names = "--goal", required = true, paramLabel = "TEXT", description = "what it is for")
    String goal;

    @Option(
        names = "--criterion",
        paramLabel = "TEXT",
        description = "what must be true in the end; may be given several times")
    List<String> criteria = new ArrayList<>();

    Start(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(db, house -> house.states().start(id, goal, criteria, caller()));
      return StateCommands.answer(this, receipt, "the run of " + id + " is started");
    }
  }

  @CommandLine.Command(
      name = "update",
      description = "Change what a run writes about itself.",
      footer = {
        "",
        "Example:",
        "  echo '{\"progress\": \"half\", \"current_step\": 1}' | mainstay state update T-001 -"
      })
  static final class Update extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "FILE",
        defaultValue = "-",
        description =
            "a JSON object with plan, current_step, progress, scratchpad, blocked_on or"
                + " preserved_refs; - reads standard input (default)")
    String file;

    Update(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var update = TaskUpdate.fromJson(JsonText.object(session.input("the update", file)));
      Receipt receipt =
          session.withExisting(db, house -> house.states().update(id, update, caller()));
      return StateCommands.answer(
          this, receipt, Phrase.of("%s is updated (entry %d)", id, receipt.number()));
    }
  }

  @CommandLine.Command(
      name = "renew",
      description = "Begin a new context for the same run, and print what to hand over to it.",
      footer = {"", "Example:", "  mainstay state renew T-001 --reason \"the window was full\""})
  static final class Renew extends Command.WritingOfTask {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why")
    String reason;

    Renew(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var renewal = session.withExisting(db, house -> house.states().renew(id, reason, caller()));
      if (json) session.json(renewal.receipt().toJson().with("handover", renewal.handover()));
      else session.print(Printable.text(renewal.handover()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "suspend",
      description = "Let the run wait for something; it goes on with 'state resume'.",
      footer = {"", "Example:", "  mainstay state suspend T-001 --on question \"Which port?\""})
  static final class Suspend extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "WHAT", description = "what it waits for")
    String what;

    @Option(
        names = "--on",
        paramLabel = "KIND",
        defaultValue = "question",
        description = "question (default), child or barrier")
    String on;

    Suspend(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var waiting = new Waiting(kind(on), what);
      Receipt receipt =
          session.withExisting(db, house -> house.states().suspend(id, waiting, caller()));
      return StateCommands.answer(this, receipt, "the run of " + id + " waits");
    }

    private static Waiting.On kind(String typed) {
      try {
        return Waiting.On.valueOf(typed.strip().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException unknown) {
        throw Refusal.invalid(
            "a run does not wait on \"" + typed + "\"; use question, child or barrier");
      }
    }
  }

  @CommandLine.Command(
      name = "resume",
      description = "Let a waiting run go on.",
      footer = {"", "Example:", "  mainstay state resume T-001 \"port 7717\""})
  static final class Resume extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "ANSWER",
        defaultValue = "",
        description = "what came of what it waited for")
    String answer;

    Resume(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(db, house -> house.states().resume(id, answer, caller()));
      return StateCommands.answer(this, receipt, "the run of " + id + " goes on");
    }
  }

  @CommandLine.Command(
      name = "end",
      description = "End the run of a task; the task itself stays as it is.",
      footer = {"", "Example:", "  mainstay state end T-001 --how finished"})
  static final class End extends Command.WritingOfTask {
    @Option(
        names = "--how",
        paramLabel = "HOW",
        defaultValue = "finished",
        description = "finished (default), no-progress or abandoned")
    String how;

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why")
    String reason;

    End(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      RunPhase end = ENDS.get(how.strip().toLowerCase(Locale.ROOT));
      if (end == null) {
        throw Refusal.invalid(
            "a run does not end \"" + how + "\"; use finished, no-progress or abandoned");
      }
      Receipt receipt =
          session.withExisting(db, house -> house.checks().end(id, end, reason, caller()));
      return StateCommands.answer(this, receipt, Phrase.of("the run of %s is %s", id, end.typed()));
    }
  }
}
