package dev.mainstay.store;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowEvent.Moved;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.json.JsonText;
import java.util.List;

/** How one execution stands, made anew from its journal entries, one after the other. */
public final class ExecutionReplay {
  private static final String PREFIX = WorkflowExecution.stream("");

  private final String id;
  private String workflow = "";
  private Status status = Status.RUNNING;
  private JsonObject data =
      JsonObject.of("tokens", List.of(), "variables", JsonObject.EMPTY, "numbered", 0);

  private ExecutionReplay(String id) {
    this.id = id;
  }

  /** Whether the journal stream belongs to an execution. */
  public static boolean isExecution(String stream) {
    return stream.startsWith(PREFIX);
  }

  public static ExecutionReplay of(String stream) {
    return new ExecutionReplay(stream.substring(PREFIX.length()));
  }

  public void apply(JournalEntry entry) {
    JsonObject payload = JsonText.object(entry.content().payload());
    switch (entry.content().kind()) {
      case "workflow.started" -> workflow = payload.text("workflow_id");
      case "workflow.migrated" -> workflow = payload.text("to");
      case "workflow.paused" -> status = Status.PAUSED;
      case "workflow.resumed" -> status = Status.RUNNING;
      case "workflow.cancelled" -> status = Status.CANCELLED;
      case Moved.KIND -> move(payload);
      default -> {} // what happened while it was paused moves it when it goes on
    }
  }

  private void move(JsonObject payload) {
    WorkflowEvent moved = Moved.read(payload);
    data = moved.applyTo(data);
    JsonObject ending = payload.object("ending");
    if (ending.isEmpty()) return;
    status = Boolean.TRUE.equals(ending.get("well")) ? Status.COMPLETED : Status.FAILED;
  }

  public String id() {
    return id;
  }

  public String workflow() {
    return workflow;
  }

  public Status status() {
    return status;
  }

  /** Tokens and variables. */
  public JsonObject data() {
    return data;
  }

  /** Whether nothing was told of its beginning, which an archive may have taken. */
  public boolean isEmpty() {
    return workflow.isEmpty();
  }
}
