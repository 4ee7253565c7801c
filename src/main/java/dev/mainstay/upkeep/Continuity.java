package dev.mainstay.upkeep;

import dev.mainstay.domain.KeptEntries;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.ReadEntry;
import dev.mainstay.domain.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one reader of the journal was given last, to notice when some of it is not there any more.
 */
final class Continuity {
  private static final int ENTRIES_MAX = 1_000;

  private final Journal journal;
  private final Deque<ReadEntry> read = new ArrayDeque<>();
  private Position at;

  Continuity(Journal journal, Position from) {
    this.journal = journal;
    this.at = from;
    read.add(new ReadEntry(from, ""));
  }

  Position at() {
    return at;
  }

  /** It was given this entry. */
  void add(Placed placed) {
    at = placed.position();
    read.addLast(new ReadEntry(at, placed.entry().place().stream()));
    if (read.size() > ENTRIES_MAX) read.removeFirst();
  }

  /**
   * What comes next in a stream, or in all. After a failover everything that was given is looked
   * for first; refuses to go on if some of it is gone, and says after which entry to begin again.
   */
  List<Placed> next(@Nullable String stream, int limit) {
    List<Placed> found;
    try {
      found = journal.after(at, stream, limit);
    } catch (Refusal refused) {
      if (refused.code() == Refusal.Code.CONFLICT) throw lost(refused);
      throw refused;
    }
    if (found.isEmpty() || !at.isOfOtherTimeline(found.get(0).position().timeline())) return found;
    KeptEntries kept = journal.kept(List.copyOf(read));
    if (kept.lost() > 0) throw lost(at.wentBack());
    return found;
  }

  private Refusal lost(Refusal otherwise) {
    KeptEntries kept = journal.kept(List.copyOf(read));
    if (kept.common() == null) return otherwise;
    return Refusal.conflict(
        Phrase.of(
            "the store's history went back, as after a failover to a standby that lacked its end: %,d of the entries shown are gone; go on with --since %s",
            kept.lost(), kept.common()));
  }
}
