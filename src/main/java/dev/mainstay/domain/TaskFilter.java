package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which tasks to list; null means any, and so do no statuses and no words. */
public record TaskFilter(
    Standing standing,
    @Nullable TaskType type,
    @Nullable TaskId parent,
    @Nullable String workflow,
    List<String> words) {
  public static final TaskFilter ALL = new TaskFilter(null, null, null, null);
  public static final int SEARCH_CHARS_MAX = 256;
  public static final int WORDS_MAX = 8;

  /**
   * Which of those that are pending: all, or only those that wait for nothing, or for something.
   */
  public enum Pending {
    ANY,
    READY,
    WAITING
  }

  /** How a task may stand; none of the statuses means any. */
  public record Standing(Set<TaskStatus> statuses, Pending pending) {
    private static final Standing ANY = new Standing(Set.of(), Pending.ANY);
    private static final String FILTERS =
        "the filters are READY and WAITING (both are PENDING), "
            + TaskStatus.names(EnumSet.allOf(TaskStatus.class));

    public Standing {
      statuses = Set.copyOf(statuses);
    }

    /** Statuses between commas, and among them READY and WAITING for the two kinds of PENDING. */
    static Standing parse(String typed) {
      Set<TaskStatus> wanted = EnumSet.noneOf(TaskStatus.class);
      Set<Pending> pending = EnumSet.noneOf(Pending.class);
      for (String each : typed.split(",")) {
        String word = each.strip().toUpperCase(Locale.ROOT);
        boolean isKind = word.equals("READY") || word.equals("WAITING");
        TaskStatus status = isKind ? TaskStatus.PENDING : TaskStatus.parse(each, FILTERS);
        wanted.add(status);
        if (status == TaskStatus.PENDING) {
          pending.add(isKind ? Pending.valueOf(word) : Pending.ANY);
        }
      }
      return new Standing(wanted, pending.size() == 1 ? pending.iterator().next() : Pending.ANY);
    }
  }

  public TaskFilter {
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
    this(
        status == null ? Standing.ANY : new Standing(Set.of(status), Pending.ANY),
        type,
        parent,
        workflow,
        List.of());
  }

  /** The same, only those that stand as one of these, separated by commas. */
  public TaskFilter standing(@Nullable String typed) {
    if (typed == null) return this;
    return new TaskFilter(Standing.parse(typed), type, parent, workflow, words);
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
    return new TaskFilter(standing, type, parent, workflow, wanted);
  }
}
