package dev.mainstay.render;

import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.RepeatFuse.Verdict;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.Trail.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A task's state as a model reads it: whole, or as a reminder of what counts now. */
public final class TaskStateText {
  public static final int COMPRESSIONS_SHOWN_MAX = 3;
  private static final int QUESTION_CHARS_MAX = 200;

  private TaskStateText() {}

  /** The same with references to the execution's variables resolved. */
  public static String compact(Dossier dossier) {
    return compact(ExecutionText.resolved(dossier));
  }

  /** Everything the run must not forget; empty before a run was started. */
  public static String compact(TaskState state) {
    if (!state.isStarted()) return "";
    List<String> lines = new ArrayList<>();
    lines.add("[TASK STATE] goal: " + Neutral.block(state.run().goal()));
    String criteria = joined(criteria(state.run()));
    if (!criteria.isEmpty()) lines.add("criteria: " + criteria);
    addList(lines, "directives:", directives(state));
    addList(lines, "plan:", plan(state.plan()));
    if (!state.work().progress().isEmpty()) {
      lines.add("progress: " + Neutral.block(state.work().progress()));
    }
    String blocked = joined(blocked(state));
    if (!blocked.isEmpty()) lines.add("blocked on: " + blocked);
    addList(lines, "answers:", answers(state));
    if (!state.work().scratchpad().isBlank()) {
      lines.add("scratchpad: " + Neutral.block(state.work().scratchpad()));
    }
    addList(lines, "compression history:", compressions(state));
    return String.join("\n", lines);
  }

  /** What counts at the end of a prompt, where it is noticed most; empty if nothing does. */
  public static String footer(TaskState state, RepeatFuse fuse) {
    List<String> lines = new ArrayList<>();
    var actions = state.trail().actions();
    if (!actions.isEmpty()) {
      lines.add("Just done: " + Neutral.line(actions.get(actions.size() - 1)));
    }
    if (fuse.verdict() != Verdict.FINE) lines.add(stop(fuse));
    state.plan().next().ifPresent(place -> lines.add("Next step: " + step(state.plan(), place)));
    Directive order = state.newestBinding();
    if (order != null) lines.add("Remember: " + directive(order));
    return String.join("\n", lines);
  }

  /** The standing orders, newest last, and how many gave way. */
  public static List<String> directives(TaskState state) {
    List<String> lines = new ArrayList<>();
    for (Directive order : state.directives().items()) lines.add("- " + directive(order));
    long dropped = state.directives().dropped();
    if (dropped > 0) {
      lines.add("- (" + NotebookText.count(dropped, "older one", "older ones") + " left out)");
    }
    return lines;
  }

  /** The texts; as soon as there is more to say about one of them, each with how it stands. */
  private static List<String> criteria(Run run) {
    if (run.criteria().stream().noneMatch(Criterion::hasState)) return run.criteriaTexts();
    return run.criteria().stream().map(c -> ObservedText.mark(c) + " " + c.text()).toList();
  }

  static List<String> plan(Plan plan) {
    List<String> lines = new ArrayList<>();
    for (int place = 0; place < plan.steps().size(); place++) lines.add(step(plan, place));
    return lines;
  }

  static String step(Plan plan, int place) {
    Step step = plan.step(place);
    String note = step.note() == null ? "" : " - " + Neutral.line(step.note());
    return Phrase.of(
        "[%s] %d. %s%s", step.status().typed(), place + 1, Neutral.line(step.label()), note);
  }

  static List<String> blocked(TaskState state) {
    List<String> reasons = new ArrayList<>(state.work().blockedOn());
    Waiting waiting = state.run().waiting();
    if (waiting != null) {
      reasons.add(waiting.typed() + ": " + waiting.what());
    }
    return reasons;
  }

  /** What the run asked and what it was answered, newest last. */
  static List<String> answers(TaskState state) {
    return state.run().answers().stream()
        .map(
            answer ->
                Phrase.of(
                    "- %s: %s -> %s%s",
                    answer.to().typed(),
                    Graphemes.excerpt(Neutral.line(answer.to().what()), QUESTION_CHARS_MAX),
                    Neutral.line(answer.text()),
                    NotebookText.author(answer.origin().actor(), null)))
        .toList();
  }

  static List<String> compressions(TaskState state) {
    List<String> lines = new ArrayList<>();
    for (Compression entry : state.lastCompressions(COMPRESSIONS_SHOWN_MAX)) {
      lines.add(
          Phrase.of(
              "- %s: %s (%,d to %,d tokens)",
              Neutral.line(entry.action()),
              Neutral.line(entry.summary()),
              entry.tokensBefore(),
              entry.tokensAfter()));
    }
    return lines;
  }

  static String directive(Directive order) {
    return directive(Neutral.line(order.text()), order);
  }

  /** The words as given here, with who gave the directive. */
  static String directive(String words, Directive order) {
    return Phrase.of(
        "%s (%sby %s via %s)",
        words,
        order.binds() ? "binding, " : order.binding() ? "not confirmed here, claims to bind, " : "",
        Neutral.line(order.author().toString()),
        Neutral.line(order.origin().source()));
  }

  private static String stop(RepeatFuse fuse) {
    var last = fuse.last();
    String tool = last == null ? "the tool" : Neutral.line(last.tool());
    return "STOP: "
        + tool
        + " was called "
        + fuse.repeats()
        + " times in a row with the same arguments and the same result;"
        + " do something else, or say what blocks you.";
  }

  private static String joined(List<String> texts) {
    return texts.stream().map(Neutral::line).collect(Collectors.joining(" | "));
  }

  private static void addList(List<String> lines, String heading, List<String> items) {
    if (items.isEmpty()) return;
    lines.add(heading);
    lines.addAll(items);
  }
}
