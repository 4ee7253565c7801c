package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import java.util.List;
import java.util.stream.Collectors;

/** What persons are asked, and which answers fit. */
final class Questions {
  private static final String ANSWER = "answer";

  private Questions() {}

  static Question of(WorkflowWait wait) {
    JsonObject asked = wait.about().question();
    return new Question(
        wait.execution(),
        new Question.Asking(wait.node(), wait.token()),
        asked.text("text"),
        asked.texts("answers"),
        wait.since());
  }

  /** What a node asks, or one token; where several ask at a node it must be said which is meant. */
  static WorkflowWait at(Running running, String node) {
    List<WorkflowWait> asked =
        running.waits().stream().filter(wait -> wait.kind() == Kind.ANSWER).toList();
    List<WorkflowWait> here =
        asked.stream()
            .filter(wait -> wait.node().equals(node) || wait.token().equals(node))
            .toList();
    if (here.isEmpty()) throw nothingAsked(running, node, asked);
    if (here.size() == 1) return here.get(0);
    throw Refusal.conflict(
        Phrase.of(
            "%s asks %d times at %s; answer one of %s",
            running.id(),
            here.size(),
            node,
            here.stream().map(WorkflowWait::token).collect(Collectors.joining(", "))));
  }

  private static Refusal nothingAsked(Running running, String node, List<WorkflowWait> asked) {
    String nodes =
        asked.stream().map(WorkflowWait::node).distinct().collect(Collectors.joining(", "));
    return Refusal.conflict(
        Phrase.of(
            "%s asks nothing at %s; %s",
            running.id(), node, nodes.isEmpty() ? "nor anywhere else" : "but at " + nodes));
  }

  /** Where only some answers are possible the field {@code answer} is one of them. */
  static void mustFit(WorkflowWait asked, JsonObject given) {
    List<String> possible = asked.about().question().texts("answers");
    if (possible.isEmpty() || possible.contains(String.valueOf(given.get(ANSWER)))) return;
    throw Refusal.invalid(
        Phrase.of(
            "%s can be answered with %s, in the field \"answer\"",
            asked.node(), String.join(", ", possible)));
  }
}
