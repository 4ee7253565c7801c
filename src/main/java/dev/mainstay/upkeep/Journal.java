package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JournalFilter;
import dev.mainstay.domain.KeptEntries;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.ReadEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reading the journal: the newest entries, or everything from a position on as it comes. */
public final class Journal {
  public static final int NEWEST_MAX = 10_000;
  private static final int ENTRIES_AT_ONCE = 500;

  /** One search looks at so many entries, however few of them it finds. */
  public static final int LOOKED_MAX = 20_000;

  private static final int LOOKED_AT_ONCE = 1_000;

  /** For news that was lost on its way. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** On PostgreSQL an entry comes into view only when older transactions have ended. */
  private static final Duration LOOK_SOON = Duration.ofMillis(50);

  private final Store store;

  public Journal(Store store) {
    this.store = store;
  }

  /** Refuses to show more of the newest than there is room for. */
  public static void checkNewest(int limit) {
    if (limit >= 1 && limit <= NEWEST_MAX) return;
    throw Refusal.invalid(
        Phrase.of("a limit lies between 1 and %,d; --since start shows all", NEWEST_MAX));
  }

  public List<JournalEntry> newest(@Nullable String stream, int limit) {
    checkNewest(limit);
    return store.reading(tx -> tx.journal().newest(stream, limit));
  }

  public List<Placed> after(Position position, @Nullable String stream, int limit) {
    return store.reading(tx -> tx.journal().after(position, stream, limit));
  }

  /** Entries that were found, and where to look on: null at the end of the journal. */
  public record Found(List<Placed> entries, @Nullable Position next) {}

  /**
   * Entries that a filter lets through after a position, or before it with the newest first. So
   * much is looked at and no more: a page may be short, or empty, and still say where to look on.
   */
  public Found search(JournalFilter filter, Position from, boolean newestFirst, int limit) {
    return store.reading(tx -> search(tx.journal(), filter, from, newestFirst, limit));
  }

  private static Found search(
      JournalTable journal, JournalFilter filter, Position from, boolean newestFirst, int limit) {
    boolean plain = filter.equals(JournalFilter.ALL) || filter.isOneStream();
    int atOnce = plain ? limit : LOOKED_AT_ONCE;
    String stream = filter.wholeStream();
    List<Placed> found = new ArrayList<>();
    Position position = from;
    for (int looked = 0; looked < LOOKED_MAX; looked += atOnce) {
      List<Placed> next =
          newestFirst
              ? journal.before(position, stream, atOnce)
              : journal.after(position, stream, atOnce);
      for (Placed each : next) {
        position = each.position();
        if (filter.lets(each.entry())) found.add(each);
        if (found.size() == limit) return new Found(found, position);
      }
      if (next.size() < atOnce) return new Found(found, null);
    }
    return new Found(found, position);
  }

  /** The entries of a stream from a number on. */
  public List<Placed> from(String stream, long number, int limit) {
    return store.reading(tx -> tx.journal().from(stream, number, limit));
  }

  /** The number of a stream's last entry, 0 when it has none. */
  public long last(String stream) {
    return store.reading(tx -> tx.journal().head(stream).number());
  }

  /**
   * The same position in the journal as it is now; refused if the entry that it is after is gone.
   */
  public Position resume(Position position) {
    return store.reading(tx -> tx.journal().resume(position));
  }

  /** What became of entries that were read before, oldest first; there is at least one. */
  public KeptEntries kept(List<ReadEntry> read) {
    return store.reading(tx -> tx.journal().kept(read));
  }

  /** Entries of writes that this process acknowledged and that are gone since; each told once. */
  public List<String> lostWrites() {
    return store.lostWrites();
  }

  /** The position after everything that is settled now. */
  public Position end() {
    return store.reading(tx -> tx.journal().end());
  }

  /**
   * Hands over every entry after the position, each once and in order, until the consumer answers
   * false or the thread is interrupted. Wakes when there is something. Refuses to go on when some
   * of what it handed over is gone, as after a failover to a standby that did not have it.
   */
  public void follow(Position from, @Nullable String stream, Predicate<Placed> consumer) {
    Continuity read = new Continuity(this, from);
    long soonUntil = System.nanoTime();
    while (!Thread.currentThread().isInterrupted()) {
      long seen = store.changes().seen(News.JOURNAL);
      List<Placed> entries = read.next(stream, ENTRIES_AT_ONCE);
      for (Placed placed : entries) {
        if (!consumer.test(placed)) return;
        read.add(placed);
      }
      if (entries.size() == ENTRIES_AT_ONCE) continue;
      boolean soon = System.nanoTime() - soonUntil < 0;
      if (store.changes().await(News.JOURNAL, seen, soon ? LOOK_SOON : LOOK_AGAIN)) {
        soonUntil = System.nanoTime() + LOOK_AGAIN.toNanos();
      }
    }
  }
}
