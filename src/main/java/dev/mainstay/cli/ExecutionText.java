package dev.mainstay.cli;

import dev.mainstay.bpmn.Node;
import dev.mainstay.domain.Graphemes;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An execution in words: how it stands, what it waits for, and what happened. */
final class ExecutionText {
  private static final int SECONDS_CHARS = "2026-01-31T12:00:00".length();

  private static final int VALUE_CHARS_MAX = 500;

  /** Of so many that are alike all are shown. */
  private static final int ALIKE_MAX = 5;

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
                lines.add(Printable.line("variable:   " + name + " = " + value(value))));
    lines.addAll(allOpen(view, drawn));
    lines.add("");
    lines.addAll(trail(view.visits(), columns));
    return lines;
  }

  /** Of a node that waits for very much the first are enough to see how to go on. */
  private static List<String> allOpen(ExecutionView view, Shown drawn) {
    Map<String, List<Open>> byNode = new LinkedHashMap<>();
    for (Open each : view.open()) {
      byNode.computeIfAbsent(each.what() + " at " + each.node(), n -> new ArrayList<>()).add(each);
    }
    List<String> lines = new ArrayList<>();
    byNode.forEach(
        (what, all) -> {
          boolean isOnly =
              view.open().stream().filter(o -> o.node().equals(all.get(0).node())).count() == 1;
          for (Open each : all.subList(0, Math.min(all.size(), ALIKE_MAX))) {
            lines.addAll(open(each, view.execution().id(), drawn, isOnly));
          }
          int more = all.size() - ALIKE_MAX;
          if (more > 0)
            lines.add(Printable.line(Phrase.of("            and %d more %s", more, what)));
        });
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

  private static String value(@Nullable Object value) {
    String text = JsonText.write(value);
    if (text.length() <= VALUE_CHARS_MAX) return text;
    String more = Phrase.of("... %,d characters; --json has all", text.length());
    return Graphemes.cut(text, VALUE_CHARS_MAX) + more;
  }

  private static String hint(String command) {
    return Printable.line("            mainstay " + command);
  }

  /** As a shell takes it for one word. */
  static String quoted(String word) {
    if (word.matches("[A-Za-z0-9_.@:/-]+")) return word;
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Of very many visits to a node that are alike the first few and the last. */
  private static List<String> trail(List<Visit> visits, int columns) {
    Map<String, Integer> alike = new HashMap<>();
    for (Visit each : visits) alike.merge(kind(each), 1, Integer::sum);
    Map<String, Integer> shown = new HashMap<>();
    Table table = new Table(columns, "NODE", "ENTERED", "BY", "TOOK", "LEFT BY", "HOW");
    int leftOut = 0;
    for (Visit each : visits) {
      int number = shown.merge(kind(each), 1, Integer::sum);
      int all = alike.getOrDefault(kind(each), 0);
      if (all > ALIKE_MAX && number >= ALIKE_MAX && number < all) leftOut++;
      else row(table, each);
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (leftOut > 0) {
      lines.add(
          Phrase.of("%,d visits like those before them are left out; --json has all", leftOut));
    }
    return lines;
  }

  /** One that went wrong is like no other node's, and like those that went wrong as it did. */
  private static String kind(Visit visit) {
    Moment left = visit.left();
    return visit.node() + " " + (left == null ? "" : how(left));
  }

  private static void row(Table table, Visit visit) {
    Moment left = visit.left();
    Moment entered = visit.entered();
    table.row(
        visit.node(),
        time(entered.at()),
        entered.by().toString(),
        left == null ? "-" : length(Duration.between(entered.at(), left.at())),
        left == null ? "-" : left.by().toString(),
        left == null ? "still there" : how(left));
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
