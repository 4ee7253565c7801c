package dev.mainstay.diagram;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.domain.Refusal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.xml.ModelException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;

/** A process as a file of its own. */
final class ProcessWriter {
  private final Definition definition;
  private final Drawing drawing;
  private final Set<String> taken = new HashSet<>();
  private final Map<String, String> messages = new LinkedHashMap<>();
  private final Map<String, String> errors = new LinkedHashMap<>();
  private final NodeWriter nodes =
      new NodeWriter(
          name -> Objects.requireNonNull(messages.get(name), name),
          code -> Objects.requireNonNull(errors.get(code), code));

  ProcessWriter(Definition definition, Drawing drawing) {
    this.definition = definition;
    this.drawing = drawing;
    taken.add(definition.key());
    definition.nodes().forEach(each -> taken.add(each.id()));
    definition.edges().forEach(each -> taken.add(each.id()));
  }

  String xml() {
    BpmnModelInstance model = Bpmn.createEmptyModel();
    Pen root = Pen.root((Document) model.getDocument().getDomSource().getNode());
    root.set("id", fresh("definitions")).set("targetNamespace", Tag.MAINSTAY);
    register();
    messages.forEach((name, id) -> root.add("message").set("id", id).set("name", name));
    errors.forEach((code, id) -> root.add("error").set("id", id).set("errorCode", code));
    Pen process = root.add("process").set("id", definition.key());
    if (!definition.title().isEmpty()) process.set("name", definition.title());
    process.set("isExecutable", "true");
    scope(process, null);
    draw(root);
    try {
      return Bpmn.convertToString(model);
    } catch (ModelException invalid) {
      Throwable cause = invalid.getCause();
      Exception fault = cause instanceof Exception known ? known : invalid;
      throw Refusal.invalid(
          "the process cannot be written as BPMN (" + XmlGuard.reason(fault) + "); check it first");
    }
  }

  private void register() {
    for (Node each : definition.nodes()) {
      Trigger trigger = each.traits().trigger();
      if (trigger instanceof Trigger.Message message && !message.name().isEmpty()) {
        messages.computeIfAbsent(message.name(), name -> fresh("message"));
      }
      if (trigger instanceof Trigger.Fault fault && fault.code() != null) {
        errors.computeIfAbsent(fault.code(), code -> fresh("error"));
      }
    }
  }

  private void scope(Pen pen, @Nullable String scope) {
    for (Node each : definition.inside(scope)) node(pen, each);
    for (Edge each : definition.edges()) {
      String within = definition.node(each.source()).frame().scope();
      if (Objects.equals(within, scope)) edge(pen, each);
    }
  }

  private void node(Pen scope, Node node) {
    Pen pen = scope.add(NodeWriter.elementName(node));
    nodes.head(pen, node);
    List<Edge> outgoing = definition.outgoing(node.id());
    for (Edge each : outgoing) if (each.guard().isDefault()) pen.set("default", each.id());
    for (Edge each : definition.incoming(node.id())) pen.add("incoming").text(each.id());
    for (Edge each : outgoing) pen.add("outgoing").text(each.id());
    nodes.tail(pen, node);
    if (node.kind().isScope()) scope(pen, node.id());
    if (node.traits().inner() instanceof Inner.AdHoc adHoc && adHoc.until() != null) {
      pen.addExpression("completionCondition", adHoc.until());
    }
  }

  private static void edge(Pen scope, Edge edge) {
    Pen pen = scope.add("sequenceFlow").set("id", edge.id());
    if (!edge.name().isEmpty()) pen.set("name", edge.name());
    pen.set("sourceRef", edge.source()).set("targetRef", edge.target());
    String condition = edge.guard().condition();
    if (condition != null) pen.addExpression("conditionExpression", condition);
  }

  private void draw(Pen root) {
    Pen diagram = root.add(Tag.BPMNDI, "bpmndi:BPMNDiagram").set("id", fresh("diagram"));
    Pen plane = diagram.add(Tag.BPMNDI, "bpmndi:BPMNPlane").set("id", fresh("plane"));
    plane.set("bpmnElement", definition.key());
    for (Node each : definition.nodes()) {
      Drawing.Shape shape = drawing.shapes().get(each.id());
      if (shape == null) continue;
      Pen drawn = plane.add(Tag.BPMNDI, "bpmndi:BPMNShape");
      drawn.set("id", fresh(each.id() + "_shape")).set("bpmnElement", each.id());
      boolean scope = each.kind().isScope();
      if (scope || shape.expanded()) drawn.set("isExpanded", Boolean.toString(shape.expanded()));
      Pen bounds = drawn.add(Tag.DC, "dc:Bounds");
      bounds.set("x", number(shape.x())).set("y", number(shape.y()));
      bounds.set("width", number(shape.width())).set("height", number(shape.height()));
    }
    for (Edge each : definition.edges()) {
      List<Drawing.Point> line = drawing.lines().get(each.id());
      if (line == null) continue;
      Pen drawn = plane.add(Tag.BPMNDI, "bpmndi:BPMNEdge");
      drawn.set("id", fresh(each.id() + "_line")).set("bpmnElement", each.id());
      for (Drawing.Point point : line) {
        drawn.add(Tag.DI, "di:waypoint").set("x", number(point.x())).set("y", number(point.y()));
      }
    }
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }

  private String fresh(String wanted) {
    String id = wanted;
    for (int i = 2; !taken.add(id); i++) id = wanted + "_" + i;
    return id;
  }
}
