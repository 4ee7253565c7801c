package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.TaskId;
import dev.mainstay.workspace.Reservations;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Files that are kept for one task while it is held. */
final class ReservationCommands {
  private ReservationCommands() {}

  @CommandLine.Command(
      name = "reserve",
      description = "Keep paths or globs for a task you hold; other tasks cannot write there.",
      footer = {
        "",
        "A reservation ends with the lease. A folder's name stands for everything below it.",
        "",
        "Example:",
        "  mainstay repo reserve T-001 src/login 'docs/*.md' --fence 3"
      })
  static final class Reserve extends RepoCommands.WritingOfWorkspace {
    @Parameters(index = "0", paramLabel = "TASK", description = "the task's id")
    String task;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "PATTERN", description = "the files")
    List<String> patterns;

    Reserve(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      List<Reservation> made =
          session.withExisting(
              db, house -> house.reservations(folder()).reserve(id, patterns, caller()));
      return show(this, made);
    }
  }

  @CommandLine.Command(
      name = "release",
      description = "Give a reservation back before the lease ends.",
      footer = {"", "Example:", "  mainstay repo release T-001 src/login --fence 3"})
  static final class Release extends RepoCommands.WritingOfWorkspace {
    @Parameters(index = "0", paramLabel = "TASK", description = "the task's id")
    String task;

    @Parameters(index = "1", paramLabel = "PATTERN", description = "as it was reserved")
    String pattern;

    Release(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      session.withExisting(
          db,
          house -> {
            house.reservations(folder()).release(id, pattern, caller());
            return true;
          });
      if (json) session.json(JsonObject.of("success", true));
      else session.print(Phrase.of("%s is no longer reserved", Printable.line(pattern)));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "reservations",
      description = "List which files are kept for whom.",
      footer = {"", "Example:", "  mainstay repo reservations"})
  static final class Show extends RepoCommands.OfWorkspace {
    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Reservation> all =
          session.withExisting(db, house -> house.reservations(folder()).list());
      if (!json && all.isEmpty()) session.note("nothing is reserved here");
      return show(this, all);
    }
  }

  private static int show(Command command, List<Reservation> reservations) {
    if (command.json) {
      command.session.json(
          JsonObject.of("reservations", reservations.stream().map(Reservations::json).toList()));
      return ExitCodes.OK;
    }
    for (Reservation each : reservations) {
      command.session.print(
          Phrase.of(
              "%s  %s  held by %s",
              each.task(), Printable.line(each.pattern().text()), Printable.line(each.holder())));
    }
    return ExitCodes.OK;
  }
}
