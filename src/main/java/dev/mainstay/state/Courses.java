package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.Limits;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an execution gets from one status to the next. */
public final class Courses {
  private Courses() {}

  /** To be planned, paused or under way; what it is already is no event. */
  public static List<Event> to(
      Execution execution, ExecutionStatus next, @Nullable String why, Actor by) {
    ExecutionStatus now = execution.status();
    if (now == next) return List.of();
    if (!now.mayBecome(next)) throw now.refusal(next);
    if (next == ExecutionStatus.IN_PROGRESS) refuseUnreviewed(execution, by);
    return List.of(new ExecutionEvent.StatusChanged(next, why, false));
  }

  /** A pause; one that a person orders lasts until a person lifts it. */
  static List<Event> paused(Execution execution, @Nullable String why, Actor by) {
    List<Event> events = to(execution, ExecutionStatus.PAUSED, why, by);
    if (events.isEmpty() || !by.isPerson()) return events;
    String reason = why == null || why.isBlank() ? by.name() + " paused it" : why;
    return List.of(new ExecutionEvent.StatusChanged(ExecutionStatus.PAUSED, reason, true));
  }

  private static void refuseUnreviewed(Execution execution, Actor by) {
    String review = execution.head().reviewFor();
    if (review != null && !by.isPerson()) {
      throw Refusal.conflict(
              Phrase.of(
                  "it was paused for a person's review (%s), and only a person lets it go on",
                  review))
          .reserved();
    }
    List<String> passed = Limits.passed(execution);
    if (passed.isEmpty()) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s; raise the limit first: 'mainstay exec set FIELD VALUE'",
            String.join("; ", passed)));
  }

  /** How it is to end, why, and who says so. */
  public record End(boolean success, @Nullable String why, Actor by) {}

  /** The end, for better or worse: one that is under way is paused before it is given up. */
  public static List<Event> end(Tx tx, TaskId id, Dossier dossier, End end) {
    Execution execution = Executions.begun(dossier);
    boolean success = end.success();
    String why = end.why();
    ExecutionStatus wanted =
        success ? ExecutionStatus.COMPLETED_SUCCESS : ExecutionStatus.COMPLETED_FAILURE;
    if (execution.status() == wanted) return List.of();
    List<Event> events = new ArrayList<>();
    boolean pausesFirst = !success && execution.status() == ExecutionStatus.IN_PROGRESS;
    if (pausesFirst) events.add(changed(ExecutionStatus.PAUSED, why));
    ExecutionStatus now = pausesFirst ? ExecutionStatus.PAUSED : execution.status();
    if (!now.mayBecome(wanted)) throw now.refusal(wanted);
    String review = execution.head().reviewFor();
    if (review != null && !end.by().isPerson()) {
      throw Refusal.conflict(
              Phrase.of(
                  "it was paused for a person's review (%s), and only a person ends it", review))
          .reserved();
    }
    if (success && dossier.state().plan().steps().isEmpty()) {
      throw Refusal.conflict("the plan has no steps, so nothing was achieved; write them first");
    }
    if (success) refuseUnlessDone(tx, id, dossier);
    events.add(changed(wanted, why));
    boolean real = !execution.head().identity().isSimulation();
    if (real && dossier.state().run().phase().isLive()) {
      String reason = why == null || why.isBlank() ? "the execution ended" : why;
      RunPhase how = success ? RunPhase.FINISHED : RunPhase.ABANDONED;
      events.addAll(dossier.state().end(how, reason));
    }
    return events;
  }

  private static ExecutionEvent changed(ExecutionStatus to, @Nullable String why) {
    return new ExecutionEvent.StatusChanged(to, why, false);
  }

  private static void refuseUnlessDone(Tx tx, TaskId id, Dossier dossier) {
    if (!dossier.execution().head().identity().isSimulation()) {
      tx.dossiers().refuseUnlessDone(id, dossier);
      return;
    }
    Plan plan = dossier.state().plan();
    if (plan.open().isEmpty()) return;
    int first = plan.open().get(0);
    throw Refusal.conflict(
        Phrase.of(
            "step %d is not played through: %s; 'mainstay exec step start %d' begins it",
            first + 1, plan.step(first).label(), first + 1));
  }
}
