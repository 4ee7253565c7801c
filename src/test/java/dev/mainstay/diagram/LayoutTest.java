package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LayoutTest {
  /** Whether a point lies on the border of a shape or in it. */
  static boolean touches(Shape shape, Point point) {
    return point.x() >= shape.x()
        && point.x() <= shape.x() + shape.width()
        && point.y() >= shape.y()
        && point.y() <= shape.y() + shape.height();
  }

  private static boolean overlap(Shape one, Shape other) {
    return one.x() < other.x() + other.width()
        && other.x() < one.x() + one.width()
        && one.y() < other.y() + other.height()
        && other.y() < one.y() + one.height();
  }

  private static Shape shape(Drawing drawing, String id) {
    return Objects.requireNonNull(drawing.shapes().get(id), id);
  }

  @Test
  void whatever_the_process_no_two_nodes_of_a_scope_overlap() {
    Seeds.forAll(
        200,
        random -> {
          Definition definition = RandomDefinitions.definition(random);
          Drawing drawing = Layout.complete(definition, Drawing.NONE);
          assertThat(drawing.shapes()).hasSameSizeAs(definition.nodes());
          assertThat(drawing.lines()).hasSameSizeAs(definition.edges());
          for (Node one : definition.nodes()) {
            for (Node other : definition.inside(one.frame().scope())) {
              boolean border =
                  one.kind() == NodeKind.BOUNDARY_EVENT || other.kind() == NodeKind.BOUNDARY_EVENT;
              if (one.equals(other) || border) continue;
              assertThat(overlap(shape(drawing, one.id()), shape(drawing, other.id())))
                  .as(one.id() + " and " + other.id())
                  .isFalse();
            }
            holdsWhatLiesInIt(definition, drawing, one);
          }
        });
  }

  private static void holdsWhatLiesInIt(Definition definition, Drawing drawing, Node node) {
    Shape outer = shape(drawing, node.id());
    for (Node inner : definition.inside(node.id())) {
      Shape shape = shape(drawing, inner.id());
      assertThat(touches(outer, new Point(shape.x(), shape.y()))).isTrue();
      assertThat(touches(outer, new Point(shape.x() + shape.width(), shape.y() + shape.height())))
          .isTrue();
    }
    for (Node event : definition.boundary(node.id())) {
      assertThat(overlap(outer, shape(drawing, event.id()))).isTrue();
    }
  }

  @Test
  void what_has_a_place_keeps_it_and_the_rest_goes_below() {
    Definition definition =
        new Definition(
            "p",
            "",
            List.of(
                Node.of("a", NodeKind.START_EVENT),
                Node.of("b", NodeKind.TASK),
                Node.of("c", NodeKind.END_EVENT)),
            List.of(Edge.of("ab", "a", "b"), Edge.of("bc", "b", "c")));
    Shape drawn = new Shape(300, 100, 120, 80, false);
    Drawing drawing = Layout.complete(definition, new Drawing(Map.of("b", drawn), Map.of()));
    assertThat(shape(drawing, "b")).isEqualTo(drawn);
    assertThat(shape(drawing, "a").y()).isGreaterThan(180);
    assertThat(drawing.lines()).containsOnlyKeys("ab", "bc");
  }

  @Test
  void a_straight_process_lies_on_one_line_from_left_to_right() {
    List<Node> nodes = new ArrayList<>();
    List<Edge> edges = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      nodes.add(Node.of("n" + i, NodeKind.TASK));
      if (i > 0) edges.add(Edge.of("e" + i, "n" + (i - 1), "n" + i));
    }
    Drawing drawing = Layout.complete(new Definition("p", "", nodes, edges), Drawing.NONE);
    for (int i = 1; i < 50; i++) {
      Shape before = shape(drawing, "n" + (i - 1));
      Shape here = shape(drawing, "n" + i);
      assertThat(here.y()).isEqualTo(before.y());
      assertThat(here.x()).isGreaterThan(before.x() + before.width());
      assertThat(drawing.lines().get("e" + i)).hasSize(2);
    }
  }
}
