package dev.mainstay.workflow;

import dev.mainstay.bpmn.DefinitionJson;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Inputs;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.workflow.ExecutionView.Moment;
import dev.mainstay.workflow.ExecutionView.Open;
import dev.mainstay.workflow.ExecutionView.Visit;
import dev.mainstay.workflow.Workflows.Imported;
import dev.mainstay.workflow.Workflows.Shown;
import dev.mainstay.workflow.Workflows.Summary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Workflows and how they stand, as every door gives them to programs. */
public final class WorkflowJson {
  private WorkflowJson() {}

  public static JsonObject write(Imported imported) {
    return imported
        .workflow()
        .toJson()
        .with("new", imported.isNew())
        .with("notes", imported.notes().stream().map(Problem::toJson).toList());
  }

  /** Everything that speaks for or against a file, and whether it can be run; nothing is kept. */
  public static JsonObject check(String xml) {
    List<Problem> found = Workflows.check(xml);
    return JsonObject.of("runs", found.stream().noneMatch(Problem::isFatal))
        .with("problems", found.stream().map(Problem::toJson).toList());
  }

  public static JsonObject write(Summary summary) {
    return summary.workflow().toJson().with("live", summary.live());
  }

  /** In the fields that an import takes as well. */
  public static JsonObject write(Shown shown) {
    Drawing drawing = shown.drawing();
    return shown
        .workflow()
        .toJson()
        .with("inputs", List.copyOf(Inputs.of(shown.definition())))
        .with("nodes", shown.definition().nodes().stream().map(n -> write(n, drawing)).toList())
        .with("edges", shown.definition().edges().stream().map(e -> write(e, drawing)).toList());
  }

  private static JsonObject write(Node node, Drawing drawing) {
    Shape shape = drawing.shapes().get(node.id());
    JsonObject json = DefinitionJson.write(node);
    return shape == null ? json : json.with("position", shape.toJson());
  }

  private static JsonObject write(Edge edge, Drawing drawing) {
    List<Point> line = drawing.lines().get(edge.id());
    JsonObject json = DefinitionJson.write(edge);
    return line == null ? json : json.with("waypoints", line.stream().map(Point::toJson).toList());
  }

  /** Who got a message; a kept one nobody did. */
  public static JsonObject delivered(Optional<WorkflowExecution> got) {
    return JsonObject.of("kept", got.isEmpty())
        .with("execution", got.map(WorkflowExecution::toJson).orElse(null));
  }

  /** The execution's own fields, with what it waits for and what happened at its nodes. */
  public static JsonObject write(ExecutionView view) {
    return view.execution()
        .toJson()
        .with("workflow", view.workflow().toJson())
        .with("waits_for", view.open().stream().map(Open::toJson).toList())
        .with("visits", visits(view));
  }

  /** What happened at its nodes alone. */
  public static List<JsonObject> visits(ExecutionView view) {
    return view.visits().stream().map(WorkflowJson::write).toList();
  }

  private static JsonObject write(Visit visit) {
    Moment left = visit.left();
    JsonObject entered =
        JsonObject.of("node", visit.node(), "token", visit.token())
            .with("entered_at", Times.write(visit.entered().at()))
            .with("entered_by", visit.entered().by().toString());
    if (left == null) return entered;
    return entered
        .with("left_at", Times.write(left.at()))
        .with("left_by", left.by().toString())
        .with("how", left.what())
        .with("note", left.note())
        .with("took_ms", Duration.between(visit.entered().at(), left.at()).toMillis());
  }
}
