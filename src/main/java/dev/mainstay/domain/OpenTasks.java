package dev.mainstay.domain;

import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.RepoState.OpenTask.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes open tasks of what models and their tools write: one vocabulary, one way to clean. */
final class OpenTasks {
  /** What is read of a description before it is cleaned and cut. */
  static final int RAW_CHARS_MAX = 4_096;

  private static final int WORD_CHARS_MAX = 24;

  // What failed is not done, so it stays open; what was skipped or cancelled needs no more work.
  private static final Map<String, Status> WORDS =
      Map.ofEntries(
          Map.entry("pending", Status.PENDING),
          Map.entry("todo", Status.PENDING),
          Map.entry("to_do", Status.PENDING),
          Map.entry("open", Status.PENDING),
          Map.entry("not_started", Status.PENDING),
          Map.entry("blocked", Status.PENDING),
          Map.entry("failed", Status.PENDING),
          Map.entry("in_progress", Status.IN_PROGRESS),
          Map.entry("inprogress", Status.IN_PROGRESS),
          Map.entry("active", Status.IN_PROGRESS),
          Map.entry("doing", Status.IN_PROGRESS),
          Map.entry("started", Status.IN_PROGRESS),
          Map.entry("completed", Status.COMPLETED),
          Map.entry("complete", Status.COMPLETED),
          Map.entry("done", Status.COMPLETED),
          Map.entry("finished", Status.COMPLETED),
          Map.entry("cancelled", Status.COMPLETED),
          Map.entry("canceled", Status.COMPLETED),
          Map.entry("skipped", Status.COMPLETED),
          Map.entry("deleted", Status.COMPLETED));

  /** The fields that say what is to be done, the short one before the long. */
  private static final List<String> DESCRIPTIONS =
      List.of("subject", "content", "step", "title", "label", "description", "task", "text");

  private OpenTasks() {}

  /** A task as it was written, cleaned; without a priority its place in the list becomes that. */
  record Draft(String description, Status status, @Nullable Integer priority) {
    Draft(String description, Status status) {
      this(description, status, null);
    }
  }

  /** The status that a word means; null when it means none. */
  static @Nullable Status status(@Nullable Object word) {
    if (!(word instanceof String text) || text.length() > WORD_CHARS_MAX) return null;
    return WORDS.get(text.strip().toLowerCase(Locale.ROOT).replace(' ', '_').replace('-', '_'));
  }

  /** The draft of one task; null when nothing is left of its description. */
  static @Nullable Draft draft(String raw, @Nullable Status status) {
    String description = line(raw);
    if (description.isEmpty()) return null;
    return new Draft(description, status == null ? Status.PENDING : status);
  }

  /** The tasks of a JSON list of texts or objects; items that are neither are left out. */
  static List<Draft> drafts(List<?> items) {
    List<Draft> drafts = new ArrayList<>();
    for (Object item : items) {
      Draft draft = null;
      if (item instanceof String text) draft = draft(text, null);
      if (item instanceof JsonObject object) draft = draft(object);
      if (draft != null) drafts.add(draft);
    }
    return drafts;
  }

  private static @Nullable Draft draft(JsonObject object) {
    for (String field : DESCRIPTIONS) {
      if (!(object.get(field) instanceof String text)) continue;
      Draft draft = draft(text, status(object.get("status")));
      if (draft == null) continue;
      return new Draft(draft.description(), draft.status(), priority(object.get("priority")));
    }
    return null;
  }

  /** A whole number of 9 digits at most; words such as "high" give no order. */
  private static @Nullable Integer priority(@Nullable Object given) {
    if (!(given instanceof Long number)) return null;
    return Math.abs(number) <= OpenTask.PRIORITY_MAX ? Integer.valueOf(number.intValue()) : null;
  }

  /**
   * At most {@link RepoState#OPEN_TASKS_MAX} tasks in their order, and how many were dropped: first
   * those that are completed, then the last ones, so that as little open work as possible is lost.
   */
  static TaskListText.Found gather(List<Draft> drafts) {
    int dropped = Math.max(0, drafts.size() - RepoState.OPEN_TASKS_MAX);
    int skip = dropped;
    List<OpenTask> tasks = new ArrayList<>();
    for (Draft each : drafts) {
      if (tasks.size() == RepoState.OPEN_TASKS_MAX) break;
      if (skip > 0 && each.status() == Status.COMPLETED) skip--;
      else tasks.add(new OpenTask(each.description(), each.status(), priority(each, tasks)));
    }
    return new TaskListText.Found(tasks, dropped);
  }

  private static int priority(Draft draft, List<OpenTask> before) {
    return draft.priority() == null ? before.size() + 1 : draft.priority();
  }

  /** One line without control characters or half characters, cut to the limit; perhaps empty. */
  private static String line(String raw) {
    int end = Math.min(raw.length(), RAW_CHARS_MAX);
    StringBuilder line = new StringBuilder(Math.min(end, OpenTask.DESCRIPTION_CHARS_MAX));
    for (int i = 0; i < end; i++) {
      char c = raw.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < end
              && Character.isLowSurrogate(raw.charAt(i + 1));
      if (pair) line.append(c).append(raw.charAt(++i));
      else if (c == '\n' || c == '\r' || c == '\t') line.append(' ');
      else if (!Character.isSurrogate(c) && !Character.isISOControl(c)) line.append(c);
    }
    return Graphemes.cut(line.toString().strip(), OpenTask.DESCRIPTION_CHARS_MAX).strip();
  }
}
