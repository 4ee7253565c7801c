package dev.mainstay.cli;

import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code mainstay terminal show}: one terminal, with why it stands so and its last lines. */
@CommandLine.Command(
    name = "show",
    description = "Show how a terminal stands, why, and how it ended if it did.",
    footer = {"", "Example:", "  mainstay terminal show developer-3fa2c1"})
final class ShowTerminalCommand extends Command {
  @Parameters(index = "0", paramLabel = "ID", description = "the terminal's id")
  String id;

  ShowTerminalCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    Terminal terminal =
        session.withExisting(
            db,
            house -> {
              house.lookAtTerminals();
              return house.terminals().get(id);
            });
    if (json) session.json(terminal.toJson());
    else session.print(lines(terminal));
    return ExitCodes.OK;
  }

  private static List<String> lines(Terminal terminal) {
    List<String> lines = new ArrayList<>();
    String profile = terminal.profile() == null ? "no profile" : terminal.profile();
    lines.add(Printable.line(terminal.id() + ", " + profile + " on " + terminal.provider()));
    Seat seat = terminal.seat();
    if (seat == null) return lines;
    Seat.Standing standing = seat.standing();
    String why = standing.why() == null ? "" : ": " + standing.why();
    lines.add("status:      " + Printable.line(standing.status() + why));
    if (standing.exit() != null) lines.add("exit code:   " + standing.exit());
    lines.add("last active: " + TaskText.time(standing.lastActive()));
    lines.add("session:     " + Printable.line(seat.window().session()));
    lines.add("folder:      " + Printable.line(seat.begin().folder()));
    lines.add("started by:  " + Printable.line(String.valueOf(seat.begin().caller())));
    if (!standing.lastLines().isEmpty()) lines.add("its last lines:");
    standing.lastLines().forEach(each -> lines.add("  " + Printable.line(each)));
    return lines;
  }
}
