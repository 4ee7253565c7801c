package dev.mainstay.diagram;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import java.util.Optional;
import java.util.Set;

/** Notes about attributes and elements of ours that mean nothing, or not what they look like. */
final class Slips {
  /** What every order may have. */
  private static final Set<String> OF_ORDERS =
      Set.of(
          "type",
          "title",
          "description",
          "priority",
          "profile",
          "provider",
          "worktree",
          "answers",
          "result");

  private static final Set<String> OF_LOOPS = Set.of("collection", "item", "results");
  private static final Set<String> EXTENSIONS = Set.of("rule", OrderReader.ANSWER, Metadata.FIELD);

  private final Findings findings;

  Slips(Findings findings) {
    this.findings = findings;
  }

  /** What becomes a field of a task's metadata although another attribute was probably meant. */
  void inOrder(Tag tag, String id) {
    for (String each : tag.own().keySet()) {
      if (OF_ORDERS.contains(each) || each.equals("metadata")) continue;
      if (Metadata.TAKEN.contains(each)) {
        nothing(id, each, Optional.empty());
        continue;
      }
      Nearest.slip(each, OF_ORDERS)
          .ifPresent(
              meant ->
                  findings.note(
                      id,
                      Phrase.of("mainstay:%s is only a field of the metadata", each),
                      Phrase.of("write mainstay:%s if that is meant", meant)));
    }
  }

  /** What a loop does not know. */
  void inLoop(Tag loop, String id) {
    for (String each : loop.own().keySet()) {
      if (!OF_LOOPS.contains(each)) nothing(id, each, Nearest.slip(each, OF_LOOPS));
    }
  }

  /** What a flow or a process does not know, which is everything. */
  void inPlain(Tag tag, String id) {
    for (String each : tag.own().keySet()) nothing(id, each, Optional.empty());
  }

  /** What stands in the extensions of a node under a name of ours that there is not. */
  void inExtensions(Tag tag, String id) {
    for (Tag each : tag.extensions()) {
      boolean ours = Tag.MAINSTAY.equals(each.element().getNamespaceURI());
      if (!ours || EXTENSIONS.contains(each.name())) continue;
      findings.note(
          id,
          Phrase.of("the element mainstay:%s is not known", each.name()),
          Phrase.of("there are %s", "mainstay:rule, mainstay:answer and mainstay:field"));
    }
  }

  private void nothing(String id, String name, Optional<String> meant) {
    findings.note(
        id,
        Phrase.of("mainstay:%s means nothing there", name),
        meant
            .map(each -> Phrase.of("write mainstay:%s if that is meant", each))
            .orElse("put it on the task it is meant for"));
  }
}
