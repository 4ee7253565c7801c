package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Nodes of one scope in columns and rows, no two in one cell. A column comes behind those that lead
 * to it; flows that lead back are left aside.
 */
final class Grid {
  private record Cell(int column, int row) {}

  private final Map<String, Cell> cells = new LinkedHashMap<>();
  private final List<Double> widths = new ArrayList<>();
  private final List<Double> heights = new ArrayList<>();

  Grid(Definition definition, Collection<Node> nodes, Function<Node, Point> size) {
    Map<String, Node> known = new LinkedHashMap<>();
    for (Node each : nodes) known.put(each.id(), each);
    Map<String, List<String>> next = next(definition, known);
    Map<String, Integer> columns = columns(known.keySet(), next);
    Map<String, Double> wanted = new HashMap<>();
    List<List<String>> byColumn = new ArrayList<>();
    known
        .keySet()
        .forEach(
            id -> {
              int column = Objects.requireNonNull(columns.get(id));
              while (byColumn.size() <= column) byColumn.add(new ArrayList<>());
              byColumn.get(column).add(id);
            });
    for (int column = 0; column < byColumn.size(); column++) {
      List<String> ids = byColumn.get(column);
      // Near to where its flow comes from, so that lines seldom cross.
      ids.sort(Comparator.comparingDouble(id -> wanted.getOrDefault(id, 0.0)));
      for (int row = 0; row < ids.size(); row++) {
        String id = ids.get(row);
        cells.put(id, new Cell(column, row));
        Point measure = size.apply(Objects.requireNonNull(known.get(id)));
        widen(widths, column, measure.x());
        widen(heights, row, measure.y());
        double own = row;
        for (String each : next.getOrDefault(id, List.of())) wanted.putIfAbsent(each, own);
      }
    }
  }

  private static void widen(List<Double> sizes, int at, double size) {
    while (sizes.size() <= at) sizes.add(0.0);
    sizes.set(at, Math.max(sizes.get(at), size));
  }

  /** Where each node leads to, boundary events counting as their activity. */
  private static Map<String, List<String>> next(Definition definition, Map<String, Node> known) {
    Map<String, List<String>> next = new HashMap<>();
    for (Node each : known.values()) {
      List<String> targets = new ArrayList<>();
      for (Edge edge : definition.outgoing(each.id())) targets.add(edge.target());
      for (Node event : definition.boundary(each.id())) {
        for (Edge edge : definition.outgoing(event.id())) targets.add(edge.target());
      }
      targets.removeIf(target -> !known.containsKey(target));
      next.put(each.id(), targets);
    }
    return next;
  }

  /** The longest way to each node, over the flows that do not lead back. */
  private static Map<String, Integer> columns(Set<String> ids, Map<String, List<String>> next) {
    Map<String, Integer> columns = new HashMap<>();
    for (String id : ids) columns.put(id, 0);
    List<String> order = behindLast(ids, next);
    Map<String, Integer> position = new HashMap<>();
    for (int i = 0; i < order.size(); i++) position.put(order.get(i), i);
    for (String id : order) {
      int column = columns.getOrDefault(id, 0) + 1;
      for (String target : next.getOrDefault(id, List.of())) {
        boolean back = position.getOrDefault(target, 0) <= position.getOrDefault(id, 0);
        if (!back) columns.merge(target, column, Math::max);
      }
    }
    return columns;
  }

  /** All nodes, each before those it leads to, except where a flow leads back. */
  private static List<String> behindLast(Set<String> ids, Map<String, List<String>> next) {
    Set<String> reached = new HashSet<>();
    next.values().forEach(reached::addAll);
    List<String> from = new ArrayList<>(ids);
    from.sort(Comparator.comparing(reached::contains));
    Deque<String> order = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    for (String start : from) {
      Deque<String> way = new ArrayDeque<>();
      Deque<Integer> steps = new ArrayDeque<>();
      if (seen.add(start)) {
        way.push(start);
        steps.push(0);
      }
      // By hand and not by recursion: a process may be a long chain.
      while (!way.isEmpty()) {
        List<String> targets = next.getOrDefault(way.peek(), List.of());
        int step = steps.pop();
        if (step == targets.size()) {
          order.push(way.pop());
          continue;
        }
        steps.push(step + 1);
        if (seen.add(targets.get(step))) {
          way.push(targets.get(step));
          steps.push(0);
        }
      }
    }
    return List.copyOf(order);
  }

  /** The middle of a node's cell, from the upper left corner of the grid. */
  Point centre(String id) {
    Cell cell = Objects.requireNonNull(cells.get(id), id);
    return new Point(middle(widths, cell.column()), middle(heights, cell.row()));
  }

  private static double middle(List<Double> sizes, int at) {
    double sum = 0;
    for (int i = 0; i < at; i++) sum += sizes.get(i) + Layout.GAP;
    return sum + sizes.get(at) / 2;
  }

  /** Width and height of the whole. */
  Point extent() {
    return new Point(extent(widths), extent(heights));
  }

  private static double extent(List<Double> sizes) {
    double sum = 0;
    for (double each : sizes) sum += each + Layout.GAP;
    return sizes.isEmpty() ? 0 : sum - Layout.GAP;
  }
}
