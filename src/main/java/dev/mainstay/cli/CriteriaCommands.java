package dev.mainstay.cli;

import dev.mainstay.domain.CompletionGate.Standing;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Criterion.Met;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.EvidenceBook.Judged;
import dev.mainstay.state.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay criteria ...}: what must be true when a task is done, and what of it is. */
final class CriteriaCommands {
  private CriteriaCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Add(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Meet(session))
        .addSubcommand(new Reopen(session));
  }

  @CommandLine.Command(
      name = "criteria",
      synopsisSubcommandLabel = "COMMAND",
      description = "Say what must be true when a task is done, and what of it is.",
      footer = {"", "Example:", "  mainstay criteria add T-001 \"all tests pass\""})
  private static final class Noun extends Command.Noun {}

  private static int place(int number) {
    if (number < 1) throw Refusal.invalid("criteria are counted from 1");
    return number - 1;
  }

  @CommandLine.Command(
      name = "add",
      description = "Add a criterion to a task, or a check to one that it has.",
      footer = {
        "",
        "Example:",
        "  mainstay criteria add T-001 \"the API is documented\"",
        "  mainstay criteria add T-001 \"all tests pass\" --check \"mvn -B verify\""
      })
  private static final class Add extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "TEXT", description = "what must be true in the end")
    String text;

    @Option(
        names = "--check",
        paramLabel = "CMD",
        description =
            "met only when this command was seen to end with 0 on the files as they are, and by nobody's word")
    @Nullable String check;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Receipt receipt =
          session.withExisting(db, house -> house.states().addCriterion(id, text, check, caller()));
      return StateCommands.answer(this, receipt, id + " has a new criterion");
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the criteria of a task and how each of them stands.",
      footer = {"", "Example:", "  mainstay criteria list T-001"})
  private static final class ListAll extends Command.OfTask {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      List<Judged> criteria = session.withExisting(db, house -> house.evidence().criteria(id));
      if (json) {
        session.json(JsonObject.of("criteria", criteria.stream().map(Judged::toJson).toList()));
        return ExitCodes.OK;
      }
      if (criteria.isEmpty()) {
        session.note(Phrase.of("no criteria; 'mainstay criteria add %s TEXT' adds one", id));
      }
      int number = 1;
      for (Judged each : criteria) {
        session.print(
            Phrase.of(
                "[%s] %d. %s",
                each.standing().isMet() ? "met" : "unmet",
                number++,
                Printable.line(each.criterion().text() + why(each))));
      }
      return ExitCodes.OK;
    }

    private static String why(Judged judged) {
      Criterion criterion = judged.criterion();
      Met met = criterion.met();
      if (met != null) {
        String note = met.note() == null ? "" : " - " + met.note();
        return Phrase.of("%s (by %s, %s)", note, met.by(), TaskText.time(met.at()));
      }
      return criterion.check() == null
          ? ""
          : Phrase.of(" - \"%s\" %s", criterion.check(), came(judged.standing()));
    }

    private static String came(Standing standing) {
      return switch (standing) {
        case MET -> "ended with 0 on the files as they are";
        case NOT_SAID, NEVER_RUN -> "was never run";
        case FAILED -> "failed";
        case STALE -> "ran before files changed";
      };
    }
  }

  @CommandLine.Command(
      name = "meet",
      description = "Say that a criterion is met; it is kept as your word.",
      footer = {"", "Example:", "  mainstay criteria meet T-001 1 --note \"see docs/api.md\""})
  private static final class Meet extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "N", description = "the criterion's number, from 1")
    int number;

    @Option(names = "--note", paramLabel = "TEXT", description = "where that can be seen")
    @Nullable String note;

    Meet(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      int place = place(number);
      Receipt receipt =
          session.withExisting(
              db, house -> house.states().meetCriterion(id, place, note, caller()));
      return StateCommands.answer(
          this, receipt, Phrase.of("criterion %d of %s is met", number, id));
    }
  }

  @CommandLine.Command(
      name = "reopen",
      description = "Take back that a criterion is met.",
      footer = {"", "Example:", "  mainstay criteria reopen T-001 1"})
  private static final class Reopen extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "N", description = "the criterion's number, from 1")
    int number;

    Reopen(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      int place = place(number);
      Receipt receipt =
          session.withExisting(db, house -> house.states().reopenCriterion(id, place, caller()));
      return StateCommands.answer(
          this, receipt, Phrase.of("criterion %d of %s is not met", number, id));
    }
  }
}
