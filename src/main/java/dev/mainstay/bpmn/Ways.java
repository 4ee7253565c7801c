package dev.mainstay.bpmn;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which edges a token leaves its node by. */
final class Ways {
  private final Definition definition;
  private final Sight sight;

  Ways(Definition definition, Sight sight) {
    this.definition = definition;
    this.sight = sight;
  }

  /** In their order, none where the way ends; a refusal where no way is open. */
  List<Edge> of(Node node, Token token) {
    List<Edge> edges = definition.outgoing(node.id());
    if (node.kind() == NodeKind.PARALLEL_GATEWAY || edges.isEmpty()) return edges;
    boolean onlyOne = node.kind() == NodeKind.EXCLUSIVE_GATEWAY;
    List<Edge> open = new ArrayList<>();
    boolean conditionHeld = false;
    for (Edge edge : edges) {
      String condition = edge.guard().condition();
      if (edge.guard().isDefault()) continue;
      if (condition != null) {
        if (!sight.holds("the condition of " + edge.id(), condition, token)) continue;
        conditionHeld = true;
      }
      open.add(edge);
      if (onlyOne) return open;
    }
    if (!conditionHeld) usual(node).ifPresent(open::add);
    if (!open.isEmpty()) return open;
    throw Refusal.invalid(
        Phrase.of(
            "no condition of %s holds and there is no default flow; change a variable and retry, or skip with {\"take\": \"%s\"}",
            node.id(), edges.get(0).id()));
  }

  private Optional<Edge> usual(Node node) {
    return definition.outgoing(node.id()).stream()
        .filter(edge -> edge.guard().isDefault())
        .findFirst();
  }

  /** The edge that somebody named, or else the default one; null if there is none. */
  @Nullable Edge named(Node node, @Nullable String id) {
    if (id == null) return usual(node).orElse(null);
    return definition.outgoing(node.id()).stream()
        .filter(edge -> edge.id().equals(id))
        .findFirst()
        .orElse(null);
  }
}
