package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes whose outcome nobody looks at. They wait until something is asked or the transaction
 * ends, and travel together, in their order: over a network the way costs more than most changes.
 * Those that are alike become one, see {@link Parcel}.
 */
final class Outbox {
  /** Few enough that the texts, which the driver keeps prepared, repeat themselves. */
  private static final int TOGETHER_MAX = 48;

  /**
   * So few take a question along: with more the text would be a new one most times, and the
   * question parsed and planned anew with it.
   */
  private static final int TAKING_ALONG_MAX = 4;

  private final List<Sql> waiting = new ArrayList<>();
  private long added;
  private long sent;

  void add(Sql change) {
    waiting.add(change);
    added++;
  }

  /** How many there were so far; {@link #takeBack} knows the moment again by it. */
  long added() {
    return added;
  }

  /** Forgets what was added since a moment; false when some of it is on its way already. */
  boolean takeBack(long moment) {
    if (sent > moment) return false;
    while (added > moment) {
      waiting.remove(waiting.size() - 1);
      added--;
    }
    return true;
  }

  boolean takesAlong() {
    return waiting.size() <= TAKING_ALONG_MAX;
  }

  void send() {
    if (!waiting.isEmpty()) send(null);
  }

  /** Sends what waits with something that comes last, on the same journey: the commit, say. */
  void sendWith(Sql last) {
    send(last);
  }

  private void send(@Nullable Sql last) {
    List<Sql> all = List.copyOf(waiting);
    waiting.clear();
    sent = added;
    List<Sql> single = new ArrayList<>();
    for (Parcel parcel : Parcel.pack(all)) {
      if (parcel.isLarge()) {
        sendOneByOne(single);
        parcel.sendEach();
      } else {
        single.addAll(parcel.statements());
      }
    }
    if (last != null) single.add(last);
    sendOneByOne(single);
  }

  /** In one journey, each a statement of its own. */
  private static void sendOneByOne(List<Sql> changes) {
    for (int i = 0; i < changes.size(); i += TOGETHER_MAX) {
      Sql.together(changes.subList(i, Math.min(i + TOGETHER_MAX, changes.size())));
    }
    changes.clear();
  }
}
