package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must be there when writers are done: everything that was acknowledged, and that once. */
final class WritersCheck {
  private static final TaskFilter ALL = new TaskFilter(null, null, null, null);
  private static final int ENTRIES_MAX = 10_000_000;

  private WritersCheck() {}

  static void eachIsThereOnce(Store store, List<AskingWriter> writers) {
    assertThat(writers.stream().flatMap(each -> each.wrongs().stream())).isEmpty();
    areThereOnce(store, writers.stream().flatMap(each -> each.titles().stream()).toList());
  }

  static void areThereOnce(Store store, List<String> asked) {
    assertThat(titles(store)).containsExactlyInAnyOrderElementsOf(asked);
    KillablePostgres.await("the journal is settled", () -> journal(store).size() == count(store));
    Map<String, List<String>> kinds = new TreeMap<>();
    for (JournalEntry entry : journal(store)) {
      String stream = entry.place().stream();
      if (!stream.startsWith("task/")) continue;
      kinds.computeIfAbsent(stream, none -> new ArrayList<>()).add(entry.content().kind());
    }
    assertThat(kinds).hasSize(asked.size());
    assertThat(kinds.values()).allMatch(AskingWriter.STEPS::equals);
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  /** Of all tasks, a title as often as it is there. */
  static List<String> titles(Store store) {
    List<String> titles = new ArrayList<>();
    String cursor = null;
    do {
      Tasks.Page page = new Tasks(store).list(ALL, cursor, Tasks.PAGE_MAX);
      for (Task task : page.tasks()) titles.add(task.brief().title());
      cursor = page.next();
    } while (cursor != null);
    return titles;
  }

  static boolean isSomethingTwice(Store store) {
    List<String> titles = titles(store);
    return titles.stream().distinct().count() < titles.size();
  }

  private static List<JournalEntry> journal(Store store) {
    return store.reading(
        tx ->
            tx.journal().after(Position.BEGINNING, null, ENTRIES_MAX).stream()
                .map(placed -> placed.entry())
                .toList());
  }

  private static long count(Store store) {
    return store.reading(tx -> tx.journal().count());
  }
}
