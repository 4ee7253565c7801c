package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger.Timer;
import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the texts of timers say when. */
final class Timings {
  /** {@code R3/PT10M}, {@code R/2026-01-31T09:00:00Z/P1D}. */
  private static final Pattern REPEATED = Pattern.compile("R([0-9]{0,9})/(?:([^/]+)/)?([^/]+)");

  private Timings() {}

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
    String wrong =
        switch (timer.kind()) {
          case DURATION -> isDuration(text) ? "" : "write one such as PT15M, PT2H or P1D";
          case DATE -> isDate(text) ? "" : "write one with its zone, such as 2027-01-31T09:00:00Z";
          case CYCLE -> cycle(text);
        };
    if (wrong.isEmpty()) return;
    complaints.fatal(node.id(), Phrase.of("\"%s\" is no %s", text, words(timer.kind())), wrong);
  }

  private static String words(TimerKind kind) {
    return switch (kind) {
      case DURATION -> "duration of ISO 8601";
      case DATE -> "moment of ISO 8601";
      case CYCLE -> "cycle";
    };
  }

  private static boolean isDuration(String text) {
    try {
      return !Duration.parse(text).isNegative();
    } catch (DateTimeParseException | ArithmeticException none) {
      return isPeriod(text);
    }
  }

  private static boolean isPeriod(String text) {
    try {
      return !Period.parse(text).isNegative();
    } catch (DateTimeParseException | ArithmeticException none) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeParseException none) {
      return isZoned(text);
    }
  }

  private static boolean isZoned(String text) {
    try {
      ZonedDateTime.parse(text);
      return true;
    } catch (DateTimeParseException none) {
      return false;
    }
  }

  /** What to do about a cycle; nothing when it is one. */
  private static String cycle(String text) {
    Matcher repeated = REPEATED.matcher(text);
    if (repeated.matches()) {
      String from = repeated.group(2);
      boolean right = isDuration(repeated.group(3)) && (from == null || isDate(from));
      return right ? "" : "write one such as R3/PT10M or R/2027-01-31T09:00:00Z/P1D";
    }
    try {
      Schedule.of(text, ZoneOffset.UTC);
      return "";
    } catch (Refusal none) {
      return none.sentence();
    }
  }
}
