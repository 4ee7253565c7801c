package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where ways come together: who waits there, and when they go on as one. */
final class Joins {
  private final Play play;
  private final Board board;
  private final Definition definition;

  /** A join within one scope: a sub-process in which others run has joins of its own. */
  private record Place(String join, @Nullable String parent) {}

  Joins(Play play) {
    this.play = play;
    this.board = play.board;
    this.definition = board.definition;
  }

  static boolean isJoin(Definition definition, Node node) {
    boolean joins =
        node.kind() == NodeKind.PARALLEL_GATEWAY || node.kind() == NodeKind.INCLUSIVE_GATEWAY;
    return joins && definition.incoming(node.id()).size() > 1;
  }

  /** Who waits at which join, by the edges they came on. */
  private Map<Place, Map<String, Token>> waiting() {
    Map<Place, Map<String, Token>> found = new LinkedHashMap<>();
    if (!board.hasCompleted()) return found;
    for (Token token : board.all()) {
      if (token.status() != Status.COMPLETED) continue;
      Place place = new Place(target(token).id(), token.parent());
      // Of several on one edge the oldest goes first; the others wait for the next time.
      found
          .computeIfAbsent(place, each -> new LinkedHashMap<>())
          .putIfAbsent(edge(token).id(), token);
    }
    return found;
  }

  private Edge edge(Token token) {
    String id = token.load().edge();
    return definition.findEdge(id == null ? "" : id).orElseThrow();
  }

  private Node target(Token token) {
    return definition.node(edge(token).target());
  }

  /** Fires a parallel join at which a token waits on every edge. */
  boolean fireWhole() {
    for (var each : waiting().entrySet()) {
      Node join = definition.node(each.getKey().join());
      boolean whole = each.getValue().size() == definition.incoming(join.id()).size();
      if (!whole || join.kind() != NodeKind.PARALLEL_GATEWAY) continue;
      fire(each.getKey(), each.getValue().values());
      return true;
    }
    return false;
  }

  /** Fires an inclusive join that no other token can still reach on an edge that is empty. */
  boolean fireReachable() {
    for (var each : waiting().entrySet()) {
      Node join = definition.node(each.getKey().join());
      if (join.kind() != NodeKind.INCLUSIVE_GATEWAY) continue;
      if (isAwaiting(each.getKey(), each.getValue().keySet())) continue;
      fire(each.getKey(), each.getValue().values());
      return true;
    }
    return false;
  }

  /**
   * Whether some token can reach an empty edge of the join without passing the join, and cannot
   * reach one on which a token waits already.
   */
  private boolean isAwaiting(Place place, Set<String> filled) {
    for (Token token : board.inner(place.parent())) {
      if (token.status() == Status.COMPLETED && target(token).id().equals(place.join())) continue;
      Set<String> reached = reached(token, place.join());
      boolean empty = reached.stream().anyMatch(edge -> !filled.contains(edge));
      if (empty && reached.stream().noneMatch(filled::contains)) return true;
    }
    return false;
  }

  /** The edges into a join that a token may come to. */
  private Set<String> reached(Token token, String join) {
    Set<String> edges = new HashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> next = new ArrayDeque<>();
    next.add(token.status() == Status.COMPLETED ? target(token).id() : token.position());
    while (!next.isEmpty()) {
      String node = next.removeFirst();
      if (node.equals(join) || !seen.add(node)) continue;
      for (Node event : definition.boundary(node)) next.add(event.id());
      for (Edge edge : definition.outgoing(node)) {
        if (edge.target().equals(join)) edges.add(edge.id());
        next.add(edge.target());
      }
    }
    return edges;
  }

  /**
   * Where all that is left in a scope waits at joins, nothing can come any more: an inclusive join
   * fires with what is there, and a parallel one is an incident.
   */
  boolean strand() {
    Map<Place, Map<String, Token>> waiting = waiting();
    List<Place> stuck = new ArrayList<>();
    for (Place place : waiting.keySet()) {
      boolean all =
          board.inner(place.parent()).stream()
              .allMatch(token -> token.status() == Status.COMPLETED);
      if (all) stuck.add(place);
    }
    for (Place place : stuck) {
      if (definition.node(place.join()).kind() != NodeKind.INCLUSIVE_GATEWAY) continue;
      fire(place, waiting.getOrDefault(place, Map.of()).values());
      return true;
    }
    if (stuck.isEmpty()) return false;
    Place place = stuck.get(0);
    Map<String, Token> there = waiting.getOrDefault(place, Map.of());
    String missing =
        definition.incoming(place.join()).stream()
            .map(Edge::id)
            .filter(edge -> !there.containsKey(edge))
            .collect(Collectors.joining(", "));
    String problem =
        Phrase.of("%s waits for %s, and nothing can come there any more", place.join(), missing);
    Token first = there.values().iterator().next();
    Token stranded =
        new Token(first.id(), place.join(), Status.INCIDENT, first.parent(), first.load());
    play.incidents.note(stranded, problem, Incidents.Stage.JOIN);
    return true;
  }

  /** Lets all who wait at a join go on as one, although others are missing. */
  void fire(String join, @Nullable String parent) {
    Place place = new Place(join, parent);
    Map<String, Token> there = new LinkedHashMap<>(waiting().getOrDefault(place, Map.of()));
    for (Token token : board.inner(parent)) {
      boolean stranded = token.status() == Status.INCIDENT && token.load().edge() != null;
      if (stranded && token.position().equals(join)) there.put(edge(token).id(), token);
    }
    fire(place, there.values());
  }

  private void fire(Place place, Collection<Token> tokens) {
    tokens.forEach(board::remove);
    Token first = tokens.iterator().next();
    for (Token token : tokens) if (token.number() < first.number()) first = token;
    board.trace(What.ENTERED, place.join(), first.id());
    Load load = new Load(null, JsonObject.EMPTY, JsonObject.EMPTY, null);
    Token one = new Token(first.id(), place.join(), Status.IN_PROGRESS, place.parent(), load);
    play.leave(board.put(one), true);
  }
}
