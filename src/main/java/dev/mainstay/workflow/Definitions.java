package dev.mainstay.workflow;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.DefinitionJson;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Workflow;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowTable;
import dev.mainstay.store.WorkflowTable.EdgeRow;
import dev.mainstay.store.WorkflowTable.NodeRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Processes as the tables keep them. Those that were read lately are kept, as none ever changes.
 */
final class Definitions {
  private static final int KEPT_MAX = 200;
  private static final String WAYPOINTS = "waypoints";
  private static final Pattern ID = Pattern.compile("WF-[0-9]+");
  private static final Pattern VERSION = Pattern.compile("(.+)@([0-9]{1,18})");

  private final Map<String, Definition> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Definition> eldest) {
          return size() > KEPT_MAX;
        }
      };

  /** The process of a version. */
  Definition of(Tx tx, String workflow) {
    synchronized (kept) {
      Definition known = kept.get(workflow);
      if (known != null) return known;
    }
    Definition read = read(tx, tx.workflows().get(workflow));
    synchronized (kept) {
      kept.put(workflow, read);
    }
    return read;
  }

  /** By the id of a version, by name for its newest, or by {@code name@version}. */
  static Workflow which(Tx tx, String which) {
    return find(tx, which).orElseThrow(() -> WorkflowTable.unknown(which.strip()));
  }

  static Optional<Workflow> find(Tx tx, String which) {
    WorkflowTable table = tx.workflows();
    String asked = which.strip();
    if (ID.matcher(asked).matches()) {
      var found = table.find(asked);
      if (found.isPresent()) return found;
    }
    Matcher named = VERSION.matcher(asked);
    if (named.matches()) {
      var found = table.version(named.group(1), Long.parseLong(named.group(2)));
      if (found.isPresent()) return found;
    }
    return table.newest(asked);
  }

  static Definition read(Tx tx, Workflow workflow) {
    List<Node> nodes =
        tx.workflows().nodes(workflow.id()).stream()
            .map(row -> DefinitionJson.readNode(row.data()))
            .toList();
    List<Edge> edges =
        tx.workflows().edges(workflow.id()).stream()
            .map(row -> DefinitionJson.readEdge(without(row.data(), WAYPOINTS)))
            .toList();
    return new Definition(workflow.name(), workflow.title(), nodes, edges);
  }

  static Drawing drawing(Tx tx, Workflow workflow) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (NodeRow row : tx.workflows().nodes(workflow.id())) {
      if (!row.position().isEmpty()) shapes.put(row.id(), Shape.fromJson(row.position()));
    }
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (EdgeRow row : tx.workflows().edges(workflow.id())) {
      List<Point> points = points(row.data());
      if (!points.isEmpty()) lines.put(row.id(), points);
    }
    return new Drawing(shapes, lines);
  }

  static List<Point> points(JsonObject edge) {
    return edge.objects(WAYPOINTS).stream().map(Point::fromJson).toList();
  }

  static void write(Tx tx, String workflow, Definition definition, Drawing drawing) {
    tx.workflows()
        .insert(
            workflow,
            definition.nodes().stream().map(node -> row(node, drawing)).toList(),
            definition.edges().stream().map(edge -> row(edge, drawing)).toList());
  }

  static NodeRow row(Node node, Drawing drawing) {
    Shape shape = drawing.shapes().get(node.id());
    return new NodeRow(
        node.id(), DefinitionJson.write(node), shape == null ? JsonObject.EMPTY : shape.toJson());
  }

  static EdgeRow row(Edge edge, Drawing drawing) {
    List<Point> line = drawing.lines().get(edge.id());
    @Nullable List<JsonObject> points =
        line == null ? null : line.stream().map(Point::toJson).toList();
    JsonObject data = DefinitionJson.write(edge).with(WAYPOINTS, points);
    return new EdgeRow(edge.id(), edge.source(), edge.target(), data);
  }

  /** An object with some fields less. */
  static JsonObject without(JsonObject json, String... fields) {
    Map<String, @Nullable Object> kept = new TreeMap<>(json.asMap());
    for (String field : fields) kept.remove(field);
    return JsonObject.copyOf(kept);
  }
}
