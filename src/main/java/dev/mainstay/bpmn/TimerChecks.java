package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger.Timer;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;

/** Whether the texts of timers say when. */
final class TimerChecks {
  private TimerChecks() {}

  static void check(Complaints complaints, Node node, Timer timer) {
    String text = timer.text();
    if (text.startsWith("=")) {
      if (node.kind() == NodeKind.START_EVENT) {
        complaints.fatal(
            node.id(),
            "a timer that starts executions cannot ask for variables, as there are none yet",
            "write the time itself");
      } else {
        complaints.expression(node.id(), "the timer", text.substring(1).strip());
      }
      return;
    }
    try {
      Timing.of(timer);
    } catch (Refusal none) {
      String what = Phrase.of("\"%s\" is no %s", text, words(timer.kind()));
      complaints.fatal(node.id(), what, advice(timer.kind(), text, none));
    }
  }

  private static String words(TimerKind kind) {
    return switch (kind) {
      case DURATION -> "duration of ISO 8601";
      case DATE -> "moment of ISO 8601";
      case CYCLE -> "cycle";
    };
  }

  private static String advice(TimerKind kind, String text, Refusal none) {
    return switch (kind) {
      case DURATION -> "write one such as PT15M, PT2H or P1D";
      case DATE -> "write one with its zone, such as 2027-01-31T09:00:00Z";
      case CYCLE ->
          text.startsWith("R")
              ? "write one such as R3/PT10M or R/2027-01-31T09:00:00Z/P1D"
              : none.sentence();
    };
  }
}
