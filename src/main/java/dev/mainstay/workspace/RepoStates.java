package dev.mainstay.workspace;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A workspace's state, put together from its files, its story's plan and the list of its own. */
final class RepoStates {
  private RepoStates() {}

  static RepoState of(Tx tx, Workspace workspace, Collection<TrackedFile> files) {
    return new RepoState(
        workspace.place().workDir(),
        workspace.story().id(),
        files.stream().map(TrackedFile::toMeta).toList(),
        openTasks(tx, workspace),
        workspace.updatedAt());
  }

  /**
   * The open steps of the story's plan in their order, then the tasks of the list that are no
   * steps. Those keep their priorities, raised by the number of open steps.
   */
  static List<OpenTask> openTasks(Tx tx, Workspace workspace) {
    List<OpenTask> open = new ArrayList<>();
    Plan plan =
        workspace
            .story()
            .task()
            .map(id -> tx.dossiers().get(id).dossier().state().plan())
            .orElse(Plan.EMPTY);
    for (int place : plan.open()) add(open, step(plan.step(place)), plan.step(place).status());
    Set<String> known = plan.steps().stream().map(Plan.Step::label).collect(Collectors.toSet());
    int steps = open.size();
    for (OpenTask each : workspace.story().tasks()) {
      boolean another = each.isOpen() && known.add(each.description());
      if (another && open.size() < RepoState.OPEN_TASKS_MAX) {
        int own = each.priority();
        int priority = steps == 0 ? own : Math.max(steps, own + steps);
        open.add(new OpenTask(each.description(), each.status(), priority));
      }
    }
    return open;
  }

  private static void add(List<OpenTask> open, String description, StepStatus status) {
    var shown = status == StepStatus.ACTIVE ? OpenTask.Status.IN_PROGRESS : OpenTask.Status.PENDING;
    open.add(new OpenTask(description, shown, open.size() + 1));
  }

  /** A step that failed is open again, and says why. */
  private static String step(Plan.Step step) {
    String why = step.note() == null ? "" : " (" + step.status().typed() + ": " + step.note() + ")";
    return Graphemes.cut(step.label() + why, OpenTask.DESCRIPTION_CHARS_MAX);
  }

  /**
   * A meaning without secrets, whose tasks are still tasks: what takes a secret's place is longer.
   */
  static JsonObject redacted(ToolMeaning meaning) {
    return Redactor.DEFAULT
        .redactObject(meaning.toJson())
        .with("paths", meaning.paths()) // else a file with a strange name would never be looked at
        .with("tasks", redacted(meaning.tasks()).stream().map(OpenTask::toJson).toList());
  }

  static List<OpenTask> redacted(List<OpenTask> tasks) {
    return tasks.stream()
        .map(
            task ->
                new OpenTask(
                    Graphemes.cut(
                        Redactor.DEFAULT.redact(task.description()),
                        OpenTask.DESCRIPTION_CHARS_MAX),
                    task.status(),
                    task.priority()))
        .toList();
  }
}
