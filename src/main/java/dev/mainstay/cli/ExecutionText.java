package dev.mainstay.cli;

import dev.mainstay.bpmn.Node;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.json.JsonText;
import dev.mainstay.workflow.ExecutionView;
import dev.mainstay.workflow.ExecutionView.Moment;
import dev.mainstay.workflow.ExecutionView.Open;
import dev.mainstay.workflow.ExecutionView.Visit;
import dev.mainstay.workflow.Workflows.Shown;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An execution in words: how it stands, what it waits for, and what happened. */
final class ExecutionText {
  private static final int SECONDS_CHARS = "2026-01-31T12:00:00".length();

  private ExecutionText() {}

  static List<String> lines(ExecutionView view, Shown drawn, int columns) {
    WorkflowExecution execution = view.execution();
    List<String> lines = new ArrayList<>();
    lines.add(Printable.line(WorkflowText.sentence(execution)));
    lines.add(
        Printable.line(
            Phrase.of(
                "workflow:   %s version %d (%s)",
                view.workflow().name(), view.workflow().version(), view.workflow().id())));
    lines.add("session:    " + Printable.line(execution.home().session()));
    lines.add(
        Printable.line("folder:     " + execution.home().host() + ":" + execution.home().folder()));
    WorkflowExecution.Caller caller = execution.home().caller();
    if (caller != null) lines.add("called by:  " + Printable.line(caller.execution()));
    lines.add(
        Printable.line(
            Phrase.of(
                "started:    %s by %s",
                time(execution.stamps().startedAt()), execution.stamps().startedBy())));
    Instant ended = execution.stamps().completedAt();
    if (ended != null) lines.add("ended:      " + time(ended));
    JsonObject variables = execution.standing().data().object("variables");
    variables
        .asMap()
        .forEach(
            (name, value) ->
                lines.add(Printable.line("variable:   " + name + " = " + JsonText.write(value))));
    for (Open each : view.open()) {
      boolean isOnly =
          view.open().stream().filter(other -> other.node().equals(each.node())).count() == 1;
      lines.addAll(open(each, execution.id(), drawn, isOnly));
    }
    lines.add("");
    lines.addAll(trail(view.visits(), columns));
    return lines;
  }

  /** What it waits for, and the command that goes on. */
  private static List<String> open(Open open, String execution, Shown drawn, boolean isOnly) {
    List<String> lines = new ArrayList<>();
    lines.add(
        Printable.line(
            Phrase.of("waits for:  %s at %s: %s", open.what(), open.node(), open.about())));
    String where = quoted(isOnly ? open.node() : open.token());
    String at = execution + " " + where;
    switch (open.what()) {
      case "TASK" -> lines.add(hint("task show " + open.about()));
      case "ANSWER" -> lines.addAll(answers(drawn, open.node(), at));
      case "MESSAGE" ->
          lines.add(hint("workflow message " + message(open) + " --execution " + execution));
      case "CALL" -> lines.add(hint("workflow show " + open.about()));
      case "INCIDENT" -> {
        lines.add(hint("workflow resume " + execution + " --retry " + where));
        lines.add(hint("workflow resume " + execution + " --skip " + where));
      }
      default -> {} // a moment comes by itself
    }
    return lines;
  }

  private static String message(Open open) {
    String which = open.correlation();
    return quoted(open.about()) + (which == null ? "" : " --correlation " + quoted(which));
  }

  private static List<String> answers(Shown drawn, String node, String at) {
    List<String> allowed =
        drawn
            .definition()
            .find(node)
            .map(Node::traits)
            .map(Node.Traits::order)
            .map(order -> order.wording().answers())
            .orElse(List.of());
    if (allowed.isEmpty()) return List.of(hint("workflow answer " + at + " --answer TEXT"));
    return allowed.stream()
        .map(each -> hint("workflow answer " + at + " --answer " + quoted(each)))
        .toList();
  }

  private static String hint(String command) {
    return Printable.line("            mainstay " + command);
  }

  /** As a shell takes it for one word. */
  static String quoted(String word) {
    if (word.matches("[A-Za-z0-9_.@:/-]+")) return word;
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static List<String> trail(List<Visit> visits, int columns) {
    Table table = new Table(columns, "NODE", "ENTERED", "BY", "TOOK", "LEFT BY", "HOW");
    for (Visit each : visits) {
      Moment left = each.left();
      Moment entered = each.entered();
      table.row(
          each.node(),
          time(entered.at()),
          entered.by().toString(),
          left == null ? "-" : length(Duration.between(entered.at(), left.at())),
          left == null ? "-" : left.by().toString(),
          left == null ? "still there" : how(left));
    }
    return table.lines();
  }

  private static String how(Moment left) {
    String note = left.note();
    return left.what().name() + (note == null ? "" : ": " + note);
  }

  static String time(Instant moment) {
    return Times.write(moment).substring(0, SECONDS_CHARS) + "Z";
  }

  static String length(Duration time) {
    if (time.toHours() > 0) return Phrase.of("%dh %02dm", time.toHours(), time.toMinutesPart());
    if (time.toMinutes() > 0) {
      return Phrase.of("%dm %02ds", time.toMinutes(), time.toSecondsPart());
    }
    return Phrase.of("%d.%03ds", time.toSeconds(), Math.max(0, time.toMillisPart()));
  }
}
