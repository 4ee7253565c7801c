package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which tasks to list; null means any, and so does an empty set of statuses or of words. */
public record TaskFilter(
    Set<TaskStatus> statuses,
    @Nullable TaskType type,
    @Nullable TaskId parent,
    @Nullable String workflow,
    List<String> words) {
  public static final TaskFilter ALL = new TaskFilter(null, null, null, null);
  public static final int SEARCH_CHARS_MAX = 256;
  public static final int WORDS_MAX = 8;

  public TaskFilter {
    statuses = Set.copyOf(statuses);
    words = List.copyOf(words);
    if (words.size() > WORDS_MAX) {
      throw Refusal.invalid(Phrase.of("a search takes at most %d words", WORDS_MAX));
    }
  }

  public TaskFilter(
      @Nullable TaskStatus status,
      @Nullable TaskType type,
      @Nullable TaskId parent,
      @Nullable String workflow) {
    this(status == null ? Set.of() : Set.of(status), type, parent, workflow, List.of());
  }

  /** The same, only those that stand as one of these, separated by commas. */
  public TaskFilter standing(@Nullable String typed) {
    if (typed == null) return this;
    Set<TaskStatus> wanted = EnumSet.noneOf(TaskStatus.class);
    for (String each : typed.split(",")) wanted.add(TaskStatus.parse(each));
    return new TaskFilter(wanted, type, parent, workflow, words);
  }

  /** The same, only those with each of these words in the id, the title or the description. */
  public TaskFilter saying(@Nullable String typed) {
    if (typed == null) return this;
    if (typed.length() > SEARCH_CHARS_MAX) {
      throw Refusal.invalid(
          Phrase.of("a search takes at most %d characters; name fewer words", SEARCH_CHARS_MAX));
    }
    List<String> wanted = new ArrayList<>();
    for (String each : typed.strip().split("\\s+")) if (!each.isEmpty()) wanted.add(each);
    return new TaskFilter(statuses, type, parent, workflow, wanted);
  }
}
