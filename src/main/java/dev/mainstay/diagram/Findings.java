package dev.mainstay.diagram;

import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was found out while a process was read. */
final class Findings {
  /** How many ids a note lists before it only counts. */
  private static final int IDS_MAX = 10;

  private record Kind(String what, String advice) {}

  private final List<Problem> problems = new ArrayList<>();
  private final Map<Kind, Set<String>> notes = new LinkedHashMap<>();

  void fatal(String element, String what, String advice) {
    problems.add(new Problem(element, what, advice, true));
  }

  /** Something that changes nothing at run time; there is one note for all of its kind. */
  void note(String element, String what, String advice) {
    notes.computeIfAbsent(new Kind(what, advice), kind -> new LinkedHashSet<>()).add(element);
  }

  boolean hasFatal() {
    return !problems.isEmpty();
  }

  /** What keeps the process from running first, then one note for each kind. */
  List<Problem> all() {
    List<Problem> all = new ArrayList<>(problems);
    notes.forEach(
        (kind, ids) -> {
          String first = ids.iterator().next();
          all.add(new Problem(first, kind.what() + " (" + listed(ids) + ")", kind.advice(), false));
        });
    return all;
  }

  private static String listed(Set<String> ids) {
    List<String> first = ids.stream().limit(IDS_MAX).toList();
    String list = String.join(", ", first);
    return ids.size() <= IDS_MAX ? list : Phrase.of("%s and %d more", list, ids.size() - IDS_MAX);
  }
}
