package dev.mainstay.terminal;

import dev.mainstay.store.Once;
import dev.mainstay.store.Store;

/** What agents said about themselves, as far as it still holds. */
final class Signals {
  private Signals() {}

  /** Something is typed: what was said before says nothing about what comes of it. */
  static void forget(Store store, String terminal) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.terminals().forgetSignal(terminal);
          return 1;
        });
  }
}
