package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.NodeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a place to what has none: nodes from left to right in the order in which they can be
 * reached, each in a cell of its own, and flows between them. What has a place keeps it.
 */
final class Layout {
  static final int GAP = 60;
  private static final int PADDING = 40;
  private static final int EVENT = 36;
  private static final int GATEWAY = 50;
  private static final int TASK_WIDTH = 120;
  private static final int TASK_HEIGHT = 80;

  /** How far apart boundary events stand on the lower border of their activity. */
  private static final int BOUNDARY_STEP = 44;

  private final Definition definition;
  private final Map<String, Shape> shapes;
  private final Map<String, List<Point>> lines = new LinkedHashMap<>();

  /** What a scope measures that is to be placed, by its id. */
  private final Map<String, Point> sizes = new HashMap<>();

  private Layout(Definition definition, Drawing drawing) {
    this.definition = definition;
    this.shapes = new LinkedHashMap<>(drawing.shapes());
    drawing
        .lines()
        .forEach(
            (id, line) -> {
              if (line.size() > 1) lines.put(id, line);
            });
  }

  static Drawing complete(Definition definition, Drawing drawing) {
    Layout layout = new Layout(definition, drawing);
    layout.place(null, 0, 0);
    for (Edge each : definition.edges()) layout.connect(each);
    return new Drawing(layout.shapes, layout.lines);
  }

  /** Places what has no place in a scope whose upper left corner is given. */
  private void place(@Nullable String scope, double left, double top) {
    List<Node> placed = new ArrayList<>();
    List<Node> free = new ArrayList<>();
    for (Node each : definition.inside(scope)) {
      if (shapes.containsKey(each.id())) placed.add(each);
      else if (each.kind() != NodeKind.BOUNDARY_EVENT) free.add(each);
    }
    double below = top + PADDING;
    for (Node each : placed) {
      Shape shape = shape(each.id());
      below = Math.max(below, shape.y() + shape.height() + GAP);
      if (each.kind().isScope() && shape.expanded()) place(each.id(), shape.x(), shape.y());
    }
    Grid grid = new Grid(definition, free, this::size);
    for (Node each : free) {
      Point size = size(each);
      Point centre = grid.centre(each.id());
      double x = left + PADDING + centre.x() - size.x() / 2;
      double y = below + centre.y() - size.y() / 2;
      boolean isScope = each.kind().isScope();
      shapes.put(each.id(), new Shape(x, y, size.x(), size.y(), isScope));
      if (isScope) place(each.id(), x, y);
    }
    for (Node each : definition.inside(scope)) {
      if (each.kind() == NodeKind.BOUNDARY_EVENT && !shapes.containsKey(each.id())) attach(each);
    }
  }

  private Shape shape(String id) {
    return Objects.requireNonNull(shapes.get(id), id);
  }

  private void attach(Node event) {
    String activity = event.frame().attachedTo();
    Shape host = activity == null ? null : shapes.get(activity);
    if (activity == null || host == null) {
      shapes.put(event.id(), new Shape(0, 0, EVENT, EVENT, false));
      return;
    }
    int at = definition.boundary(activity).indexOf(event);
    double x = host.x() + host.width() - EVENT - 8 - at * (double) BOUNDARY_STEP;
    double y = host.y() + host.height() - EVENT / 2.0;
    shapes.put(event.id(), new Shape(x, y, EVENT, EVENT, false));
  }

  /** Width and height of a node that is to be placed. */
  private Point size(Node node) {
    if (node.kind().isEvent()) return new Point(EVENT, EVENT);
    if (node.kind().isGateway()) return new Point(GATEWAY, GATEWAY);
    double border = 16.0 + BOUNDARY_STEP * definition.boundary(node.id()).size();
    double width = Math.max(TASK_WIDTH, border);
    if (!node.kind().isScope()) return new Point(width, TASK_HEIGHT);
    Point known = sizes.get(node.id());
    if (known != null) return known;
    List<Node> free =
        definition.inside(node.id()).stream()
            .filter(each -> each.kind() != NodeKind.BOUNDARY_EVENT)
            .toList();
    Point inner = new Grid(definition, free, this::size).extent();
    Point size =
        new Point(
            Math.max(width, inner.x() + 2 * PADDING),
            Math.max(TASK_HEIGHT, inner.y() + 2 * PADDING));
    sizes.put(node.id(), size);
    return size;
  }

  private void connect(Edge edge) {
    Shape from = shapes.get(edge.source());
    Shape to = shapes.get(edge.target());
    if (lines.containsKey(edge.id()) || from == null || to == null) return;
    boolean boundary = definition.node(edge.source()).kind() == NodeKind.BOUNDARY_EVENT;
    lines.put(edge.id(), line(from, to, boundary));
  }

  private static List<Point> line(Shape from, Shape to, boolean boundary) {
    Point target = new Point(to.x(), to.y() + to.height() / 2);
    Point bottom = new Point(from.x() + from.width() / 2, from.y() + from.height());
    if (to.x() < from.x() + from.width()) {
      double under = Math.max(bottom.y(), to.y() + to.height()) + GAP / 3.0;
      double middle = to.x() + to.width() / 2;
      return List.of(
          bottom,
          new Point(bottom.x(), under),
          new Point(middle, under),
          new Point(middle, to.y() + to.height()));
    }
    if (boundary) {
      double under = Math.max(target.y(), bottom.y() + GAP / 3.0);
      double before = to.x() - GAP / 3.0;
      return List.of(
          bottom,
          new Point(bottom.x(), under),
          new Point(before, under),
          new Point(before, target.y()),
          target);
    }
    Point right = new Point(from.x() + from.width(), from.y() + from.height() / 2);
    if (right.y() == target.y()) return List.of(right, target);
    double middle = to.x() - GAP / 2.0;
    return List.of(right, new Point(middle, right.y()), new Point(middle, target.y()), target);
  }
}
