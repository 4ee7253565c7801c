package dev.mainstay.store;

import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.NotebookTable.Base;
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
  record Met(Base base, String since, Notebook notebook) {
    static final Met NONE = new Met(Base.NONE, "{}", Notebook.EMPTY);
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

  /** Of a hash, the whole text unless that is of the one known, and what is new since. */
  static Met read(Met known, String hash, @Nullable String whole, String since) {
    boolean same = known.base().hash().equals(hash);
    if (same && known.since().equals(since)) return known;
    Base base = same ? known.base() : base(hash, whole);
    return new Met(base, since, Notebook.fromJson(base.notebook(), JsonText.object(since)));
  }

  private static Base base(String hash, @Nullable String whole) {
    if (hash.isEmpty()) return Base.NONE;
    if (whole == null) {
      throw Faults.damagedRow(new IllegalStateException("there is no notebook " + hash));
    }
    return new Base(hash, Notebook.fromJson(JsonText.object(whole)));
  }
}
