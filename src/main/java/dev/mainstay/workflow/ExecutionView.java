package dev.mainstay.workflow;

import dev.mainstay.bpmn.Step.What;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowExecution;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An execution, what it waits for, and what happened at its nodes. */
public record ExecutionView(
    WorkflowExecution execution, Workflow workflow, List<Open> open, List<Visit> visits) {

  /**
   * Something an execution waits for.
   *
   * @param what TASK, ANSWER, TIMER, MESSAGE, CALL or INCIDENT
   * @param about the task's id, the question, the moment, the message's name, the called
   *     execution's id, or what went wrong
   * @param correlation which of several messages of that name is waited for, if one is
   */
  public record Open(
      String node, String token, String what, String about, @Nullable String correlation) {
    public JsonObject toJson() {
      return JsonObject.of("node", node, "token", token, "what", what, "about", about)
          .with("correlation", correlation);
    }
  }

  /** A token's stay at a node: when, by whose doing it began and ended, and how it ended. */
  public record Visit(String node, String token, Moment entered, @Nullable Moment left) {}

  public record Moment(What what, Instant at, Actor by, @Nullable String note) {}
}
