package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places of a process's nodes and flows; what is drawn twice counts where it is first. */
final class DrawingReader {
  private DrawingReader() {}

  static Drawing read(Tag root, Definition definition) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (Tag diagram : root.elements()) {
      if (!diagram.name().equals("BPMNDiagram")) continue;
      for (Tag plane : diagram.elements()) {
        for (Tag each : plane.elements()) {
          String id = each.reference("bpmnElement");
          if (id == null) continue;
          if (each.name().equals("BPMNShape") && definition.find(id).isPresent()) {
            Shape shape = shape(each);
            if (shape != null) shapes.putIfAbsent(id, shape);
          } else if (each.name().equals("BPMNEdge") && definition.findEdge(id).isPresent()) {
            List<Point> line = line(each);
            if (line.size() > 1) lines.putIfAbsent(id, line);
          }
        }
      }
    }
    return new Drawing(shapes, lines);
  }

  private static @Nullable Shape shape(Tag tag) {
    for (Tag each : tag.elements()) {
      if (!each.name().equals("Bounds")) continue;
      Shape shape =
          new Shape(
              number(each, "x"),
              number(each, "y"),
              number(each, "width"),
              number(each, "height"),
              tag.flag("isExpanded", false));
      return Double.isFinite(shape.x() + shape.y() + shape.width() + shape.height()) ? shape : null;
    }
    return null;
  }

  private static List<Point> line(Tag tag) {
    List<Point> points = new ArrayList<>();
    for (Tag each : tag.elements()) {
      if (!each.name().equals("waypoint")) continue;
      Point point = new Point(number(each, "x"), number(each, "y"));
      if (Double.isFinite(point.x() + point.y())) points.add(point);
    }
    return List.copyOf(points);
  }

  /** What is no number, which the schema lets through as NaN or INF, is no place either. */
  private static double number(Tag tag, String name) {
    try {
      return Double.parseDouble(tag.element().getAttribute(name).strip());
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }
}
