package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.DossierTable;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;

/** The way of {@link Writing}, with an answer that says what followed. */
public final class ExecutionWriting {
  private ExecutionWriting() {}

  /** Records what was decided and what follows from it; the task's row is locked by this. */
  public static Outcome write(Tx tx, TaskId id, Call call, Writing.Decision decision) {
    DossierTable.Open open = tx.dossiers().lock(id);
    open.task().admit(call);
    Stored before = open.stored();
    return record(tx, id, before, decision.on(before.dossier()), call);
  }

  /**
   * Records what was true elsewhere, without anything that would follow from it here: rules that
   * hold now have acted there already.
   */
  public static Outcome recordAsItWas(
      Tx tx, TaskId id, Stored before, List<? extends Event> events, Call call) {
    Origin origin = new Origin(call.actor(), call.source(), tx.now());
    List<Event> all = new ArrayList<>(events);
    Dossier then = Adaptations.after(before.dossier(), events, origin);
    List<String> standing = Adaptations.standing(then);
    if (!standing.isEmpty()) all.add(new ConstraintEvent.RulesStanding(standing));
    Stored after = tx.dossiers().record(id, before, all, call);
    completeIfCarriedOut(tx, id, before, after, call);
    return Outcome.of(id, all, after.number(), after.dossier());
  }

  /** The same for one who has locked the task, been admitted, and decided. */
  public static Outcome record(
      Tx tx, TaskId id, Stored before, List<? extends Event> decided, Call call) {
    Origin origin = new Origin(call.actor(), call.source(), tx.now());
    List<Event> events = Adaptations.settled(before.dossier(), decided, origin);
    Stored after = tx.dossiers().record(id, before, events, call);
    completeIfCarriedOut(tx, id, before, after, call);
    return Outcome.of(id, events, after.number(), after.dossier());
  }

  /** A task whose plan was carried out is done; without this it would be offered as work again. */
  private static void completeIfCarriedOut(
      Tx tx, TaskId id, Stored before, Stored after, Call call) {
    boolean carriedOut = isCarriedOut(after.dossier().execution());
    if (carriedOut && !isCarriedOut(before.dossier().execution())) Leases.completeIn(tx, id, call);
  }

  private static boolean isCarriedOut(Execution execution) {
    return execution.status() == ExecutionStatus.COMPLETED_SUCCESS
        && !execution.head().identity().isSimulation();
  }
}
