package dev.mainstay.bpmn;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rules.Expression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects what speaks against a process. */
final class Complaints {
  private final List<Problem> problems = new ArrayList<>();

  void fatal(String element, String what, String advice) {
    problems.add(new Problem(element, what, advice, true));
  }

  void note(String element, String what, String advice) {
    problems.add(new Problem(element, what, advice, false));
  }

  /** Complains about an expression that does not compile; one that is not there is fine. */
  void expression(String element, String of, @Nullable String text) {
    if (text == null) return;
    if (text.isBlank()) {
      fatal(element, of + " is empty", "write an expression in CEL");
      return;
    }
    try {
      Expression.compile(text);
    } catch (Refusal wrong) {
      fatal(
          element,
          Phrase.of("%s \"%s\" cannot be used: %s", of, text, wrong.sentence()),
          "mend the expression");
    }
  }

  /** In the order of the nodes, flows with the node they leave, the process itself first. */
  List<Problem> inOrder(Definition definition) {
    Map<String, Integer> places = new HashMap<>();
    for (Node each : definition.nodes()) places.put(each.id(), places.size());
    for (Edge each : definition.edges()) {
      places.put(each.id(), places.getOrDefault(each.source(), 0));
    }
    problems.sort(Comparator.comparingInt(each -> places.getOrDefault(each.element(), -1)));
    return List.copyOf(problems);
  }
}
