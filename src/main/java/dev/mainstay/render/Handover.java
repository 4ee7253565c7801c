package dev.mainstay.render;

import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Note;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The text that the next context, or the next agent, goes on from: goal, directives, answers,
 * criteria, progress, blockers, open steps, next focus and the last decisions, in this order and in
 * at most {@link #CHARS_MAX} characters. The last line counts the lines that did not fit.
 */
public final class Handover {
  public static final int CHARS_MAX = 8_000;
  public static final int DECISIONS_MAX = 6;

  /** With these, the goal and as many binding directives as a task can have always fit. */
  private static final int GOAL_CHARS_MAX = 1_200;

  private static final int LINE_CHARS_MAX = 600;
  private static final int LAST_LINE_CHARS_MAX = 160;

  private final String whole;
  private final List<String> lines = new ArrayList<>();
  private int room;
  private int leftOut;

  private Handover(String whole) {
    this.whole = whole;
    this.room = CHARS_MAX - LAST_LINE_CHARS_MAX - whole.length();
  }

  /**
   * Renders the hand-over.
   *
   * @param whole how the reader gets everything, such as a command; named if lines are left out
   */
  public static String of(Dossier dossier, String whole) {
    TaskState state = ExecutionText.resolved(dossier);
    var plan = state.plan();
    Note focus = dossier.notebook().nextFocus();
    Handover text = new Handover(whole);
    text.one("Goal: ", cut(Neutral.block(state.run().goal()), GOAL_CHARS_MAX));
    text.newest("Binding directives:", orders(state, true));
    text.newest("Answers:", cut(TaskStateText.answers(state)));
    text.first("Criteria:", cut(criteria(state)));
    text.newest("Directives:", orders(state, false));
    text.one("Progress: ", cut(Neutral.block(state.work().progress()), LINE_CHARS_MAX));
    text.first(
        "Blocked on:",
        cut(TaskStateText.blocked(state).stream().map(each -> "- " + Neutral.line(each)).toList()));
    text.first(
        "Open steps:",
        cut(plan.open().stream().map(at -> "- " + TaskStateText.step(plan, at)).toList()));
    text.one("Next focus: ", focus == null ? "" : Neutral.line(focus.text()));
    text.newest("Last decisions:", decisions(dossier));
    return text.finished();
  }

  private void one(String label, String text) {
    if (text.isBlank()) return;
    String line = label + text;
    if (line.length() + 1 > room) leftOut++;
    else add(line);
  }

  /** As many as fit, from the first. */
  private void first(String heading, List<String> items) {
    int count = fitting(heading, items);
    add(heading, items.subList(0, count), items.size());
  }

  /** As many as fit, from the last; they keep their order. */
  private void newest(String heading, List<String> items) {
    List<String> reversed = new ArrayList<>(items);
    Collections.reverse(reversed);
    int count = fitting(heading, reversed);
    add(heading, items.subList(items.size() - count, items.size()), items.size());
  }

  private int fitting(String heading, List<String> items) {
    int left = room - heading.length() - 1;
    int count = 0;
    for (String item : items) {
      left -= item.length() + 1;
      if (left < 0) break;
      count++;
    }
    return count;
  }

  private void add(String heading, List<String> shown, int of) {
    leftOut += of - shown.size();
    if (shown.isEmpty()) return;
    add(heading);
    shown.forEach(this::add);
  }

  private void add(String line) {
    lines.add(line);
    room -= line.length() + 1;
  }

  private String finished() {
    if (leftOut > 0) {
      lines.add(Phrase.of("[%,d lines left out; to see all: %s]", leftOut, whole));
    }
    return String.join("\n", lines);
  }

  /** With how each criterion stands, once that is known of one of them. */
  private static List<String> criteria(TaskState state) {
    List<String> known = ObservedText.criteria(state.run());
    List<String> texts =
        known.isEmpty() ? state.run().criteriaTexts().stream().map(Neutral::line).toList() : known;
    return texts.stream().map(text -> "- " + text).toList();
  }

  /** Only the words are cut: the author stays readable. */
  private static List<String> orders(TaskState state, boolean binding) {
    return state.directives().items().stream()
        .filter(order -> order.binds() == binding)
        .map(
            (Directive order) -> {
              String words = cut(Neutral.line(order.text()), LINE_CHARS_MAX);
              return "- " + TaskStateText.directive(words, order);
            })
        .toList();
  }

  private static List<String> decisions(Dossier dossier) {
    var all = dossier.notebook().page(Section.DECISIONS).notes();
    return all.subList(Math.max(0, all.size() - DECISIONS_MAX), all.size()).stream()
        .map(note -> "- " + Neutral.line(note.text()) + NotebookText.author(note.author(), null))
        .toList();
  }

  private static List<String> cut(List<String> lines) {
    return lines.stream().map(line -> cut(line, LINE_CHARS_MAX)).toList();
  }

  private static String cut(String line, int charsMax) {
    return Graphemes.excerpt(line, charsMax);
  }
}
