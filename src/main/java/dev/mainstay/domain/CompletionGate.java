package dev.mainstay.domain;

import dev.mainstay.domain.Plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What stands between a task and its end: open steps of its plan, criteria that are not met, and
 * evidence that its type requires. A task with none of them ends when its holder says so.
 */
public final class CompletionGate {
  /** So many things are named when a task is refused; the rest is counted. */
  public static final int NAMED_MAX = 20;

  private static final int EXCERPT_CHARS_MAX = 120;

  private CompletionGate() {}

  /** How a criterion stands, given what was seen and the files as they are now. */
  public enum Standing {
    MET,
    NOT_SAID,
    NEVER_RUN,
    FAILED,
    STALE;

    public boolean isMet() {
      return this == MET;
    }
  }

  /**
   * A check is met by the newest evidence of exactly its command, if that ended with 0 on the files
   * as they are now. An older success elsewhere does not count against a newer failure.
   */
  public static Standing standing(
      Criterion criterion, Observed observed, Map<String, String> trees) {
    String check = criterion.check();
    if (check == null) return criterion.met() == null ? Standing.NOT_SAID : Standing.MET;
    return standing(observed.newest(check), trees);
  }

  /** How something that a type of task requires stands, by the same rule. */
  public static Standing standing(
      Requirement required, Observed observed, Map<String, String> trees) {
    return standing(required.newest(observed), trees);
  }

  private static Standing standing(Optional<Evidence> newest, Map<String, String> trees) {
    if (newest.isEmpty()) return Standing.NEVER_RUN;
    if (!newest.get().isSuccess()) return Standing.FAILED;
    return newest.get().isFresh(trees) ? Standing.MET : Standing.STALE;
  }

  /** What is missing, a sentence each; the trees are the current hashes by workspace. */
  public static List<String> missing(
      TaskId id, TaskState state, Observed observed, Map<String, String> trees) {
    List<String> missing = new ArrayList<>();
    List<Step> steps = state.plan().steps();
    for (int place = 0; place < steps.size(); place++) {
      Step step = steps.get(place);
      if (step.status().isOpen() || step.isSimulated()) missing.add(step(id, place, step));
    }
    List<Criterion> criteria = state.run().criteria();
    for (int place = 0; place < criteria.size(); place++) {
      Criterion criterion = criteria.get(place);
      Standing standing = standing(criterion, observed, trees);
      if (standing.isMet()) continue;
      missing.add(
          Phrase.of(
              "criterion %d is not met: %s; %s",
              place + 1,
              excerpt(criterion.text()),
              remedy(id, place, criterion, standing, observed)));
    }
    return List.copyOf(missing);
  }

  /** What a task's type requires and nobody has seen on the files as they are now. */
  public static List<Requirement> unproven(
      TaskTypeRule rule, Observed observed, Map<String, String> trees) {
    return rule.requires().stream()
        .filter(required -> !standing(required, observed, trees).isMet())
        .toList();
  }

  /** The same as sentences that say what to run. */
  public static List<String> missing(
      TaskId id, TaskTypeRule rule, Observed observed, Map<String, String> trees) {
    return unproven(rule, observed, trees).stream()
        .map(
            required ->
                Phrase.of(
                    "tasks of type %s need %s%s; 'mainstay evidence run %s -- %s' runs %s",
                    rule.type(),
                    required.isTests() ? "tests" : "\"" + excerpt(required.text()) + "\"",
                    shortcoming(required, observed, trees),
                    id,
                    required.isTests() ? example(required, observed) : required.text(),
                    required.isTests() ? "them" : "it"))
        .toList();
  }

  private static String shortcoming(
      Requirement required, Observed observed, Map<String, String> trees) {
    return switch (standing(required, observed, trees)) {
      case MET, NOT_SAID -> throw new IllegalArgumentException("nothing is missing");
      case NEVER_RUN -> ", and Mainstay has seen no such run";
      case FAILED ->
          Phrase.of(
              ", and the last run ended with exit code %d",
              required.newest(observed).map(Evidence::exitCode).orElse(0));
      case STALE -> ", and files changed after the last run";
    };
  }

  /** What was run before can be run again. */
  private static String example(Requirement required, Observed observed) {
    return required
        .newest(observed)
        .map(Evidence::command)
        .map(CompletionGate::excerpt)
        .orElse("COMMAND");
  }

  /**
   * What the list of a workspace still has open: that is where a model's own list is kept. What is
   * a step of the plan, too, the plan decides.
   */
  public static List<String> missing(TaskState state, Workspace workspace) {
    List<String> steps = state.plan().steps().stream().map(Step::label).toList();
    return workspace.story().tasks().stream()
        .filter(open -> open.isOpen() && !steps.contains(open.description()))
        .map(
            open ->
                Phrase.of(
                    "the agent's list has \"%s\" as %s; 'mainstay repo tasks FILE' takes a newer list",
                    excerpt(open.description()), open.status().typed()))
        .toList();
  }

  /** Refuses while anything is missing, and says what. */
  public static void refuse(TaskId id, List<String> missing) {
    if (missing.isEmpty()) return;
    int named = Math.min(missing.size(), NAMED_MAX);
    StringJoiner list = new StringJoiner(", ");
    for (int i = 0; i < named; i++) list.add(Phrase.of("(%d) %s", i + 1, missing.get(i)));
    if (named < missing.size()) list.add(Phrase.of("and %d more", missing.size() - named));
    throw Refusal.conflict(
        Phrase.of(
            "%s is not done, %s: %s",
            id,
            missing.size() == 1 ? "1 thing is left" : missing.size() + " things are left",
            list));
  }

  private static String step(TaskId id, int place, Step step) {
    String why = step.note() == null ? "" : " - " + excerpt(step.note());
    return Phrase.of(
        "step %d is %s: %s%s; 'mainstay plan done %s %d' says it is done",
        place + 1, step.status().typed(), excerpt(step.label()), why, id, place + 1);
  }

  private static String remedy(
      TaskId id, int place, Criterion criterion, Standing standing, Observed observed) {
    String check = criterion.check() == null ? "" : excerpt(criterion.check());
    return switch (standing) {
      case MET -> throw new IllegalArgumentException("nothing is missing");
      case NOT_SAID -> Phrase.of("'mainstay criteria meet %s %d' says it is", id, place + 1);
      case NEVER_RUN ->
          Phrase.of(
              "its check \"%s\" was never run, and 'mainstay evidence run %s' runs it", check, id);
      case FAILED ->
          Phrase.of(
              "its check \"%s\" ended with exit code %d; once that is mended, 'mainstay evidence run %s' runs it again",
              check, exitCode(criterion, observed), id);
      case STALE ->
          Phrase.of(
              "files changed after its check \"%s\" had run, and 'mainstay evidence run %s' runs it again",
              check, id);
    };
  }

  private static int exitCode(Criterion criterion, Observed observed) {
    String check = criterion.check();
    return check == null ? 0 : observed.newest(check).map(Evidence::exitCode).orElse(0);
  }

  private static String excerpt(String text) {
    return Graphemes.excerpt(text, EXCERPT_CHARS_MAX);
  }
}
