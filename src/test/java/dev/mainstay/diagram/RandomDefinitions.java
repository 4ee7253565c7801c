package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Edge.Guard;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.RandomTraits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Processes of any shape, of all kinds of nodes; most of them cannot be run. */
final class RandomDefinitions {
  private static final int SCOPE_NODES_MAX = 8;
  private static final int DEPTH_MAX = 3;

  private final Random random;
  private final RandomTraits traits;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();

  private RandomDefinitions(Random random) {
    this.random = random;
    this.traits = new RandomTraits(random);
  }

  static Definition definition(Random random) {
    RandomDefinitions made = new RandomDefinitions(random);
    made.scope(null, 0);
    return new Definition(
        "process-" + random.nextInt(9), made.traits.words(), made.nodes, made.edges);
  }

  /** In the order of a file: a scope's nodes each with what lies in it, its edges behind those. */
  private void scope(@Nullable String scope, int depth) {
    List<String> here = new ArrayList<>();
    List<String> activities = new ArrayList<>();
    int count = 1 + random.nextInt(SCOPE_NODES_MAX);
    for (int i = 0; i < count; i++) {
      NodeKind kind = NodeKind.values()[random.nextInt(NodeKind.values().length)];
      if (kind.isScope() && depth == DEPTH_MAX) kind = NodeKind.TASK;
      if (kind == NodeKind.BOUNDARY_EVENT && activities.isEmpty()) kind = NodeKind.START_EVENT;
      String id = "n" + nodes.size() + (random.nextBoolean() ? "" : "-ö_." + random.nextInt(99));
      Frame frame = Frame.in(scope);
      if (kind == NodeKind.BOUNDARY_EVENT) {
        String host = activities.get(random.nextInt(activities.size()));
        frame = Frame.at(scope, host, random.nextBoolean());
      }
      nodes.add(new Node(id, traits.words(), kind, frame, traits.of(kind)));
      here.add(id);
      if (kind.isActivity()) activities.add(id);
      if (kind.isScope()) scope(id, depth + 1);
    }
    edges(here);
  }

  private void edges(List<String> here) {
    Set<String> defaults = new HashSet<>();
    for (int i = random.nextInt(2 * here.size()); i > 0; i--) {
      String source = here.get(random.nextInt(here.size()));
      String target = here.get(random.nextInt(here.size()));
      boolean chooses =
          nodes.stream()
              .filter(each -> each.id().equals(source))
              .map(Node::kind)
              .anyMatch(
                  kind ->
                      kind.isActivity()
                          || kind == NodeKind.EXCLUSIVE_GATEWAY
                          || kind == NodeKind.INCLUSIVE_GATEWAY);
      boolean isDefault = chooses && random.nextInt(4) == 0 && defaults.add(source);
      Guard guard = new Guard(random.nextBoolean() ? traits.expression() : null, isDefault);
      edges.add(new Edge("e" + edges.size(), traits.words(), source, target, guard));
    }
  }

  static Drawing drawing(Random random, Definition definition) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (Node each : definition.nodes()) {
      shapes.put(
          each.id(),
          new Shape(
              place(random), place(random), 1 + random.nextInt(200), 80.5, random.nextBoolean()));
    }
    for (Edge each : definition.edges()) {
      List<Point> line = new ArrayList<>();
      for (int i = 2 + random.nextInt(4); i > 0; i--) {
        line.add(new Point(place(random), place(random)));
      }
      lines.put(each.id(), line);
    }
    return new Drawing(shapes, lines);
  }

  private static double place(Random random) {
    return random.nextBoolean() ? random.nextInt(2000) - 500 : random.nextDouble() * 1e4;
  }
}
