package dev.mainstay.render;

import dev.mainstay.domain.Conflict;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Criterion.Met;
import dev.mainstay.domain.Evidence;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.Times;
import java.util.ArrayList;
import java.util.List;

/** How a task's criteria stand and what was seen of it, as a model reads it. */
final class ObservedText {
  /** The whole text stands among the criteria; here it is only to be recognised. */
  static final int CRITERION_CHARS_MAX = 60;

  private ObservedText() {}

  /** What can be said of a criterion without looking at the files. */
  static String mark(Criterion criterion) {
    if (criterion.check() != null) return "[check]";
    return criterion.met() == null ? "[unmet]" : "[met]";
  }

  /** A line for each criterion, unless nothing is known about any of them. */
  static List<String> criteria(Run run) {
    if (run.criteria().stream().noneMatch(Criterion::hasState)) return List.of();
    List<String> lines = new ArrayList<>();
    for (int place = 0; place < run.criteria().size(); place++) {
      Criterion criterion = run.criterion(place);
      lines.add(
          Phrase.of(
              "%s %d. %s%s",
              mark(criterion), place + 1, shortened(criterion.text()), more(criterion)));
    }
    return lines;
  }

  private static String more(Criterion criterion) {
    if (criterion.check() != null) {
      return " - exit code 0 of: " + Neutral.line(criterion.check());
    }
    Met met = criterion.met();
    if (met == null) return "";
    String note = met.note() == null ? "" : " - " + Neutral.line(met.note());
    return note + NotebookText.author(met.by(), null);
  }

  private static String shortened(String text) {
    // Neutral before the cut: half a forged author is not recognised.
    return Graphemes.excerpt(Neutral.line(text), CRITERION_CHARS_MAX);
  }

  /** How commands ended; whether files changed since then is not known here, so the time is. */
  static List<String> evidence(Observed observed) {
    List<String> lines = new ArrayList<>();
    for (Evidence each : observed.evidence()) {
      lines.add(
          Phrase.of(
              "- %s: exit code %d (%s at %s)",
              Neutral.line(each.command()),
              each.exitCode(),
              each.how().typed(),
              Times.write(each.origin().at())));
    }
    addDropped(lines, observed.evidenceDropped());
    return lines;
  }

  /** The files that another task changed, too, and what to do about each. */
  static List<String> conflicts(TaskId task, Observed observed) {
    List<String> lines = new ArrayList<>();
    for (Conflict each : observed.conflicts()) {
      lines.add(
          Phrase.of(
              "- %s was %s by %s, too: read it again before you write it, then run: mainstay repo settle %s %s",
              Neutral.line(each.path()),
              each.theirs() == null ? "deleted" : "changed",
              each.other(),
              task,
              quoted(Neutral.line(each.path()))));
    }
    addDropped(lines, observed.conflictsDropped());
    return lines;
  }

  private static void addDropped(List<String> lines, long dropped) {
    if (dropped == 0) return;
    lines.add("- (" + NotebookText.count(dropped, "older one", "older ones") + " left out)");
  }

  /**
   * As one word of a shell: the name of a file must not become part of a command. It is quoted when
   * it is neutral already, for that puts quotes in place of code fences.
   */
  private static String quoted(String path) {
    String word = path.matches("[\\w./-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    return path.startsWith("-") ? "-- " + word : word;
  }
}
