package dev.mainstay.session;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Task;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Tx;
import java.util.Objects;

/** Keeps the task of a session held by it while the session is seen alive. */
final class Holding {
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
    boolean ours = task.lease().map(Lease::holder).filter(holder::equals).isPresent();
    boolean same = Objects.equals(bond.fence(), task.fence());
    if (!ours && !(task.status().isHeld() && same)) return session;
    Leases.keptIn(tx, task, Leases.LEASE);
    return session.bound(new Bond(task.id(), task.fence()));
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

  /** The call under the session's fence; persons need none. */
  static Call bound(Call call, Bond bond) {
    boolean needs = call.fence() == null && call.actor().isAgent();
    return needs ? call.withFence(bond.fence()) : call;
  }
}
