package dev.mainstay.terminal;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Typed;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.TerminalTable.Pending;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.Typing.Manner;
import dev.mainstay.terminal.Typing.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Types what is owed onto the screen of an agent that takes input: what it is to begin with, then
 * its messages, oldest first and one at a time. A message is taken before it is typed and
 * acknowledged after; whoever finds one that was taken and not acknowledged looks for its mark on
 * the screen before it is typed again.
 */
final class Deliveries {
  /** Longer than the slowest typing takes; then somebody else may look what became of it. */
  static final Duration LEASE = Duration.ofSeconds(15);

  private static final int PROMPT_MARK_CHARS_MAX = Mark.TEXT_CHARS_MAX;
  private static final Call SCREEN = Endings.SYSTEM;

  private final Store store;
  private final Inbox inbox;

  Deliveries(Store store) {
    this.store = store;
    this.inbox = new Inbox(store);
  }

  /** Where to type, and how the program there takes it. */
  record Desk(Terminal terminal, Provider provider, Typing typing, Pane pane) {
    Manner manner() {
      return provider.manners().bracketsPastes() ? Manner.BRACKETS : Manner.KEYS;
    }
  }

  /** What was typed, if anything was; its mark is what the agent has to answer. */
  record Delivered(Outcome outcome, @Nullable String text) {
    /** What was there before may be answered already, and nothing need move for it. */
    Optional<Mark> markAt(Instant now) {
      if (text == null) return Optional.empty();
      boolean before = outcome == Outcome.SHOWN_BEFORE;
      return Optional.of(new Mark(text, before ? Instant.EPOCH : now, before));
    }
  }

  /** Whether something waits to be typed there. */
  boolean isOwed(Terminal terminal, Provider provider) {
    return store.reading(
        tx ->
            tx.terminals().pendingInput(terminal.id()).isPresent()
                || (provider.manners().bracketsPastes() && next(tx, terminal.id()).isPresent()));
  }

  /** The oldest open message, if nobody has it; later ones never go before it. */
  private static Optional<Message> next(Tx tx, String terminal) {
    return tx.inbox().list(terminal, true, 0, 1).stream()
        .filter(each -> each.standing().status() == Status.PENDING || each.isOverdue(tx.now()))
        .filter(each -> !each.isExhausted(tx.now()))
        .findFirst();
  }

  /** Types the next thing; empty if there is nothing, or somebody else was faster. */
  Optional<Delivered> deliver(Desk desk) {
    String id = desk.terminal().id();
    Optional<Pending> pending = store.reading(tx -> tx.terminals().pendingInput(id));
    if (pending.isPresent()) return Optional.of(begin(desk, pending.get()));
    if (!desk.provider().manners().bracketsPastes()) return Optional.empty();
    if (store.reading(tx -> next(tx, id)).isEmpty()) return Optional.empty();
    List<Message> taken = inbox.pull(id, 1, LEASE, SCREEN);
    return taken.isEmpty() ? Optional.empty() : Optional.of(message(desk, taken.get(0)));
  }

  /** What it begins with. If somebody died while typing it, the screen says whether it is there. */
  private Delivered begin(Desk desk, Pending pending) {
    String id = desk.terminal().id();
    String mark = promptMark(pending.text());
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.terminals().tryPendingInput(id);
          Signals.noted(tx, id, pending.text(), callerOf(desk.terminal()));
          return 1;
        });
    Outcome outcome;
    try {
      outcome = begun(desk, pending, mark);
    } catch (Refusal refusal) {
      if (isForLater(refusal)) throw refusal;
      forget(id); // it can never be typed here, and would be tried for ever
      throw refusal;
    }
    boolean wiped = outcome == Outcome.LOST;
    // What was wiped off the screen is typed once more, when the program has come to rest.
    if (!wiped || pending.tried()) forget(id);
    return new Delivered(outcome, wiped ? null : mark);
  }

  /** What a terminal begins with is the word of whoever started it. */
  private static Call callerOf(Terminal terminal) {
    String caller = terminal.seated().begin().caller();
    return caller == null ? SCREEN : Call.by(Pastes.actor(caller), SCREEN.source());
  }

  /**
   * Only where somebody tried before is it looked for: another text may begin like it. And of a
   * shell nobody expects that what it was told stays on the screen.
   */
  private static Outcome begun(Desk desk, Pending pending, @Nullable String mark) {
    Typed typed = Typed.of(pending.text());
    String stays = desk.manner() == Manner.BRACKETS ? mark : null;
    return pending.tried()
        ? desk.typing().submit(desk.pane(), typed, desk.manner(), mark)
        : desk.typing().submitFirst(desk.pane(), typed, desk.manner(), stays);
  }

  private static boolean isForLater(Refusal refusal) {
    return refusal.code() != Refusal.Code.INVALID && refusal.code() != Refusal.Code.TOO_LARGE;
  }

  private void forget(String id) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.terminals().forgetPendingInput(id);
          return 1;
        });
  }

  private static @Nullable String promptMark(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    String head = Graphemes.cut(line.replaceAll("\\p{Cntrl}+", " "), PROMPT_MARK_CHARS_MAX).strip();
    return head.isEmpty() ? null : head;
  }

  private Delivered message(Desk desk, Message message) {
    boolean again = message.standing().attempts() > 1;
    String mark = message.mark();
    Outcome outcome;
    try {
      Typed typed = Typed.of(message.onScreen());
      outcome =
          again
              ? desk.typing().submit(desk.pane(), typed, desk.manner(), mark)
              : desk.typing().submitFirst(desk.pane(), typed, desk.manner(), mark);
    } catch (Refusal refusal) {
      if (isForLater(refusal)) throw refusal; // it comes back when its time is over
      inbox.fail(message.id(), refusal.sentence(), SCREEN);
      return new Delivered(Outcome.UNCONFIRMED, null);
    }
    if (outcome == Outcome.LOST) {
      inbox.doubtful(message.id(), "it was typed, and vanished from the screen", SCREEN);
      return new Delivered(outcome, null); // nothing there is to be answered
    }
    if (outcome == Outcome.UNCONFIRMED) {
      inbox.doubtful(message.id(), "it was typed, but nothing moved on the screen", SCREEN);
    } else {
      boolean doubled = again && outcome == Outcome.SUBMITTED;
      if (doubled) {
        inbox.doubtful(
            message.id(), "it was typed again, for its mark was not on the screen", SCREEN);
      }
      inbox.acknowledge(desk.terminal().id(), List.of(message.id()), SCREEN);
    }
    return new Delivered(outcome, mark);
  }

  /**
   * Presses Enter where somebody died after the text and before it; empty if nothing of ours stands
   * on the screen unsent.
   */
  Optional<Delivered> finish(Desk desk) {
    String id = desk.terminal().id();
    Optional<Pending> begun =
        store.reading(tx -> tx.terminals().pendingInput(id)).filter(Pending::tried);
    if (begun.isPresent()) {
      String mark = promptMark(begun.get().text());
      if (mark == null || !standsUnsent(desk, mark, begun.get().text())) return Optional.empty();
      return desk.typing().enter(desk.pane()) ? deliver(desk) : Optional.empty();
    }
    Optional<Message> left =
        store
            .reading(tx -> next(tx, id))
            .filter(each -> each.standing().attempts() > 0)
            .filter(each -> standsUnsent(desk, each.mark(), each.onScreen()));
    if (left.isEmpty() || !desk.typing().enter(desk.pane())) return Optional.empty();
    List<Message> taken = inbox.pull(id, 1, LEASE, SCREEN);
    return taken.isEmpty() ? Optional.empty() : Optional.of(message(desk, taken.get(0)));
  }

  private static boolean standsUnsent(Desk desk, String mark, String text) {
    return desk.typing().standsUnsent(desk.pane(), mark, Typed.of(text).text());
  }
}
