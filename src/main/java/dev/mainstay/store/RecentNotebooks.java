package dev.mainstay.store;

import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.NotebookTable.Whole;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notebooks of the tasks that were met last, so that a long one is neither fetched nor read
 * again with each look at it. What is known is known by the hash of the one part and by the text of
 * the other: it can be forgotten, and never be out of date.
 */
final class RecentNotebooks {
  private static final int TASKS_MAX = 16;

  /** What was written whole, the text of what is new since, and what both mean together. */
  record Met(Whole whole, String since, Notebook notebook) {
    static final Met NONE = new Met(Whole.NONE, "{}", Notebook.EMPTY);
  }

  private final Map<TaskId, Met> byTask =
      new LinkedHashMap<>(TASKS_MAX * 2, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, Met> eldest) {
          return size() > TASKS_MAX;
        }
      };

  synchronized Met of(TaskId task) {
    return byTask.getOrDefault(task, Met.NONE);
  }

  synchronized void keep(TaskId task, Met met) {
    byTask.put(task, met);
  }

  /**
   * What a row says: the hash of the whole one, that one's text unless it is known, and what is new
   * since.
   */
  static Met read(Met known, String hash, @Nullable String text, String since) {
    boolean same = known.whole().hash().equals(hash);
    if (same && known.since().equals(since)) return known;
    try {
      Whole whole = same ? known.whole() : whole(hash, text);
      return new Met(whole, since, Notebook.fromJson(whole.notebook(), JsonText.object(since)));
    } catch (IllegalArgumentException
        | IllegalStateException
        | DateTimeException
        | ArithmeticException
        | Refusal damage) {
      throw Faults.damagedRow(damage);
    }
  }

  private static Whole whole(String hash, @Nullable String text) {
    if (text == null) return Whole.NONE;
    return new Whole(hash, Notebook.fromJson(JsonText.object(text)));
  }
}
