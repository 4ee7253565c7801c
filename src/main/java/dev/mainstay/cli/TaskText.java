package dev.mainstay.cli;

import dev.mainstay.domain.Budget;
import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Waiting;
import dev.mainstay.json.JsonText;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Tasks as people read them. */
final class TaskText {
  private static final int LABEL_COLUMNS = 13;
  private static final int NARROW_COLUMNS = 70;

  private TaskText() {}

  static String show(Task task) {
    StringBuilder text = new StringBuilder();
    text.append(task.id()).append("  ").append(Printable.line(task.title())).append('\n');
    if (task.brief().alias() != null) line(text, "alias", task.brief().alias());
    line(text, "status", status(task));
    line(text, "type", task.brief().type() + ", priority " + task.brief().priority());
    if (task.links().parent() != null) line(text, "part of", task.links().parent().value());
    if (task.links().workflow() != null) line(text, "workflow", task.links().workflow());
    if (!task.links().dependencies().isEmpty()) line(text, "waits for", waits(task));
    if (task.status() == TaskStatus.PENDING && task.links().waiting().openChildren() > 0) {
      line(text, "parts", counted(task.links().waiting().openChildren(), "part") + " open");
    }
    if (!task.links().terms().isNone()) {
      line(text, "terms", Printable.line(JsonText.write(task.links().terms().toJson())));
    }
    task.lease().ifPresent(lease -> line(text, "held by", held(task, lease)));
    task.lease()
        .map(Lease::helpers)
        .filter(helpers -> !helpers.isEmpty())
        .ifPresent(all -> line(text, "helpers", Printable.line(String.join(", ", all))));
    line(text, "created", time(task.stamps().createdAt()));
    line(text, "updated", time(task.stamps().updatedAt()) + ", version " + task.stamps().version());
    if (!task.brief().metadata().isEmpty()) {
      line(text, "metadata", Printable.line(JsonText.write(task.brief().metadata())));
    }
    if (!task.brief().description().isBlank()) {
      text.append('\n')
          .append(Printable.text(task.brief().description()).stripTrailing())
          .append('\n');
    }
    return text.toString();
  }

  static List<String> table(List<TaskLine> tasks, int columns) {
    if (columns < NARROW_COLUMNS) {
      Table narrow = new Table(columns, "ID", "STATUS", "TITLE");
      for (TaskLine task : tasks) narrow.row(task.id().value(), status(task), task.title());
      return narrow.lines();
    }
    Table table = new Table(columns, "ID", "STATUS", "PRIORITY", "TYPE", "WAITS FOR", "TITLE");
    for (TaskLine task : tasks) {
      table.row(
          task.id().value(),
          status(task),
          String.valueOf(task.priority()),
          task.type().name(),
          waitsShortly(task),
          task.title());
    }
    return table.lines();
  }

  private static String waitsShortly(TaskLine task) {
    Waiting waiting = task.waiting();
    if (task.status() != TaskStatus.PENDING || waiting.isNothing()) return "-";
    if (waiting.unmet() > 0) return counted(waiting.unmet(), "task");
    if (waiting.openChildren() > 0) return counted(waiting.openChildren(), "part");
    return waiting.delayedUntil() == null ? "its budget" : "a pause";
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** On what terms a task is done, in a line. */
  static String terms(Task task) {
    Terms terms = task.links().terms();
    return terms.isNone()
        ? task.id() + " has no particular terms"
        : task.id() + "  " + Printable.line(JsonText.write(terms.toJson()));
  }

  static String budget(Budget budget) {
    return "spent and put aside: " + Printable.line(JsonText.write(budget.toJson()));
  }

  private static String status(TaskLine task) {
    return task.isReady() ? "READY" : task.status().name();
  }

  private static String status(Task task) {
    String reason = task.progress().reason();
    boolean pending = task.status() == TaskStatus.PENDING;
    String ready =
        task.isReady() ? ", ready to begin" : pending ? ", " + task.links().waiting().shown() : "";
    return task.status() + ready + (reason == null ? "" : ": " + Printable.line(reason));
  }

  private static String waits(Task task) {
    String names =
        task.links().dependencies().stream()
            .map(
                d ->
                    d.kind() == Dependency.Kind.BLOCKS
                        ? d.on().value()
                        : d.on() + " (" + d.kind().typed() + ")")
            .collect(Collectors.joining(", "));
    return names
        + "; "
        + (task.links().unmet() == 0 ? "all met" : task.links().unmet() + " not met yet");
  }

  private static String held(Task task, Lease lease) {
    return Phrase.of(
        "%s until %s, fence %d, attempt %d",
        Printable.line(lease.holder()),
        time(lease.until()),
        task.fence(),
        task.progress().attempt());
  }

  static String time(Instant instant) {
    String text = Times.write(instant);
    return text.substring(0, 10) + " " + text.substring(11, 19) + " UTC";
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append("  ").append(Printable.pad(label, LABEL_COLUMNS)).append(value).append('\n');
  }
}
