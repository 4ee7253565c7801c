package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Running;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.Limits;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskStateEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Through whichever door a step of a live execution is begun or settled: a pause holds, and a step
 * that needs a person's approval has it. Persons need none, and a simulation does nothing.
 */
public final class StepRights {
  private StepRights() {}

  /** The same events, unless one of them is not for the caller to bring about. */
  static List<? extends Event> admitted(Dossier dossier, List<? extends Event> events, Actor by) {
    Execution execution = dossier.execution();
    boolean free =
        by.isPerson() || !execution.isLive() || execution.head().identity().isSimulation();
    if (free) return events;
    Plan plan = dossier.state().plan();
    for (Event event : events) {
      if (event instanceof TaskStateEvent.StepMoved moved) {
        Step step = plan.step(moved.step());
        refuse(execution, step, moved.to(), moved.step() + 1);
      } else if (event instanceof TaskStateEvent.PlanSet set) {
        for (int place = 0; place < set.plan().steps().size(); place++) {
          Step wanted = set.plan().step(place);
          Step was = before(plan, wanted);
          if (was != null) refuse(execution, was, wanted.status(), place + 1);
        }
      }
    }
    return events;
  }

  private static @Nullable Step before(Plan plan, Step wanted) {
    return plan.steps().stream()
        .filter(step -> step.label().equals(wanted.label()))
        .findFirst()
        .orElse(null);
  }

  private static void refuse(Execution execution, Step step, StepStatus to, int number) {
    String why = refusal(execution, step, to, number);
    if (why == null) return;
    throw Refusal.conflict(
        Phrase.of(
            "step %d cannot become %s: %s; 'mainstay exec step start %d' asks for it",
            number, to.typed(), why, number));
  }

  /** Why a step must not get there by an agent, or null; one that is under way may be settled. */
  public static @Nullable String refusal(
      Execution execution, Step step, StepStatus to, int number) {
    boolean works = to == StepStatus.ACTIVE || to == StepStatus.DONE;
    if (!works || step.status() == to) return null;
    Running running = execution.head().running();
    if (running != null && running.step() == number) return null;
    if (execution.status() == ExecutionStatus.PAUSED) return "the execution is paused";
    if (step.status() == StepStatus.ACTIVE) return null;
    String approval = Limits.approvalFor(execution, step);
    return approval == null ? null : "a person must agree first, " + approval;
  }
}
