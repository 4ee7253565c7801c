package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.Map;

/** The shapes of workflows and of their executions, each with an example. */
final class WorkflowSchemas {
  static final Schema WORKFLOW = Schema.ref("Workflow");
  static final Schema EXECUTION = Schema.ref("WorkflowExecution");
  static final Schema VISIT = Schema.ref("Visit");
  static final Schema QUESTION = Schema.ref("Question");

  static final Schema PROBLEM =
      Schema.fields()
          .needs("element", Schema.text("the id it is about"))
          .needs("problem", Schema.text("what whoever drew it should know"))
          .needs("advice", Schema.text("what to do about it"))
          .needs("fatal", Schema.truth("whether it cannot be run like this"));

  static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": "WF-001", "name": "release", "version": 1, "title": "Release with approval",
           "created_at": "2026-01-31T12:00:00.000000Z"}""");

  static final JsonObject EXECUTION_EXAMPLE =
      JsonText.object(
          """
          {"id": "exec-0a1b2c3d", "workflow_id": "WF-001", "session_name": "project",
           "host": "build-1", "work_dir": "/srv/project", "status": "RUNNING",
           "current_node_id": "approve",
           "execution_data": {"tokens": [{"id": "token-2", "position": "approve",
                                          "status": "IN_PROGRESS"}],
                              "variables": {"branch": "main"}, "numbered": 2},
           "version": 3, "started_by": "person:ada",
           "started_at": "2026-01-31T12:00:00.000000Z"}""");

  static final JsonObject VISIT_EXAMPLE =
      JsonText.object(
          """
          {"node": "build", "token": "token-1", "entered_at": "2026-01-31T12:00:00.000000Z",
           "entered_by": "person:ada", "left_at": "2026-01-31T12:04:00.000000Z",
           "left_by": "agent:coder-1", "how": "LEFT", "took_ms": 240000}""");

  static final JsonObject QUESTION_EXAMPLE =
      JsonText.object(
          """
          {"execution_id": "exec-0a1b2c3d", "node": "approve", "token": "token-2",
           "question": "Release main?",
           "answers": ["approve", "reject"], "since": "2026-01-31T12:04:00.000000Z"}""");

  private WorkflowSchemas() {}

  /** Adds them to those that have names. */
  static void nameIn(Map<String, Schema> named) {
    named.put("Workflow", workflow());
    named.put("WorkflowExecution", execution());
    named.put("Visit", visit());
    named.put("Question", question());
  }

  private static Schema workflow() {
    return Schema.fields()
        .needs("id", Schema.text("the id of this version, such as WF-001"))
        .needs("name", Schema.text("by which it is started; all versions have the same"))
        .needs("version", Schema.number("grows with each change of the drawing"))
        .needs("title", Schema.text("what people call it"))
        .needs("created_at", Schema.text("when it was taken in"))
        .may("live", Schema.number("how many executions of all versions are under way"))
        .may("new", Schema.truth("whether it is a new version"))
        .may("notes", Schema.list(PROBLEM))
        .may(
            "inputs",
            Schema.list(Schema.text("a variable that it reads and none of its nodes writes")))
        .may("nodes", Schema.list(Schema.open("a node")))
        .may("edges", Schema.list(Schema.open("a way from one node to another")));
  }

  private static Schema execution() {
    Schema waits =
        Schema.fields()
            .needs("node", Schema.text("where"))
            .needs("token", Schema.text("for which token"))
            .needs(
                "what",
                Schema.oneOf("for what", "TASK", "ANSWER", "TIMER", "MESSAGE", "CALL", "INCIDENT"))
            .needs("about", Schema.text("the task, question, moment, message, call or fault"))
            .may("correlation", Schema.text("which of several messages of that name"));
    return Schema.fields()
        .needs("id", Schema.text("its name"))
        .needs("workflow_id", Schema.text("the version it runs by"))
        .needs("session_name", Schema.text("the session its agents work in"))
        .needs("host", Schema.text("the machine they work on"))
        .needs("work_dir", Schema.text("the folder they work in"))
        .may("parent_execution", Schema.text("the execution that called it"))
        .may("parent_token", Schema.text("the token there that waits for it"))
        .needs(
            "status",
            Schema.oneOf("how it stands", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"))
        .may("current_node_id", Schema.text("where it is; of several places the first"))
        .needs("execution_data", Schema.open("its tokens and variables"))
        .may("error_message", Schema.text("what went wrong, while something is"))
        .needs("version", Schema.number("grows with each change; also its ETag"))
        .needs("started_by", Schema.text("who started it"))
        .needs("started_at", Schema.text("when"))
        .may("completed_at", Schema.text("when it was over"))
        .may("workflow", WORKFLOW)
        .may("waits_for", Schema.list(waits))
        .may("visits", Schema.list(VISIT));
  }

  private static Schema visit() {
    return Schema.fields()
        .needs("node", Schema.text("the node"))
        .needs("token", Schema.text("the token that was there"))
        .needs("entered_at", Schema.text("when it came"))
        .needs("entered_by", Schema.text("by whose doing"))
        .may("left_at", Schema.text("when it went"))
        .may("left_by", Schema.text("by whose doing"))
        .may("how", Schema.text("LEFT, WITHDRAWN, FAILED, RETRIED or SKIPPED"))
        .may("note", Schema.text("what else there is to say"))
        .may("took_ms", Schema.number("how long it was there, in milliseconds"));
  }

  private static Schema question() {
    return Schema.fields()
        .needs("execution_id", Schema.text("who asks"))
        .needs("node", Schema.text("where"))
        .needs("token", Schema.text("its token, which is named where several ask at one node"))
        .needs("question", Schema.text("what"))
        .needs("answers", Schema.list(Schema.text("what may be answered")))
        .needs("since", Schema.text("since when"));
  }
}
