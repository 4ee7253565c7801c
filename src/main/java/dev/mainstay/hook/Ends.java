package dev.mainstay.hook;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.render.Neutral;
import java.util.List;
import java.util.stream.Collectors;

/** An agent stops, waits for its person, or leaves. */
final class Ends {
  private static final int NAMED_MAX = 8;

  private static final String LEFT = "Mainstay: %s is not done; this is left:";

  private Ends() {}

  /** The turn is over; an agent that left something open is told once, if the person wants it. */
  static Outcome stop(Visit visit, boolean reminds) {
    boolean said = visit.event().stopsAgain() || visit.memory().remindedOfRest();
    boolean holds = reminds && !said && visit.event().dialect().holdsAtStop();
    List<String> left =
        holds ? visit.task().map(visit.rooms().states()::left).orElse(List.of()) : List.of();
    if (left.isEmpty()) {
      signal(visit, Signal.Kind.FINISHED);
      visit.remembering(visit.memory().asking(false));
      return Outcome.NOTHING;
    }
    visit.remembering(visit.memory().reminded(true));
    return Outcome.goOn(rest(visit.task().orElseThrow(), left));
  }

  private static String rest(TaskId task, List<String> left) {
    String named =
        left.stream()
            .limit(NAMED_MAX)
            .map(each -> "- " + Neutral.line(each))
            .collect(Collectors.joining("\n"));
    int more = left.size() - NAMED_MAX;
    return Phrase.of(
        LEFT
            + "\n%s%s\nGo on with it, or say in one sentence why it is left. This"
            + " is said once.",
        task,
        named,
        more > 0 ? Phrase.of("\n- and %d more", more) : "");
  }

  /** Some hosts give an agent what it was told at its stop as if it were a prompt. */
  static boolean isReminder(Visit visit, String prompt) {
    return visit.memory().remindedOfRest()
        && visit.task().filter(task -> prompt.contains(Phrase.of(LEFT, task))).isPresent();
  }

  /**
   * The session is over: its shell and sub-agents write no more. It keeps its lease, so that the
   * next session in the same place goes on.
   */
  static Outcome over(Visit visit) {
    visit.rooms().sessions().ended(visit.session().id(), true);
    return Outcome.NOTHING;
  }

  static Outcome subagentStopped(Visit visit) {
    String name = visit.event().subagent();
    // A summary for a compaction is made by one without a name, which is nobody's work.
    if (!name.isEmpty()) note(visit, Phrase.of("subagent %s ended", name));
    return Outcome.NOTHING;
  }

  /** What was said last is not said again: sessions without any work leave one line. */
  private static void note(Visit visit, String what) {
    if (visit.task().isEmpty()) return;
    TaskId task = visit.task().get();
    List<String> actions = visit.rooms().states().load(task).trail().actions();
    boolean again = !actions.isEmpty() && actions.get(actions.size() - 1).equals(what);
    if (!again) visit.rooms().states().noteActions(task, what, visit.call("note"));
  }

  static Outcome waits(Visit visit) {
    if (!visit.event().asksPerson() || visit.terminal() == null) return Outcome.NOTHING;
    signal(visit, Signal.Kind.ASKING);
    visit.remembering(visit.memory().asking(true));
    return Outcome.NOTHING;
  }

  /** A tool runs again after the person was asked: it no longer waits. */
  static Visit goesOn(Visit visit) {
    if (!visit.memory().asking()) return visit;
    signal(visit, Signal.Kind.WORKING);
    return visit.remembering(visit.memory().asking(false));
  }

  /** Says how the agent stands, if it sits in a window of ours. */
  static void signal(Visit visit, Signal.Kind kind) {
    String terminal = visit.terminal();
    if (terminal == null) return;
    try {
      visit.rooms().screens().signal(terminal, kind, visit.call("signal"));
    } catch (Refusal hasNoWindow) {
      return; // a worker that was started elsewhere is known by its name alone
    }
  }
}
