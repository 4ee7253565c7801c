package dev.mainstay.hook;

import dev.mainstay.domain.ObservedTurn;
import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.ToolCatalogue;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.hook.Happening.Tool;
import dev.mainstay.render.Neutral;
import dev.mainstay.session.Turns;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tools are about to do, and what they did. */
final class ToolWatch {
  private ToolWatch() {}

  /** A tool is about to run: others' files are kept from it, and so is going round in circles. */
  static Outcome before(Visit visit) {
    Tool tool = visit.event().tool();
    List<String> warnings = new ArrayList<>();
    for (Reservation kept : reserved(visit, tool)) {
      boolean own = kept.holder().equals(visit.session().holder());
      boolean writes = ToolCatalogue.isKnown(tool.name());
      if (!own && writes) return Outcome.denial(keptFrom(kept) + " Nothing was written.");
      warnings.add(keptFrom(kept));
    }
    Turns.Outcome turn =
        visit
            .rooms()
            .turns()
            .before(visit.session().id(), tool.name(), tool.input(), visit.call("before"));
    return switch (turn.verdict()) {
      case FINE -> Outcome.context(warnings);
      case NOTICE -> {
        warnings.add(
            Phrase.of(
                "Mainstay: this is the call of %s that just ran, with the same arguments. If nothing changed"
                    + " since, its result will be the same; take the next step instead.",
                Neutral.line(tool.name())));
        yield Outcome.context(warnings);
      }
      case REFUSE, NO_PROGRESS -> Outcome.denial(circles(tool, turn.repeats()));
    };
  }

  private static String circles(Tool tool, int repeats) {
    return Phrase.of(
        "Mainstay: this is the %dth call in a row of %s with the same arguments, and those before gave the same"
            + " result, so it was not run. Do something else: change what it depends on, look at another place, take the next step"
            + " of the plan, or say what blocks you.",
        repeats, Neutral.line(tool.name()));
  }

  private static List<Reservation> reserved(Visit visit, Tool tool) {
    ToolMeaning meaning = visit.event().meaning();
    if (meaning.paths().isEmpty()) return List.of();
    @Nullable TaskId task = visit.task().orElse(null);
    return visit.rooms().reservations(visit.folder()).against(meaning.paths(), task);
  }

  private static String keptFrom(Reservation kept) {
    return Phrase.of(
        "Mainstay: \"%s\" is reserved for %s, held by %s. Take another step, or ask with"
            + " 'mainstay inbox send %s TEXT'.",
        Neutral.line(kept.pattern().toString()),
        kept.task(),
        Neutral.line(kept.holder()),
        Neutral.line(kept.holder()));
  }

  /** A tool ran, well or not: files are looked at later, the rest is noted now. */
  static Outcome after(Visit visit) {
    Tool tool = visit.event().tool();
    Rooms rooms = visit.rooms();
    ToolMeaning meaning = visit.event().meaning();
    rooms
        .workspace(visit.folder())
        .queue(meaning, visit.task().orElse(null), visit.call("observe"));
    var turn =
        new ObservedTurn(
            List.of(ToolUse.of(tool.name(), tool.input(), tool.response())), files(visit, meaning));
    try {
      Turns.Outcome seen = rooms.turns().observed(visit.session().id(), turn, visit.call("turn"));
      return seen.verdict() == RepeatFuse.Verdict.FINE
          ? Outcome.NOTHING
          : Outcome.context(repeated(tool, seen));
    } catch (Refusal refused) {
      if (!refused.isAboutHolder()) throw refused;
      return Outcome.context("Mainstay: " + Neutral.line(refused.sentence()));
    }
  }

  private static String repeated(Tool tool, Turns.Outcome seen) {
    if (seen.verdict() == RepeatFuse.Verdict.NO_PROGRESS) {
      return Phrase.of(
          "Mainstay: %s gave the same result %d times in a row; the run is over without progress. Say what"
              + " blocks you and stop.",
          Neutral.line(tool.name()), seen.repeats());
    }
    return Phrase.of(
        "Mainstay: %s was called %d times in a row with the same arguments and the same result. Nothing"
            + " changed; take the next step.",
        Neutral.line(tool.name()), seen.repeats());
  }

  /** Files that the tool named, from the worktree's root where they lie in it. */
  private static List<String> files(Visit visit, ToolMeaning meaning) {
    String root = visit.session().place().worktree() + "/";
    return meaning.paths().stream()
        .map(path -> path.startsWith(root) ? path.substring(root.length()) : path)
        .toList();
  }
}
