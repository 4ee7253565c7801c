package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import dev.mainstay.workflow.ExecutionView.Moment;
import dev.mainstay.workflow.ExecutionView.Open;
import dev.mainstay.workflow.ExecutionView.Visit;
import java.time.Duration;
import java.util.List;

/** How an execution stands, as the doors give it to programs. */
public final class ExecutionViewJson {
  private ExecutionViewJson() {}

  /** The execution's own fields, with what it waits for and what happened at its nodes. */
  public static JsonObject write(ExecutionView view) {
    return view.execution()
        .toJson()
        .with("workflow", view.workflow().toJson())
        .with("waits_for", view.open().stream().map(Open::toJson).toList())
        .with("visits", visits(view));
  }

  public static List<JsonObject> visits(ExecutionView view) {
    return view.visits().stream().map(ExecutionViewJson::write).toList();
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
