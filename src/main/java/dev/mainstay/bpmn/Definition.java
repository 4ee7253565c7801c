package dev.mainstay.bpmn;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process: its nodes, and the edges between them, in the order in which they were given. Whether
 * it can be run is said by {@link Checks}.
 */
public final class Definition {
  /** What stands for the process itself where a scope is named in maps. */
  private static final String TOP = "";

  private final String key;
  private final String title;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Edge> edges = new LinkedHashMap<>();
  private final Map<String, List<Edge>> outgoing = new HashMap<>();
  private final Map<String, List<Edge>> incoming = new HashMap<>();
  private final Map<String, List<Node>> boundary = new HashMap<>();
  private final Map<String, List<Node>> inside = new HashMap<>();

  /**
   * Every id is there once and every edge joins two nodes; anything else is refused.
   *
   * @param key by which it is started
   * @param title what people call it; may be empty
   */
  public Definition(String key, String title, Collection<Node> nodes, Collection<Edge> edges) {
    this.key = key;
    this.title = title;
    for (Node node : nodes) {
      if (this.nodes.put(node.id(), node) != null) throw twice(node.id());
      String scope = node.frame().scope();
      inside.computeIfAbsent(scope == null ? TOP : scope, each -> new ArrayList<>()).add(node);
      String activity = node.frame().attachedTo();
      if (activity != null) {
        boundary.computeIfAbsent(activity, each -> new ArrayList<>()).add(node);
      }
    }
    for (Edge edge : edges) {
      if (this.nodes.containsKey(edge.id()) || this.edges.put(edge.id(), edge) != null) {
        throw twice(edge.id());
      }
      mustBeThere(edge, edge.source());
      mustBeThere(edge, edge.target());
      outgoing.computeIfAbsent(edge.source(), each -> new ArrayList<>()).add(edge);
      incoming.computeIfAbsent(edge.target(), each -> new ArrayList<>()).add(edge);
    }
  }

  private static Refusal twice(String id) {
    return Refusal.invalid(Phrase.of("the id \"%s\" is there twice; rename one of them", id));
  }

  private void mustBeThere(Edge edge, String node) {
    if (nodes.containsKey(node)) return;
    throw Refusal.invalid(
        Phrase.of("the flow \"%s\" names \"%s\", and there is no such node", edge.id(), node));
  }

  public String key() {
    return key;
  }

  public String title() {
    return title;
  }

  public Collection<Node> nodes() {
    return nodes.values();
  }

  public Collection<Edge> edges() {
    return edges.values();
  }

  /** A node that must be there. */
  public Node node(String id) {
    return Objects.requireNonNull(nodes.get(id), id);
  }

  public Optional<Node> find(String id) {
    return Optional.ofNullable(nodes.get(id));
  }

  public Optional<Edge> findEdge(String id) {
    return Optional.ofNullable(edges.get(id));
  }

  public List<Edge> outgoing(String node) {
    return outgoing.getOrDefault(node, List.of());
  }

  public List<Edge> incoming(String node) {
    return incoming.getOrDefault(node, List.of());
  }

  /** The boundary events of an activity. */
  public List<Node> boundary(String activity) {
    return boundary.getOrDefault(activity, List.of());
  }

  /** The nodes directly in a sub-process, or in the process itself. */
  public List<Node> inside(@Nullable String scope) {
    return inside.getOrDefault(scope == null ? TOP : scope, List.of());
  }

  /**
   * Where a scope begins: its start events, or else the activities and gateways nothing leads to.
   */
  public List<Node> starts(@Nullable String scope) {
    List<Node> events =
        inside(scope).stream().filter(node -> node.kind() == NodeKind.START_EVENT).toList();
    if (!events.isEmpty()) return events;
    return inside(scope).stream()
        .filter(node -> node.kind() != NodeKind.BOUNDARY_EVENT && incoming(node.id()).isEmpty())
        .toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Definition that
        && key.equals(that.key)
        && title.equals(that.title)
        && List.copyOf(nodes.values()).equals(List.copyOf(that.nodes.values()))
        && List.copyOf(edges.values()).equals(List.copyOf(that.edges.values()));
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, title, nodes, edges);
  }

  @Override
  public String toString() {
    return Phrase.of("%s (%d nodes, %d edges)", key, nodes.size(), edges.size());
  }
}
