package dev.mainstay.cli;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Inputs;
import dev.mainstay.bpmn.Node;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.workflow.Workflows.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A workflow in words. */
final class WorkflowText {
  /** How the id of an execution begins. */
  static final String EXECUTION = "exec-";

  private WorkflowText() {}

  static List<String> lines(Shown shown, int columns) {
    List<String> lines = new ArrayList<>();
    Workflow workflow = shown.workflow();
    String title = workflow.title().isBlank() ? "" : ": " + workflow.title();
    lines.add(
        Printable.line(
            Phrase.of(
                "%s %s version %d%s", workflow.id(), workflow.name(), workflow.version(), title)));
    Set<String> inputs = Inputs.of(shown.definition());
    if (!inputs.isEmpty()) lines.add("variables it reads: " + String.join(", ", inputs));
    Table table = new Table(columns, "NODE", "KIND", "NAME", "LEADS TO");
    rows(table, shown.definition(), null, "");
    lines.addAll(table.lines());
    return lines;
  }

  /** What lies in a sub-process stands below it, further in. */
  private static void rows(Table table, Definition of, @Nullable String scope, String indent) {
    for (Node node : of.inside(scope)) {
      List<Edge> ways = of.outgoing(node.id());
      String first = ways.isEmpty() ? "" : way(ways.get(0));
      table.row(indent + node.id(), kind(node), node.name(), first);
      for (int i = 1; i < ways.size(); i++) table.row("", "", "", way(ways.get(i)));
      if (node.kind().isScope()) rows(table, of, node.id(), indent + "  ");
    }
  }

  private static String kind(Node node) {
    String activity = node.frame().attachedTo();
    String kind = node.kind().typed() + (activity == null ? "" : " of " + activity);
    return node.traits().loop() == null ? kind : kind + ", for each";
  }

  private static String way(Edge edge) {
    String condition = edge.guard().condition();
    if (condition != null) return edge.target() + " if " + condition;
    return edge.target() + (edge.guard().isDefault() ? " otherwise" : "");
  }

  /** How an execution stands, in one line. */
  static String sentence(WorkflowExecution execution) {
    String node = execution.standing().node();
    String error = execution.standing().error();
    return execution.id()
        + " is "
        + execution.status()
        + (node == null || execution.status().isOver() ? "" : " at " + node)
        + (error == null ? "" : ": " + error);
  }
}
