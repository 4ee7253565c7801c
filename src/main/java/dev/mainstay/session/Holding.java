package dev.mainstay.session;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Keeps the task of a session held by it while the session is seen alive. */
final class Holding {
  /** So long nobody asks whether a session that was seen lives. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private static final Duration LONG = Leases.LEASE.dividedBy(2);

  private Holding() {}

  /**
   * The session with the fence under which it may write now. A lease it has is renewed; one that
   * ran out while nobody else came is taken again; somebody else's is left alone, and then the
   * session's own fence is too old to write with.
   */
  static AgentSession renewed(Tx tx, AgentSession session, Call call) {
    Bond bond = session.bond();
    if (bond == null) return session;
    Task task = tx.tasks().lock(bond.task());
    String holder = session.holder();
    if (task.isReady()) {
      return Leases.takenIn(tx, task, holder, call)
          .map(held -> session.bound(new Bond(task.id(), held.fence())))
          .orElse(session);
    }
    boolean ours = isHeldBy(task, holder);
    boolean same = Objects.equals(bond.fence(), task.fence());
    if (!ours && !(task.status().isHeld() && same)) return session;
    Leases.keptIn(tx, task, Leases.LEASE);
    return session.bound(new Bond(task.id(), task.fence()));
  }

  /**
   * The session on the task that it works on now: what its holder was given elsewhere, by a claim
   * or a delegation, counts before what it remembers, and that before what the last session of the
   * same agent in the same place worked on.
   */
  static AgentSession settled(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    if (bond != null && isHeldBy(tx.tasks().get(bond.task()), session.holder())) return session;
    Optional<Bond> given = given(tx, session.holder());
    if (given.isPresent()) {
      TaskId next = tx.tasks().lock(given.get().task()).id();
      Orders.follow(tx, session, next);
      return session.bound(given.get());
    }
    return isOpen(tx, session) ? session : goingOn(tx, session).orElse(session);
  }

  /** On what the last session of the same agent in the same place worked, if that goes on. */
  private static Optional<AgentSession> goingOn(Tx tx, AgentSession session) {
    if (session.host().terminal() != null) return Optional.empty();
    return tx.sessions()
        .working(session.host().agent(), session.place())
        .map(known -> session.bound(known.bond()))
        .filter(settled -> isOpen(tx, settled));
  }

  /** Whether the session's task has not ended, and nobody else holds it. */
  static boolean isOpen(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    if (bond == null) return false;
    Task task = tx.tasks().get(bond.task());
    if (task.status().isEnded()) return false;
    return task.lease().isEmpty() || isHeldBy(task, session.holder());
  }

  /** Whoever is seen alive keeps all that he holds, also what waits below his present task. */
  static void keepAll(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    for (Assignment open : tx.assignments().openOf(session.holder())) {
      if (bond != null && open.task().equals(bond.task())) continue;
      Task task = tx.tasks().lock(open.task());
      if (isHeldBy(task, session.holder())) Leases.keptIn(tx, task, Leases.LEASE);
    }
  }

  /** Whether the session holds its task under the fence that it knows. */
  static boolean isSteady(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    if (bond == null || bond.fence() == null) return false;
    Task task = tx.tasks().get(bond.task());
    return isHeldBy(task, session.holder()) && task.fence() == bond.fence();
  }

  /** Whether it was seen a moment ago and keeps all that it holds for long: nothing to renew. */
  static boolean isFresh(Tx tx, AgentSession session) {
    Duration since = Duration.between(session.seen().lastSeen(), tx.now());
    if (since.isNegative() || since.compareTo(FRESH) > 0) return false;
    if (session.bond() == null) {
      return given(tx, session.holder()).isEmpty() && goingOn(tx, session).isEmpty();
    }
    if (!isSteady(tx, session)) return false;
    return tx.assignments().openOf(session.holder()).stream()
        .map(open -> tx.tasks().get(open.task()))
        .filter(task -> isHeldBy(task, session.holder()))
        .allMatch(task -> task.lease().orElseThrow().until().isAfter(tx.now().plus(LONG)));
  }

  private static Optional<Bond> given(Tx tx, String holder) {
    return tx.assignments().openOf(holder).stream()
        .map(assignment -> tx.tasks().get(assignment.task()))
        .filter(task -> isHeldBy(task, holder))
        .reduce((first, later) -> later)
        .map(task -> new Bond(task.id(), task.fence()));
  }

  private static boolean isHeldBy(Task task, String holder) {
    return task.lease().map(Lease::holder).filter(holder::equals).isPresent();
  }

  /**
   * The session under the lock of its task, read again there: another turn of the same session may
   * have come before this one.
   */
  static AgentSession locked(Tx tx, String id) {
    lock(tx, tx.sessions().get(id));
    return tx.sessions().get(id);
  }

  static void lock(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    if (bond != null) tx.tasks().lock(bond.task());
  }
}
