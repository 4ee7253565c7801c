package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.TerminalEvent.Registered;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Terminals and workers: make them known, and see which there are. */
public final class Terminals {
  public static final int PAGE_MAX = 1_000;

  private final Store store;

  public Terminals(Store store) {
    this.store = store;
  }

  /**
   * Makes a terminal known, with what it is told to begin with. A worker that is known only because
   * it claimed something can still be registered; one that was registered cannot be again.
   */
  public Terminal register(NewTerminal wanted, Call call) {
    return store.inTransaction(
        Once.of(call, "terminal.register", wanted.toJson(), Terminal::toJson, Terminal::fromJson),
        tx -> {
          String id = wanted.id();
          boolean known = tx.terminals().find(id).isPresent();
          tx.terminals().ensureExternal(id);
          TerminalState state = tx.terminalStates().of(tx.terminals().lock(id));
          refuseKnown(tx, id, call.actor());
          refuseTaking(known, id, call.actor());
          boolean promptToo = wanted.told().has("initial_prompt");
          state.refuseUnlessMayChange(call.actor(), call.actor(), promptToo);
          tx.terminals().put(id, wanted.provider(), wanted.profile());
          if (!wanted.told().isEmpty()) {
            tx.terminalStates().put(state.told(state.told().with(wanted.told()), tx.now()));
          }
          var event = new Registered(wanted.provider(), wanted.profile(), wanted.told());
          tx.journal().append(Terminal.stream(id), call, List.<TerminalEvent>of(event));
          return tx.terminals().get(id);
        });
  }

  /** After something was said about a worker, only a person says what it is. */
  private static void refuseKnown(Tx tx, String id, Actor actor) {
    boolean fresh = firstSaid(tx, id).isEmpty();
    if (fresh || (registrar(tx, id).isEmpty() && !actor.isAgent())) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s is known already; 'mainstay terminal state %s' shows and changes its state",
            id, id));
  }

  /** Who is at work already, or has a token, is told how to begin by itself or by a person. */
  private static void refuseTaking(boolean known, String id, Actor actor) {
    if (!known || !actor.isAgent() || actor.name().equals(id)) return;
    throw Refusal.conflict(
        Phrase.of("%s is at work already; it registers itself, or a person registers it", id));
  }

  /** Who registered a terminal; nobody if it is known for its claims alone. */
  static Optional<Actor> registrar(Tx tx, String id) {
    return firstSaid(tx, id)
        .filter(entry -> entry.content().kind().equals(Registered.KIND))
        .map(entry -> entry.origin().actor());
  }

  /** What was said about it first; messages to it say nothing about it. */
  private static Optional<JournalEntry> firstSaid(Tx tx, String id) {
    return tx.journal().ofKinds(Terminal.stream(id), TerminalEvent.KINDS, 0, 1).stream()
        .findFirst();
  }

  public Terminal get(String id) {
    return store.reading(tx -> tx.terminals().get(id));
  }

  /** In the order of their ids; those after one, or from the first. */
  public List<Terminal> list(@Nullable String after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_MAX));
    }
    return store.reading(tx -> tx.terminals().list(after == null ? "" : after, limit));
  }
}
