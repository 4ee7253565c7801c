package dev.mainstay.mcp;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.render.Budget;
import dev.mainstay.render.PromptRenderer;
import dev.mainstay.render.Section;
import dev.mainstay.render.TaskPrompt;
import dev.mainstay.render.TaskPrompt.Surroundings;
import dev.mainstay.state.Known;
import dev.mainstay.state.Moment;
import java.util.List;
import java.util.Set;

/** What is known of a task as a model reads it: within a budget now, or whole at a moment. */
final class StateText {
  /** These come from the task's row, which has no history of its own: {@code recall task:T-001}. */
  private static final Set<String> OF_THE_ROW = Set.of("task", "description", "status");

  private StateText() {}

  static Reference reference(Known known) {
    return Reference.to("state", known.task().value()).at(Long.toString(known.number()));
  }

  /** The most important first; the last line counts what was left out and where it is. */
  static String within(int budget, Task task, Known known, JsonObject fuse, Actor reader) {
    String all = rendered(Budget.characters(Budget.LIMIT_MAX), task, known, fuse, reader);
    // What is short surely fits, and need not wait for the vocabulary to load.
    if (Portion.isShort(all, budget)) return all;
    return rendered(Budget.tokens(budget), task, known, fuse, reader);
  }

  private static String rendered(
      Budget budget, Task task, Known known, JsonObject fuse, Actor reader) {
    var repeats = RepeatFuse.fromJson(fuse, Set.of());
    var sections = TaskPrompt.sections(task, known.dossier(), Surroundings.NONE, repeats, reader);
    var renderer = new PromptRenderer("recall " + reference(known));
    return forModel(task.id(), renderer.render(sections, budget).text());
  }

  /** A notebook that dropped something says where it still is; a model reads that by recall. */
  private static String forModel(TaskId id, String text) {
    return text.replace("mainstay state history " + id, "recall history:" + id);
  }

  /** All that was known when the journal of the task had this entry as its last. */
  static String whole(Rooms rooms, TaskId id, long entry, Actor reader) {
    Task task = rooms.tasks().show(id);
    Dossier then =
        entry == 0 ? Dossier.EMPTY : rooms.timeTravel().at(id, Moment.entry(entry)).dossier();
    List<Section> sections =
        TaskPrompt.sections(task, then, Surroundings.NONE, RepeatFuse.fresh(Set.of()), reader)
            .stream()
            .filter(section -> !OF_THE_ROW.contains(section.name()))
            .toList();
    String text =
        new PromptRenderer("recall state:" + id)
            .render(sections, Budget.characters(Budget.LIMIT_MAX))
            .text();
    return forModel(id, text) + "title, description and standing: recall task:" + id + "\n";
  }
}
