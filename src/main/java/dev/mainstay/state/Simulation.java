package dev.mainstay.state;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskStateEvent;
import java.util.ArrayList;
import java.util.List;

/** While an execution only simulates, no step is noted as really done, through whichever door. */
final class Simulation {
  private Simulation() {}

  static List<? extends Event> marked(
      Dossier dossier, List<? extends Event> events, Origin origin) {
    boolean simulates =
        dossier.execution().isLive() && dossier.execution().head().identity().isSimulation();
    if (!simulates) return events;
    List<Event> marked = new ArrayList<>();
    for (Event event : events) {
      List<Event> instead = marked(dossier.state().plan(), event);
      dossier = Adaptations.after(dossier, instead, origin);
      marked.addAll(instead);
    }
    return marked;
  }

  private static List<Event> marked(Plan before, Event event) {
    if (event instanceof TaskStateEvent.StepMoved moved && ends(moved.to())) {
      Step was = before.step(moved.step());
      if (was.status() == moved.to() && !was.isSimulated()) return List.of(event);
      Step is = new Step(was.label(), moved.to(), moved.note(), was.details()).simulated();
      if (is.equals(was)) return List.of();
      return List.of(new TaskStateEvent.StepMoved(moved.step(), is.status(), is.note()));
    }
    if (event instanceof TaskStateEvent.PlanSet set) {
      List<Step> steps = set.plan().steps().stream().map(step -> marked(before, step)).toList();
      return List.of(new TaskStateEvent.PlanSet(new Plan(steps)));
    }
    return List.of(event);
  }

  private static boolean ends(StepStatus status) {
    return status == StepStatus.DONE || status == StepStatus.FAILED;
  }

  /** What was really done before the simulation stays so. */
  private static Step marked(Plan before, Step step) {
    boolean known = before.steps().contains(step);
    return known || !ends(step.status()) ? step : step.simulated();
  }
}
