package dev.mainstay.mcp;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Times;
import dev.mainstay.queue.Tasks;
import dev.mainstay.render.Neutral;
import dev.mainstay.state.EvidenceBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tasks and what was seen of them, as text. */
final class TaskTexts {
  private static final int LISTED_MAX = 500;
  private static final int EXCERPT_CHARS_MAX = 100;

  private final Rooms rooms;

  TaskTexts(Rooms rooms) {
    this.rooms = rooms;
  }

  /** The task's row. */
  String task(TaskId id) {
    Task task = rooms.tasks().show(id);
    List<String> lines = new ArrayList<>();
    lines.add(Phrase.of("%s: %s", id, Neutral.line(task.title())));
    String holder = task.lease().map(Lease::holder).map(by -> ", held by " + by).orElse("");
    lines.add(
        Phrase.of(
            "%s%s, %s, priority %d",
            task.status(), holder, task.brief().type(), task.brief().priority()));
    String reason = task.progress().reason();
    if (reason != null) lines.add("reason: " + Neutral.block(reason));
    TaskId parent = task.links().parent();
    if (parent != null) lines.add("part of " + parent);
    if (!task.links().dependencies().isEmpty()) {
      lines.add(
          "waits for "
              + task.links().dependencies().stream()
                  .map(Dependency::on)
                  .map(TaskId::value)
                  .collect(Collectors.joining(", ")));
    }
    lines.add("made " + Times.write(task.stamps().createdAt()));
    if (!task.brief().description().isBlank()) {
      lines.add("description: " + Neutral.block(task.brief().description()));
    }
    return String.join("\n", lines) + "\n";
  }

  /** What was seen, and how the criteria stand by it. */
  String evidence(TaskId id) {
    List<String> lines = new ArrayList<>();
    int number = 0;
    for (EvidenceBook.Judged each : rooms.evidence().criteria(id)) {
      String check = each.criterion().check();
      lines.add(
          Phrase.of(
              "criterion %d %s: %s%s",
              ++number,
              each.standing().name().toLowerCase(Locale.ROOT).replace('_', ' '),
              Neutral.line(each.criterion().text()),
              check == null ? "" : ", check: " + Neutral.line(check)));
    }
    for (EvidenceBook.Entry each : rooms.evidence().list(id)) {
      lines.add(
          Phrase.of(
              "%s ended with %d%s",
              Neutral.line(each.evidence().command()),
              each.evidence().exitCode(),
              each.fresh() ? "" : ", and files changed since"));
    }
    if (lines.isEmpty()) lines.add(id + " has no criteria, and no check was seen.");
    return String.join("\n", lines) + "\n";
  }

  /** Tasks in one line each: {@code ready}, {@code open}, {@code all/T-200}, or of a status. */
  String list(@Nullable String which) {
    String[] parts = (which == null ? "open" : which).split("/", 2);
    String wanted = parts[0].toLowerCase(Locale.ROOT);
    String after = parts.length < 2 ? null : TaskId.parse(parts[1]).value();
    if (wanted.equals("ready")) return ready();
    if (wanted.equals("open")) {
      return listed("in_progress", after) + listed("assigned", after) + listed("pending", after);
    }
    String listed = listed(wanted, after);
    return listed.isEmpty() ? "There is no such task.\n" : listed;
  }

  private String ready() {
    List<Task> found = rooms.tasks().ready(null, LISTED_MAX);
    if (found.isEmpty()) return "No task is ready.\n";
    String all = found.stream().map(TaskTexts::line).collect(Collectors.joining());
    return found.size() < LISTED_MAX
        ? all
        : all + Phrase.of("These are the %,d most urgent.\n", LISTED_MAX);
  }

  /** Those of a status, or all; where there are more, where they are. */
  private String listed(String wanted, @Nullable String after) {
    TaskStatus status = wanted.equals("all") ? null : TaskStatus.parse(wanted);
    var filter = new TaskFilter(status, null, null, null);
    Tasks.Page page = rooms.tasks().list(filter, after, LISTED_MAX);
    String all = page.tasks().stream().map(TaskTexts::line).collect(Collectors.joining());
    return page.next() == null
        ? all
        : all + Phrase.of("more: recall tasks:%s/%s\n", wanted, page.next());
  }

  List<Task> of(TaskStatus status) {
    var filter = new TaskFilter(status, null, null, null);
    return rooms.tasks().list(filter, null, LISTED_MAX).tasks();
  }

  private static String line(Task task) {
    String why =
        task.status() == TaskStatus.PENDING && !task.isReady()
            ? ", " + task.links().waiting().shown()
            : task.lease().map(Lease::holder).map(by -> ", " + by).orElse("");
    return Phrase.of(
        "%s %s%s: %s\n", task.id(), task.status(), why, Neutral.line(excerpt(task.title())));
  }

  static String excerpt(String text) {
    return Graphemes.excerpt(text.strip().replaceAll("\\s+", " "), EXCERPT_CHARS_MAX);
  }
}
