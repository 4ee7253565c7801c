package dev.mainstay.overview;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store;
import java.time.Duration;
import java.util.List;

/** Everything a person looks at that is made of several tables. Nothing is changed here. */
public final class Overview {
  public static final int FILES_MAX = 1_000;
  public static final int PROPOSALS_MAX = 100;
  public static final Duration CHARTS_MAX = Duration.ofDays(31);

  private final Store store;

  public Overview(Store store) {
    this.store = store;
  }

  /** Who does what at this moment, what waits and for what; every list of it fits a screen. */
  public JsonObject now() {
    return store.reading(Now::look);
  }

  /** The newest tasks that a filter lets through, and what leads from one of them to another. */
  public Graph graph(TaskFilter filter, int limit) {
    Graph.checkLimit(limit);
    return store.reading(tx -> Graph.of(tx, filter, limit));
  }

  /** What hangs together with a task, the nearest first. */
  public Graph graphAround(TaskId root, int limit) {
    Graph.checkLimit(limit);
    return store.reading(tx -> Graph.around(tx, root, limit));
  }

  /** Figures of the last hours. */
  public JsonObject charts(int hours) {
    if (hours < 1 || hours > CHARTS_MAX.toHours()) {
      throw Refusal.invalid(Phrase.of("charts show between 1 and %d hours", CHARTS_MAX.toHours()));
    }
    return store.reading(tx -> Charts.of(tx, hours));
  }

  /** The files that a task changed, the last first, each as it left it. */
  public List<JsonObject> files(TaskId task) {
    return store.reading(
        tx -> {
          tx.tasks().get(task);
          return tx.touches().of(task, FILES_MAX).stream().map(Files::json).toList();
        });
  }

  /** What persons are asked to allow, in the order of the tasks. */
  public List<JsonObject> proposals() {
    return store.reading(
        tx -> tx.overview().proposals(PROPOSALS_MAX).stream().flatMap(Proposed::lines).toList());
  }
}
