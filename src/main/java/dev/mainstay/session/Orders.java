package dev.mainstay.session;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Tx;
import java.util.List;
import java.util.Optional;

/**
 * What a person ordered an agent to hold to. It was said to the agent, not to one task, so it goes
 * with the agent from one task to the next.
 */
final class Orders {
  /** The door through which words of a prompt come; other doors order about the task they name. */
  private static final String BY_PROMPT = "hook";

  private static final String LIFTED = "state.directive_lifted";
  private static final int LIFTS_MAX = 100;

  private Orders() {}

  /** What a person ordered to hold in this place holds for the task that a prompt opened there. */
  static void holdInPlace(Tx tx, AgentSession session, Call call) {
    Bond bond = session.bond();
    if (bond == null || !call.actor().isPerson()) return;
    Optional<TaskId> last =
        tx.sessions().lastTask(session.host().agent(), session.place().worktree());
    for (Directive order : binding(tx, last)) record(tx, bond.task(), order, call);
  }

  /** What a person ordered in prompts, on the task worked on until now, holds for the next one. */
  static void follow(Tx tx, AgentSession session, TaskId next) {
    for (Directive order : binding(tx, session.lastTask().filter(last -> !last.equals(next)))) {
      if (!order.origin().source().equals(BY_PROMPT)) continue;
      record(tx, next, order, Call.by(order.author(), BY_PROMPT));
    }
  }

  private static List<Directive> binding(Tx tx, Optional<TaskId> from) {
    if (from.isEmpty() || tx.tasks().find(from.get()).isEmpty()) return List.of();
    return tx.dossiers().get(from.get()).dossier().state().directives().binding().stream()
        .filter(Directive::binds)
        .toList();
  }

  /**
   * For as many steps as are left of it. What binds there already stays as it is, and what was
   * lifted there does not come back. Where no more orders can bind, it is at least shown.
   */
  private static void record(Tx tx, TaskId to, Directive order, Call call) {
    Stored before = tx.dossiers().get(to);
    List<Directive> there = before.dossier().state().directives().binding();
    if (there.stream().anyMatch(each -> each.text().equals(order.text()))) return;
    if (wasLifted(tx, to, order)) return;
    boolean binds = there.size() < Directives.BINDING_MAX;
    var again = new TaskStateEvent.DirectiveRecorded(order.text(), binds, order.stepsLeft());
    tx.dossiers().record(to, before, List.of(again), call);
  }

  private static boolean wasLifted(Tx tx, TaskId on, Directive order) {
    return tx.journal().newestOfKinds(on.stream(), List.of(LIFTED), LIFTS_MAX).stream()
        .filter(entry -> entry.origin().at().isAfter(order.origin().at()))
        .map(entry -> JsonText.object(entry.content().payload()).text("text"))
        .anyMatch(order.text()::equals);
  }
}
