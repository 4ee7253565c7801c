package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.DossierDiff;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Moment;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The part of {@code mainstay state ...} that looks back. */
final class TravelCommands {
  private TravelCommands() {}

  @CommandLine.Command(
      name = "at",
      description = "Show what was known about a task at an earlier moment.",
      footer = {
        "",
        "Example:",
        "  mainstay state at T-001 --seq 120",
        "  mainstay state at T-001 --time 2026-01-31T12:00:00Z"
      })
  static final class At extends Command.OfTask {
    @Option(
        names = "--seq",
        paramLabel = "N",
        description = "at this place of the whole journal, its seq in 'journal --json'")
    @Nullable Long seq;

    @Option(names = "--time", paramLabel = "T", description = "at this time, in UTC")
    @Nullable String time;

    @Option(
        names = "--checkpoint",
        paramLabel = "NAME",
        description = "at this checkpoint, or #N: after the task's entry N")
    @Nullable String checkpoint;

    At(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Moment moment = moment();
      if (json) {
        var known = session.withExisting(db, house -> house.timeTravel().at(id, moment));
        session.json(known.toJson());
        return ExitCodes.OK;
      }
      Actor reader = session.call(null).actor();
      String text =
          session.withExisting(db, house -> house.timeTravel().textAt(id, moment, reader));
      if (text.isEmpty()) session.note(Phrase.of("nothing was known about %s then", id));
      else session.print(Printable.text(text));
      return ExitCodes.OK;
    }

    private Moment moment() {
      if (seq != null && time == null && checkpoint == null) return Moment.seq(seq);
      if (time != null && seq == null && checkpoint == null) return Moment.time(instant(time));
      if (checkpoint != null && seq == null && time == null) return new Moment(checkpoint);
      throw Refusal.invalid("name one moment with --seq, --time or --checkpoint");
    }

    private static Instant instant(String typed) {
      try {
        return Instant.parse(typed);
      } catch (DateTimeParseException malformed) {
        throw Refusal.invalid("a time looks like 2026-01-31T12:00:00Z; this does not: " + typed);
      }
    }
  }

  @CommandLine.Command(
      name = "diff",
      description = "Show what changed between two moments.",
      footer = {
        "",
        "A moment is a place in the journal (120), an entry of the task (#7), a time,",
        "a checkpoint's name, or now.",
        "",
        "Example:",
        "  mainstay state diff T-001 before-refactoring now"
      })
  static final class Diff extends Command.OfTask {
    @Parameters(index = "1", paramLabel = "A", description = "the first moment")
    String from;

    @Parameters(
        index = "2",
        arity = "0..1",
        paramLabel = "B",
        defaultValue = "now",
        description = "the second moment (default now)")
    String to;

    Diff(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      DossierDiff diff =
          session.withExisting(
              db, house -> house.timeTravel().diff(id, new Moment(from), new Moment(to)));
      if (json) session.json(diff.toJson());
      else diff.changes().forEach(this::print);
      if (!json && diff.changes().isEmpty()) session.note("nothing differs");
      return ExitCodes.OK;
    }

    private void print(String field, DossierDiff.Change change) {
      session.print(field + ":");
      for (String text : change.gone()) session.print("- " + Printable.line(text));
      for (String text : change.come()) session.print("+ " + Printable.line(text));
    }
  }
}
