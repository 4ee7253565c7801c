package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes whose outcome nobody looks at. They wait until something is asked or the transaction
 * ends, and travel together, in their order: over a network the way costs more than most changes.
 */
final class Outbox {
  /** Few enough that the texts, which the driver keeps prepared, repeat themselves. */
  private static final int TOGETHER_MAX = 48;

  private final List<Sql> waiting = new ArrayList<>();

  void add(Sql change) {
    waiting.add(change);
  }

  void send() {
    while (!waiting.isEmpty()) {
      List<Sql> next = waiting.subList(0, Math.min(TOGETHER_MAX, waiting.size()));
      List<Sql> sent = List.copyOf(next);
      next.clear();
      Sql.together(sent);
    }
  }
}
