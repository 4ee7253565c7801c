package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Seat.Standing;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Tx;
import java.util.List;

/** Notes that a terminal is over, and takes back what it held. */
final class Endings {
  static final Call SYSTEM = Call.by(Actor.SYSTEM, "terminals");

  private Endings() {}

  static Terminal over(Tx tx, String id, Status status, String why) {
    return over(tx, id, new Standing(status, why, null, tx.now(), List.of()), SYSTEM);
  }

  /** Tasks are locked before their terminal, as everywhere. */
  static Terminal over(Tx tx, String id, Standing given, Call call) {
    Terminal before = tx.terminals().get(id);
    if (!before.isLive()) return before;
    Standing how = redacted(given);
    String why = how.why() == null ? "it ended" : how.why();
    Leases.endOf(tx, id, why, how.status() == Status.STOPPED, call);
    Terminal locked = tx.terminals().lock(id);
    if (!locked.isLive()) return locked; // somebody else has noted it meanwhile
    // What it was given between the two looks; no more can be given to one that is locked.
    Leases.endOf(tx, id, why, how.status() == Status.STOPPED, call);
    tx.terminals().stands(id, how);
    tx.terminals().forgetPendingInput(id);
    tx.journal().append(Terminal.stream(id), call, List.of(new TerminalEvent.Over(how)));
    return tx.terminals().get(id);
  }

  private static Standing redacted(Standing given) {
    List<String> lines = given.lastLines().stream().map(Redactor.DEFAULT::redact).toList();
    return new Standing(given.status(), given.why(), given.exit(), given.lastActive(), lines);
  }
}
