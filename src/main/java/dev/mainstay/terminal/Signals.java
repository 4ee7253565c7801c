package dev.mainstay.terminal;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.Typed;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.List;

/** What agents said about themselves, as far as it still holds. */
final class Signals {
  private Signals() {}

  /** Somebody is about to type; nobody shall take those words for a person's later. */
  static void typing(Store store, String terminal, Typed typed, Call call) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.terminals().forgetSignal(terminal);
          noted(tx, terminal, typed.text(), call);
          return 1;
        });
  }

  static void noted(Tx tx, String terminal, String text, Call call) {
    var event = new TerminalEvent.TypedInto(Redactor.DEFAULT.redact(text));
    tx.journal().append(Terminal.stream(terminal), call, List.of(event));
  }

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
