package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reading the journal: the newest entries, or everything from a position on as it comes. */
public final class Journal {
  public static final int NEWEST_MAX = 10_000;
  private static final int ENTRIES_AT_ONCE = 500;

  /** For news that was lost on its way. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** On PostgreSQL an entry comes into view only when older transactions have ended. */
  private static final Duration LOOK_SOON = Duration.ofMillis(50);

  private final Store store;

  public Journal(Store store) {
    this.store = store;
  }

  public List<JournalEntry> newest(@Nullable String stream, int limit) {
    if (limit < 1 || limit > NEWEST_MAX) {
      throw Refusal.invalid(
          Phrase.of("a limit lies between 1 and %,d; --since start shows all", NEWEST_MAX));
    }
    return store.reading(tx -> tx.journal().newest(stream, limit));
  }

  public List<Placed> after(Position position, @Nullable String stream, int limit) {
    return store.reading(tx -> tx.journal().after(position, stream, limit));
  }

  /** The position after everything that is settled now. */
  public Position end() {
    return store.reading(tx -> tx.journal().end());
  }

  /**
   * Hands over every entry after the position, each once and in order, until the consumer answers
   * false or the thread is interrupted. Wakes when there is something.
   */
  public void follow(Position from, @Nullable String stream, Predicate<Placed> consumer) {
    Position position = from;
    long soonUntil = System.nanoTime();
    while (!Thread.currentThread().isInterrupted()) {
      long seen = store.changes().seen(News.JOURNAL);
      List<Placed> entries = after(position, stream, ENTRIES_AT_ONCE);
      for (Placed placed : entries) {
        if (!consumer.test(placed)) return;
        position = placed.position();
      }
      if (entries.size() == ENTRIES_AT_ONCE) continue;
      boolean soon = System.nanoTime() - soonUntil < 0;
      if (store.changes().await(News.JOURNAL, seen, soon ? LOOK_SOON : LOOK_AGAIN)) {
        soonUntil = System.nanoTime() + LOOK_AGAIN.toNanos();
      }
    }
  }
}
