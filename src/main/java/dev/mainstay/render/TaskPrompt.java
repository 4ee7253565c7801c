package dev.mainstay.render;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a prompt about one task. First what seldom changes, then what changes from turn
 * to turn, so that a prompt cache keeps the beginning; the priorities say what gives way first.
 */
public final class TaskPrompt {
  private TaskPrompt() {}

  /**
   * What a prompt shows of the execution of the plan: who the agent is, how it behaves, the values
   * of variables, and what was found out. Somebody who knows it from elsewhere may give it instead.
   */
  public record Surroundings(
      List<String> persona, List<String> modifiers, List<String> variables, List<String> findings) {
    public static final Surroundings NONE =
        new Surroundings(List.of(), List.of(), List.of(), List.of());
  }

  /** Everything a prompt may say, in the order in which it is laid out. */
  public static List<Section> sections(
      Task task, Dossier dossier, Surroundings around, RepeatFuse fuse, @Nullable Actor reader) {
    Map<Notebook.Section, List<String>> notes = new EnumMap<>(Notebook.Section.class);
    for (var block : NotebookText.blocks(dossier.notebook(), task.id(), reader)) {
      notes.put(block.section(), block.lines());
    }
    Surroundings known =
        around.equals(Surroundings.NONE) ? ExecutionText.surroundings(dossier) : around;
    TaskState state = ExecutionText.resolved(dossier);
    List<Section> sections = new ArrayList<>(stable(task, state, known, notes));
    sections.addAll(changing(task, dossier, state, fuse, notes));
    return sections;
  }

  private static List<Section> stable(
      Task task, TaskState state, Surroundings around, Map<Notebook.Section, List<String>> notes) {
    return List.of(
        lines("task", 100, List.of(task.id() + ": " + Neutral.line(task.title()))),
        lines("persona", 86, neutral(around.persona())),
        Section.stable("modifiers", 85, neutral(around.modifiers())),
        lines("goal", 99, blocks(state.run().goal())),
        Section.stable("criteria", 96, neutral(state.run().criteriaTexts())),
        Section.stable("binding_directives", 98, orders(state, true)).keepingLast(),
        Section.stable("directives", 88, orders(state, false)).keepingLast(),
        notes(90, Notebook.Section.CONSTRAINTS, notes),
        notes(80, Notebook.Section.GOALS, notes),
        notes(70, Notebook.Section.DECISIONS, notes).keepingLast(),
        Section.stable("variables", 60, neutral(around.variables())),
        Section.stable("findings", 50, neutral(around.findings())),
        lines("description", 40, blocks(task.brief().description())));
  }

  private static List<Section> changing(
      Task task,
      Dossier dossier,
      TaskState state,
      RepeatFuse fuse,
      Map<Notebook.Section, List<String>> notes) {
    Observed seen = dossier.observed();
    var history = notes(70, Notebook.Section.HISTORY, notes);
    var focus = notes(91, Notebook.Section.NEXT_FOCUS, notes);
    return List.of(
        changing(lines("compressions", 30, TaskStateText.compressions(state)).keepingLast()),
        changing(notes(80, Notebook.Section.HYPOTHESES, notes)),
        changing(notes(85, Notebook.Section.OPEN_ISSUES, notes)),
        changing(lines("criteria_state", 89, ObservedText.criteria(state.run()))),
        changing(lines("plan", 95, TaskStateText.plan(state.plan()))),
        changing(lines("status", 94, status(task))),
        changing(lines("answers", 96, TaskStateText.answers(state)).keepingLast()),
        // What changes with nearly every turn: a cache of beginnings ends here.
        changing(history.keepingLast()),
        changing(lines("execution", 94, ExecutionText.standing(dossier))),
        changing(lines("progress", 92, blocks(state.work().progress()))),
        Section.changing("blocked_on", 93, neutral(TaskStateText.blocked(state))),
        changing(lines("scratchpad", 60, blocks(state.work().scratchpad()))),
        Section.changing("recent_actions", 65, neutral(state.trail().actions())).keepingLast(),
        changing(lines("evidence", 66, ObservedText.evidence(seen)).keepingLast()),
        changing(focus),
        changing(lines("conflicts", 97, ObservedText.conflicts(task.id(), seen)).keepingLast()),
        changing(lines("now", 99, TaskStateText.footer(state, fuse).lines().toList())));
  }

  /** Binding orders are by themselves: nothing of less weight may push one of them out. */
  private static List<String> orders(TaskState state, boolean binding) {
    return state.directives().items().stream()
        .filter(order -> order.binds() == binding)
        .map(TaskStateText::directive)
        .toList();
  }

  private static List<String> status(Task task) {
    String reason = task.progress().reason();
    return reason == null ? List.of() : List.of(task.status() + ": " + Neutral.line(reason));
  }

  private static Section notes(
      int priority, Notebook.Section section, Map<Notebook.Section, List<String>> notes) {
    return lines(section.key(), priority, notes.getOrDefault(section, List.of()));
  }

  private static Section lines(String name, int priority, List<String> items) {
    return Section.stable(name, priority, items).asLines();
  }

  private static Section changing(Section section) {
    return new Section(
        section.name(), section.priority(), Section.Volatility.VOLATILE, section.body());
  }

  private static List<String> neutral(List<String> texts) {
    return texts.stream().map(Neutral::line).toList();
  }

  private static List<String> blocks(String text) {
    return text.isBlank() ? List.of() : List.of(Neutral.block(text));
  }
}
