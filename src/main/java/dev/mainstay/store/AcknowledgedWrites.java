package dev.mainstay.store;

import dev.mainstay.store.JournalTable.Written;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The journal entries of the writes that a store acknowledged last. After a failover to an
 * asynchronous standby some of them may be gone.
 */
final class AcknowledgedWrites {
  private static final int ENTRIES_MAX = 2_000;

  private final Deque<Written> newest = new ArrayDeque<>();

  synchronized void add(Written entry) {
    newest.addLast(entry);
    if (newest.size() > ENTRIES_MAX) newest.removeFirst();
  }

  private synchronized List<Written> all() {
    return List.copyOf(newest);
  }

  private synchronized void forget(List<Written> lost) {
    newest.removeAll(lost);
  }

  /** Those that are not in the journal any more, as {@code stream #number}; each is given once. */
  List<String> takeLost(Tx tx) {
    List<Written> lost = new ArrayList<>();
    for (Written each : all()) {
      boolean archived = tx.archivedStreams().find(each.stream()).isPresent();
      if (!archived && !tx.journal().holds(each)) lost.add(each);
    }
    forget(lost);
    return lost.stream().map(each -> each.stream() + " #" + each.number()).toList();
  }
}
