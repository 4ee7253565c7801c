package dev.mainstay.diagram;

import dev.mainstay.bpmn.Checks;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Edge.Guard;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.diagram.BpmnFile.Chart;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One process of a file. */
final class ProcessReader {
  private final Map<String, Tag> named;
  private final Findings findings;
  private final Extras extras;
  private final Slips slips;
  private final NodeReader reader;

  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();
  private final Set<String> defaults = new HashSet<>();

  /** Ids that the file has or that were given to what has none. */
  private final Set<String> taken;

  ProcessReader(Map<String, Tag> named, Findings findings) {
    this.named = named;
    this.findings = findings;
    this.extras = new Extras(findings);
    this.slips = new Slips(findings);
    this.reader = new NodeReader(named, findings);
    this.taken = new HashSet<>(named.keySet());
  }

  /**
   * The process as a chart. Without a definition if something of it is not run; what else speaks
   * against it is said all the same.
   */
  Chart chart(Tag process, Tag root) {
    String key = process.id();
    if (key.isEmpty()) {
      key = fresh("process");
      findings.fatal(key, "the process has no id", "give it one; it is started by it");
    }
    extras.nameForeign(process, key);
    slips.inPlain(process, key);
    scope(process, key, null);
    mustJoin();
    String title = Objects.requireNonNullElse(process.attribute("name"), "");
    Definition definition = null;
    List<Problem> problems;
    try {
      definition = new Definition(key, title, nodes, edges);
      problems = withChecks(definition);
    } catch (Refusal twice) {
      findings.fatal(key, twice.sentence(), "every element has an id of its own");
      problems = findings.all();
    }
    Drawing drawing = definition == null ? Drawing.NONE : DrawingReader.read(root, definition);
    return new Chart(findings.hasFatal() ? null : definition, drawing, problems);
  }

  /** What follows from something that is not run is not said a second time. */
  private List<Problem> withChecks(Definition definition) {
    List<Problem> found = findings.all();
    Set<String> named =
        found.stream().filter(Problem::isFatal).map(Problem::element).collect(Collectors.toSet());
    List<Problem> all = new ArrayList<>(found.stream().filter(Problem::isFatal).toList());
    for (Problem each : Checks.of(definition)) if (!named.contains(each.element())) all.add(each);
    all.addAll(found.stream().filter(each -> !each.isFatal()).toList());
    return List.copyOf(all);
  }

  private void scope(Tag scope, String within, @Nullable String id) {
    List<Tag> flows = new ArrayList<>();
    for (Tag each : scope.children()) {
      String other = each.reference("default");
      if (other != null) defaults.add(other);
    }
    for (Tag each : scope.children()) {
      if (each.is("sequenceFlow")) flows.add(each);
      else if (NodeReader.isNode(each)) node(each, id);
      else if (each.is("laneSet")) extras.lanes(each, within);
      else extras.name(each, within);
    }
    for (Tag each : flows) edges.add(edge(each));
  }

  private void node(Tag tag, @Nullable String scope) {
    String id = tag.id().isEmpty() ? fresh(tag.name()) : tag.id();
    Node node = reader.node(tag, id, scope);
    nodes.add(node);
    extras.nameForeign(tag, id);
    if (!node.kind().isScope()) {
      for (Tag each : tag.children()) extras.name(each, id);
    } else if (!tag.flag("triggeredByEvent", false)) {
      scope(tag, id, id);
    }
  }

  private Edge edge(Tag tag) {
    String source = Objects.requireNonNullElse(tag.reference("sourceRef"), "");
    String target = Objects.requireNonNullElse(tag.reference("targetRef"), "");
    String id = tag.id().isEmpty() ? fresh("flow_" + source + "_" + target) : tag.id();
    extras.nameForeign(tag, id);
    slips.inPlain(tag, id);
    String name = Objects.requireNonNullElse(tag.attribute("name"), "");
    Guard guard = new Guard(tag.expressionOf("conditionExpression"), defaults.contains(id));
    return new Edge(id, name, source, target, guard);
  }

  /** Takes out the flows that join no two nodes of this process. */
  private void mustJoin() {
    Set<String> known = nodes.stream().map(Node::id).collect(Collectors.toSet());
    edges.removeIf(
        edge -> {
          boolean joins = known.contains(edge.source()) && known.contains(edge.target());
          if (joins) return false;
          String missing = known.contains(edge.source()) ? edge.target() : edge.source();
          findings.fatal(
              edge.id(),
              Phrase.of("the flow joins \"%s\", which is no node of this process", missing),
              named.containsKey(missing)
                  ? "let it lead from node to node; messages go between processes"
                  : "draw it anew from node to node");
          return true;
        });
  }

  private String fresh(String wanted) {
    String id = wanted;
    for (int i = 2; !taken.add(id); i++) id = wanted + "_" + i;
    return id;
  }
}
