package dev.mainstay.cli;

import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay task assign|accept|assignments|retry|terms|spend}: who gets a task, and how. */
final class AssignmentCommands {
  private AssignmentCommands() {}

  static void addTo(CommandLine task, Session session) {
    task.addSubcommand(new Assign(session))
        .addSubcommand(new Accept(session))
        .addSubcommand(new Assignments(session))
        .addSubcommand(new Retry(session))
        .addSubcommand(new SetTerms(session))
        .addSubcommand(new Spend(session));
  }

  private static int show(Command command, Task task, String sentence) {
    if (command.json) command.session.json(TaskJson.write(task));
    else command.session.print(sentence);
    return ExitCodes.OK;
  }

  @CommandLine.Command(
      name = "assign",
      description = "Give a ready task to a terminal or worker; prints its fence.",
      footer = {"", "Example:", "  mainstay task assign T-001 coder-1 --lease 30m"})
  private static final class Assign extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "TERMINAL", description = "who gets it")
    String terminal;

    @Option(
        names = "--lease",
        paramLabel = "10m",
        defaultValue = "10m",
        description = "for how long, unless renewed (default 10m)")
    String lease;

    Assign(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var length = LeaseCommands.length(lease);
      Task held =
          session.withExisting(db, house -> house.leases().hold(id, terminal, length, caller()));
      return show(
          this,
          held,
          Phrase.of("%s is %s's, fence %d", id, Printable.line(terminal), held.fence()));
    }
  }

  @CommandLine.Command(
      name = "accept",
      description = "Say that an assigned task will be done.",
      footer = {"", "Example:", "  mainstay task accept T-001 --fence 1"})
  private static final class Accept extends Command.WritingOfTask {
    Accept(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task held = session.withExisting(db, house -> house.leases().accept(id, caller()));
      return show(this, held, id + " is accepted");
    }
  }

  @CommandLine.Command(
      name = "assignments",
      description = "List who was given a task over time.",
      footer = {"", "Example:", "  mainstay task assignments T-001"})
  private static final class Assignments extends Command.OfTask {
    Assignments(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      List<Assignment> all = session.withExisting(db, house -> house.assignments().ofTask(id));
      if (json) {
        session.json(JsonObject.of("assignments", all.stream().map(Assignment::toJson).toList()));
        return ExitCodes.OK;
      }
      if (all.isEmpty()) session.note(id + " was not given to anybody yet");
      Table table =
          new Table(session.columns(), "ID", "TERMINAL", "STATUS", "ATTEMPT", "SINCE", "WHY");
      for (Assignment each : all) {
        String why = each.outcome().error();
        table.row(
            String.valueOf(each.id()),
            each.terminal(),
            each.standing().status().name(),
            String.valueOf(each.standing().attempt()),
            TaskText.time(each.standing().times().assigned()),
            why == null ? "-" : why);
      }
      if (!all.isEmpty()) session.print(table.lines());
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "retry",
      description =
          "Try a task again that failed or was cancelled, and what ended only because of it.",
      footer = {"", "Example:", "  mainstay task retry T-001 --reason \"the API is back\""})
  private static final class Retry extends Command.WritingOfTask {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "why; kept with the task")
    String reason;

    Retry(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task again = session.withExisting(db, house -> house.tasks().retry(id, reason, caller()));
      return show(this, again, id + " is open again");
    }
  }

  @CommandLine.Command(
      name = "terms",
      description = "Show or set how often a task is tried, how long, and what it may cost.",
      footer = {
        "",
        "Example:",
        "  mainstay task terms T-001 --attempts 3 --backoff 30s --timeout 1h",
        "  mainstay task terms T-001 --budget-tokens 500000 --budget-cost 5.00"
      })
  private static final class SetTerms extends Command.WritingOfTask {
    @Mixin final TermsOptions terms = new TermsOptions();

    SetTerms(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      return session.withExisting(
          db,
          house -> {
            Task before = house.tasks().show(id);
            var wanted = terms.over(before.links().terms());
            Task after =
                wanted.equals(before.links().terms())
                    ? before
                    : house.tasks().setTerms(id, wanted, before.stamps().version(), caller());
            var budget = house.tasks().budget(id);
            if (json) {
              session.json(
                  JsonObject.of("terms", after.links().terms().toJson())
                      .with("budget", budget.map(b -> b.toJson()).orElse(null)));
            } else {
              session.print(TaskText.terms(after));
              budget.ifPresent(b -> session.print(TaskText.budget(b)));
            }
            return ExitCodes.OK;
          });
    }
  }

  @CommandLine.Command(
      name = "spend",
      description = "Say what was spent on a claimed task; it counts against all its budgets.",
      footer = {"", "Example:", "  mainstay task spend T-001 --fence 1 --tokens 12000 --cost 0.18"})
  private static final class Spend extends Command.WritingOfTask {
    @Option(
        names = "--tokens",
        paramLabel = "N",
        description = "tokens used since you said so last")
    @Nullable Long tokens;

    @Option(names = "--cost", paramLabel = "0.18", description = "dollars since you said so last")
    @Nullable String cost;

    Spend(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var spent = TermsOptions.amounts(tokens, cost, "--time", null);
      Task held = session.withExisting(db, house -> house.leases().spend(id, spent, caller()));
      return show(this, held, "noted for " + id);
    }
  }
}
