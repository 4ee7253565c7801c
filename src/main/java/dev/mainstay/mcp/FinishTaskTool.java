package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.session.Sessions;
import java.util.ArrayList;
import java.util.List;

/** {@code finish_task}: the end of the current task, good or bad, or giving it back. */
final class FinishTaskTool implements Offered {
  private final Rooms rooms;
  private final StateTool state;

  FinishTaskTool(Rooms rooms, StateTool state) {
    this.rooms = rooms;
    this.state = state;
  }

  @Override
  public String name() {
    return "finish_task";
  }

  @Override
  public String description() {
    return "End your current task. completed is refused, with the list, while steps, criteria or"
        + " checks are open; failed and released need a reason.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of("outcome"),
        "outcome",
        Schemas.choice("completed", "failed", "released"),
        "result",
        Schemas.text(Leases.RESULT_CHARS_MAX / 2),
        "reason",
        Schemas.text(Task.REASON_CHARS_MAX));
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    // One that has ended already may be this very request, sent again.
    TaskId id =
        visit.current().or(visit::bound).map(Task::id).orElseGet(() -> visit.task(arguments));
    String outcome = arguments.text("outcome");
    Task after =
        outcome.equals("completed") ? completed(visit, id, arguments) : given(visit, id, arguments);
    List<String> lines = new ArrayList<>();
    lines.add(Phrase.of("%s is %s.", id, told(after)));
    lines.add("next_task claims the next one.");
    lines.addAll(state.ready());
    return Reply.told(
        String.join("\n", lines), JsonObject.of("task_id", id.value(), "status", after.status()));
  }

  private Task completed(Visit visit, TaskId id, JsonObject arguments) {
    String result = arguments.textOrNull("result");
    JsonObject kept = result == null ? JsonObject.EMPTY : JsonObject.of("summary", result);
    return rooms.checks().complete(id, kept, visit.callFor(id, "complete"));
  }

  /** Failed or given back; no session goes on with it by itself. */
  private Task given(Visit visit, TaskId id, JsonObject arguments) {
    boolean failed = arguments.text("outcome").equals("failed");
    String reason = arguments.textOrNull("reason");
    if (reason == null || reason.isBlank()) {
      throw Refusal.invalid(
          "finish_task needs a \"reason\" for this outcome: what you tried and what stands in the way");
    }
    Call call = visit.callFor(id, failed ? "fail" : "release");
    return failed
        ? rooms.leases().fail(id, reason, call)
        : rooms.leases().release(id, reason, call);
  }

  private static String told(Task after) {
    String status = after.status().toString();
    if (after.status().isEnded()) return status;
    // What a prompt opened is nobody's work in the queue.
    boolean offered = !Sessions.isImplicit(after);
    return status + (offered ? " again; somebody else may take it" : " until a person assigns it");
  }
}
