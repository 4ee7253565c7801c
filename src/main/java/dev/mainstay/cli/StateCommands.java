package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Resolution;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Receipt;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay state ...} and {@code mainstay dump}: what is known about a task. */
final class StateCommands {
  private StateCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Show(session))
        .addSubcommand(new RunCommands.Start(session))
        .addSubcommand(new RunCommands.Update(session))
        .addSubcommand(new Merge(session))
        .addSubcommand(new Resolve(session))
        .addSubcommand(new History(session))
        .addSubcommand(new TravelCommands.At(session))
        .addSubcommand(new TravelCommands.Diff(session))
        .addSubcommand(new RunCommands.Renew(session))
        .addSubcommand(new RunCommands.Suspend(session))
        .addSubcommand(new RunCommands.Resume(session))
        .addSubcommand(new RunCommands.End(session));
  }

  @CommandLine.Command(
      name = "state",
      synopsisSubcommandLabel = "COMMAND",
      description = "Look at what is known about a task, and add to it.",
      footer = {"", "Example:", "  mainstay state show T-001"})
  private static final class Noun extends Command.Noun {}

  /** Answers a write: what it came to, or that nothing had to change. */
  static int answer(Command command, Receipt receipt, String sentence) {
    if (command.json) command.session.json(receipt.toJson());
    else command.session.print(receipt.isChange() ? sentence : "nothing changed");
    if (!command.json) receipt.notices().forEach(command.session::print);
    return ExitCodes.OK;
  }

  @CommandLine.Command(
      name = "dump",
      description = "Print the notebook of a task.",
      footer = {"", "Example:", "  mainstay dump T-001 --block"})
  static final class Dump extends Command.OfTask {
    @Option(names = "--block", description = "print it in a <state> block, to embed in a prompt")
    boolean block;

    Dump(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (!block || json) return HotCommands.dump(session, db, task, json);
      TaskId id = session.task(db, task);
      Actor reader = session.call(null).actor();
      String text = session.withExisting(db, house -> house.notebooks().block(id, reader));
      if (!text.isEmpty()) session.print(Printable.text(text));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "show",
      description = "Show all that is known about a task: its run and its notebook.",
      footer = {"", "Example:", "  mainstay state show T-001 --json"})
  private static final class Show extends Command.OfTask {
    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      return HotCommands.showState(session, db, task, json);
    }
  }

  @CommandLine.Command(
      name = "merge",
      description = "Add to a task's notebook; lists grow, next_focus is replaced.",
      footer = {
        "",
        "Example:",
        "  echo '{\"decisions\": [\"use SQLite\"]}' | mainstay state merge T-001 -",
        "  mainstay state merge T-001 --text answer.txt"
      })
  private static final class Merge extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "FILE",
        defaultValue = "-",
        description = "a JSON object with fields of the notebook; - reads standard input (default)")
    String file;

    @Option(
        names = "--text",
        description = "the input is what a model wrote, with <state_update>{...}</state_update>")
    boolean text;

    @Option(names = "--whole", description = "replace the notebook instead of adding to it")
    boolean whole;

    Merge(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      String input = session.input("the update", file);
      Receipt receipt = session.withExisting(db, house -> merged(house, id, input));
      return answer(this, receipt, Phrase.of("%s was noted (entry %d)", id, receipt.number()));
    }

    private Receipt merged(House house, TaskId id, String input) {
      if (text) return house.notebooks().mergeText(id, input, caller());
      NotebookDelta delta = NotebookDelta.fromJson(JsonText.object(input));
      return whole
          ? house.notebooks().save(id, delta, caller())
          : house.notebooks().merge(id, delta, caller());
    }
  }

  @CommandLine.Command(
      name = "resolve",
      description = "Settle an open issue, or decide a hypothesis.",
      footer = {
        "",
        "Example:",
        "  mainstay state resolve T-001 \"login fails on Mondays\"",
        "  mainstay state resolve T-001 1 --how refuted"
      })
  private static final class Resolve extends Command.WritingOfTask {
    @Parameters(index = "1", paramLabel = "ITEM", description = "its text, or its number from 1")
    String item;

    @Option(
        names = "--how",
        paramLabel = "HOW",
        defaultValue = "settled",
        description =
            "settled (default; an open issue), confirmed or refuted (a hypothesis becomes a decision)")
    String how;

    Resolve(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Resolution resolution = Resolution.parse(how);
      Receipt receipt =
          session.withExisting(
              db, house -> house.notebooks().resolve(id, item, resolution, caller()));
      return answer(this, receipt, "it is " + resolution.typed());
    }
  }

  @CommandLine.Command(
      name = "history",
      description = "Show everything that was ever noted, in full length, oldest first.",
      footer = {"", "Example:", "  mainstay state history T-001 --after 120"})
  private static final class History extends Command.OfTask {
    @Option(
        names = "--after",
        paramLabel = "N",
        defaultValue = "0",
        description = "only entries after this number of the task's journal")
    long after;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "1000",
        description = "at most so many entries (default 1000)")
    int limit;

    History(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      List<JournalEntry> entries =
          session.withExisting(db, house -> house.notebooks().history(id, after, limit));
      if (json) session.json(entries.stream().map(History::json).toList());
      else for (JournalEntry entry : entries) print(entry);
      if (entries.size() == limit) {
        long last = entries.get(limit - 1).place().number();
        session.note(Phrase.of("more: mainstay state history %s --after %d", id, last));
      }
      return ExitCodes.OK;
    }

    private void print(JournalEntry entry) {
      session.print(
          Phrase.of(
              "#%d  %s  %s  %s",
              entry.place().number(),
              TaskText.time(entry.origin().at()),
              Printable.line(entry.origin().actor().toString()),
              entry.content().kind()));
      session.print("    " + Printable.line(entry.content().payload()));
    }

    private static JsonObject json(JournalEntry entry) {
      return JsonObject.of(
          "number",
          entry.place().number(),
          "seq",
          entry.seq(),
          "at",
          entry.origin().at(),
          "author",
          entry.origin().actor(),
          "source",
          entry.origin().source(),
          "kind",
          entry.content().kind(),
          "payload",
          JsonText.object(entry.content().payload()));
    }
  }
}
