package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;

/** The shapes of what a person looks at, each with an example. */
final class OverviewSchemas {
  private static final Schema KINDS =
      Schema.oneOf("in which way", "blocks", "after-failure", "after-any", "part");

  static final Schema NOW = now();

  static final JsonObject NOW_EXAMPLE =
      JsonText.object(
          """
          {"counts": {"ready": 1, "waiting": 1, "held": 1, "completed": 3, "failed": 1,
             "cancelled": 0},
           "working": [{"terminal_id": "coder-1", "agent": "developer", "task_id": "T-001",
             "title": "Add login", "status": "IN_PROGRESS",
             "step": {"number": 2, "of": 3, "text": "make the tests pass"},
             "since": "2026-01-31T12:00:00.000000Z",
             "last_action": {"text": "ran the tests: 12 passed", "at": "2026-01-31T12:04:00.000000Z"},
             "lease_until": "2026-01-31T12:14:00.000000Z",
             "heartbeat_at": "2026-01-31T12:04:00.000000Z"}],
           "ready": [], "blocked": [{"task_id": "T-002", "title": "Deploy", "reason":
             "waiting for 1 other task(s)", "waits_for": [{"task_id": "T-001", "title": "Add login",
             "status": "IN_PROGRESS", "kind": "blocks"}]}],
           "failed": [{"task_id": "T-003", "title": "Measure", "reason": "out of memory",
             "at": "2026-01-31T11:00:00.000000Z"}],
           "incidents": [{"execution_id": "exec-0a1b2c3d4e5f", "title": "Release with approval",
             "node": "build", "problem": "no network", "at": "2026-01-31T11:20:00.000000Z"}],
           "questions": [{"execution_id": null, "task_id": "T-004", "node": null,
             "text": "Which port?", "since": "2026-01-31T11:30:00.000000Z"}],
           "undelivered": [{"message_id": 7, "receiver": "coder-1", "sender": "person:ada",
             "status": "PENDING", "since": "2026-01-31T12:01:00.000000Z", "attempts": 0}],
           "budgets": [{"task_id": "T-001", "title": "Add login", "unit": "tokens",
             "limit": 100000, "spent": 20000, "reserved": 10000}],
           "terminals": [{"id": "coder-1", "status": "BUSY", "agent_profile": "developer"}],
           "more": {"ready": 12}}""");

  static final Schema GRAPH =
      Schema.fields()
          .needs("nodes", Schema.list(node()))
          .needs("edges", Schema.list(edge()))
          .needs("left_out", Schema.number("how many tasks there are beside those"));

  static final JsonObject GRAPH_EXAMPLE =
      JsonText.object(
          """
          {"nodes": [{"id": "T-001", "title": "Add login", "status": "COMPLETED", "ready": false,
             "type": "CODE", "priority": 5}, {"id": "T-002", "title": "Deploy",
             "status": "PENDING", "ready": true, "type": "CODE", "priority": 0}],
           "edges": [{"from": "T-001", "to": "T-002", "kind": "blocks"}], "left_out": 0}""");

  static final Schema CHARTS =
      Schema.fields()
          .needs("done", Schema.list(done()))
          .needs("status_time", Schema.list(stood()))
          .needs("prompts", Schema.list(prompt()))
          .needs("writes", Schema.list(writes()));

  static final JsonObject CHARTS_EXAMPLE =
      JsonText.object(
          """
          {"done": [{"hour": "2026-01-31T12:00:00.000000Z", "completed": 7, "failed": 1,
             "cancelled": 0}],
           "status_time": [{"status": "IN_PROGRESS", "seconds": 5400, "tasks": 8}],
           "prompts": [{"task_id": "T-001", "turn": 3, "tokens": 1200, "transcript_tokens": 48000,
             "source": "hook", "at": "2026-01-31T12:04:00.000000Z"}],
           "writes": [{"hour": "2026-01-31T12:00:00.000000Z", "changed": 12, "noop": 5}]}""");

  static final Schema FILE =
      Schema.fields()
          .needs("path", Schema.text("the file, from the workspace's folder on"))
          .needs("workspace", Schema.text("the workspace it is in"))
          .needs("work_dir", Schema.text("the folder of the workspace"))
          .needs("hash", Schema.text("the SHA-256 of what the task left").orNull())
          .needs("size", Schema.number("its bytes, while that content is there").orNull())
          .needs(
              "change",
              Schema.oneOf("what became of it", "created", "modified", "unchanged", "deleted"))
          .needs("is_current", Schema.truth("whether what the task left is still there"))
          .needs("at", Schema.text("when the task last changed it"));

  static final JsonObject FILE_EXAMPLE =
      JsonText.object(
          """
          {"path": "src/App.java", "workspace": "w-0a1b2c3d4e5f", "work_dir": "/home/ada/app",
           "hash": "9f86d081", "size": 120, "change": "modified", "is_current": true,
           "at": "2026-01-31T12:00:00.000000Z"}""");

  static final Schema PROPOSAL =
      titled()
          .needs("number", Schema.number("which of the task's"))
          .needs("kind", Schema.oneOf("what it is about", "SETTING", "STEP", "LIFT", "RULE"))
          .needs("what", Schema.text("the limit, the step, the order or the rule"))
          .needs("wanted", Schema.text("what it would become"))
          .needs("sentence", Schema.text("the same in words"))
          .needs("actor", Schema.text("who asks"))
          .needs("at", Schema.text("when it was asked"));

  static final JsonObject PROPOSAL_EXAMPLE =
      JsonText.object(
          """
          {"task_id": "T-001", "title": "Add login", "number": 1, "kind": "SETTING",
           "what": "max_file_operations", "wanted": "40", "sentence":
           "max_file_operations: 30 to 40", "actor": "agent:codex",
           "at": "2026-01-31T12:00:00.000000Z"}""");

  static final Schema VERIFIED =
      Schema.fields()
          .needs("sound", Schema.truth("whether nothing was found"))
          .needs("sentence", Schema.text("the same in words"))
          .needs("entries", Schema.number("how many entries were looked at"))
          .needs("streams", Schema.number("how many streams"))
          .needs("seals", Schema.number("how many seals"))
          .needs("findings", Schema.list(Schema.open("where, and what the problem is")))
          .needs("more", Schema.number("how many findings there are beside those"));

  private OverviewSchemas() {}

  private static Schema node() {
    return Schema.fields()
        .needs("id", Schema.text("its name, such as T-001"))
        .needs("title", Schema.text("what is to be done, in one line"))
        .needs("status", Schema.text("how it stands"))
        .needs("ready", Schema.truth("whether it can be taken now"))
        .needs("type", Schema.text("CODE, REVIEW, TEST, ANALYZE or another"))
        .needs("priority", Schema.number("higher is more urgent"));
  }

  private static Schema edge() {
    return Schema.fields()
        .needs("from", Schema.text("the task that must end first, or is a part"))
        .needs("to", Schema.text("the task that waits for it"))
        .needs("kind", KINDS);
  }

  private static Schema done() {
    return Schema.fields()
        .needs("hour", Schema.text("when the hour began"))
        .needs("completed", Schema.number("tasks that ended well in it"))
        .needs("failed", Schema.number("tasks that ended badly in it"))
        .needs("cancelled", Schema.number("tasks that nobody wanted any more"));
  }

  private static Schema stood() {
    return Schema.fields()
        .needs("status", Schema.oneOf("how they stood", "PENDING", "ASSIGNED", "IN_PROGRESS"))
        .needs("seconds", Schema.number("for how long, all together"))
        .needs("tasks", Schema.number("how many attempts at tasks that ended in this time"));
  }

  private static Schema prompt() {
    return Schema.fields()
        .needs("task_id", Schema.text("the task"))
        .needs("turn", Schema.number("which prompt of the task, from 1"))
        .needs("tokens", Schema.number("how large it was"))
        .needs("transcript_tokens", Schema.number("how large the whole context was").orNull())
        .needs("source", Schema.oneOf("through which door", "hook", "mcp", "repo"))
        .needs("at", Schema.text("when it was given"));
  }

  private static Schema writes() {
    return Schema.fields()
        .needs("hour", Schema.text("when the hour began"))
        .needs("changed", Schema.number("writes that changed a file"))
        .needs("noop", Schema.number("writes that were not needed"));
  }

  private static Schema now() {
    return Schema.fields()
        .needs("counts", counts())
        .needs("working", Schema.list(working()))
        .needs("ready", Schema.list(brief()))
        .needs("blocked", Schema.list(blocked()))
        .needs("failed", Schema.list(failed()))
        .needs("incidents", Schema.list(incident()))
        .needs("questions", Schema.list(question()))
        .needs("undelivered", Schema.list(message()))
        .needs("budgets", Schema.list(budget()))
        .needs("terminals", Schema.list(terminal()))
        .needs("more", Schema.open("by list: how many there are beside those that are shown"));
  }

  private static Schema counts() {
    return Schema.fields()
        .needs("ready", Schema.number("can be begun now"))
        .needs("waiting", Schema.number("wait for something"))
        .needs("held", Schema.number("somebody works on them"))
        .needs("completed", Schema.number("ended well"))
        .needs("failed", Schema.number("ended badly"))
        .needs("cancelled", Schema.number("nobody wants them any more"));
  }

  private static Schema titled() {
    return Schema.fields()
        .needs("task_id", Schema.text("the task"))
        .needs("title", Schema.text("what is to be done, in one line"));
  }

  private static Schema working() {
    return titled()
        .needs("terminal_id", Schema.text("who holds it"))
        .needs("agent", Schema.text("the profile or the name of its agent, if known").orNull())
        .needs("status", Schema.oneOf("how it stands", "ASSIGNED", "IN_PROGRESS"))
        .needs("step", Schema.open("number, of and text of the plan's step at work").orNull())
        .needs("since", Schema.text("since when it is held"))
        .needs("last_action", Schema.open("text and at of what tools last did").orNull())
        .needs("lease_until", Schema.text("until when it is held"))
        .needs("heartbeat_at", Schema.text("when its holder was last heard of"));
  }

  private static Schema brief() {
    return Schema.fields()
        .needs("id", Schema.text("its name, such as T-001"))
        .needs("title", Schema.text("what is to be done, in one line"))
        .needs("task_type", Schema.text("CODE, REVIEW, TEST, ANALYZE or another"))
        .needs("priority", Schema.number("higher is more urgent"))
        .needs("status", Schema.text("how it stands"))
        .may("attempt", Schema.number("how often it was begun"))
        .may("created_at", Schema.text("when it was made"))
        .may("updated_at", Schema.text("when it last changed"));
  }

  private static Schema blocked() {
    Schema cause = titled().needs("status", Schema.text("how it stands")).needs("kind", KINDS);
    return titled()
        .needs("waits_for", Schema.list(cause))
        .needs("reason", Schema.text("what it waits for, in words"));
  }

  private static Schema failed() {
    return titled().needs("reason", Schema.text("why").orNull()).needs("at", Schema.text("when"));
  }

  private static Schema incident() {
    return Schema.fields()
        .needs("execution_id", Schema.text("the workflow's execution that is held up"))
        .needs("title", Schema.text("what the workflow is called"))
        .needs("node", Schema.text("where"))
        .needs("problem", Schema.text("what went wrong there"))
        .needs("at", Schema.text("when the execution last moved"));
  }

  private static Schema question() {
    return Schema.fields()
        .needs("execution_id", Schema.text("the workflow's execution that asks").orNull())
        .needs("task_id", Schema.text("the task about which it is asked").orNull())
        .needs("node", Schema.text("the node that asks").orNull())
        .may("token", Schema.text("which of several at the node"))
        .needs("text", Schema.text("the question"))
        .may("answers", Schema.list(Schema.text("a possible answer")))
        .needs("since", Schema.text("when it was asked").orNull());
  }

  private static Schema message() {
    return Schema.fields()
        .needs("message_id", Schema.number("its number"))
        .needs("receiver", Schema.text("the terminal it is for"))
        .needs("sender", Schema.text("who sent it"))
        .needs("status", Schema.oneOf("how it stands", "PENDING", "DELIVERING"))
        .needs("since", Schema.text("when it was sent"))
        .needs("attempts", Schema.number("how often it was taken"));
  }

  private static Schema budget() {
    Schema amount = new Schema(JsonObject.of("type", "number", "description", "in this unit"));
    return titled()
        .needs(
            "unit",
            Schema.oneOf("what is counted; cost is in dollars", "tokens", "cost", "seconds"))
        .needs("limit", amount)
        .needs("spent", amount)
        .needs("reserved", amount);
  }

  private static Schema terminal() {
    return Schema.fields()
        .needs("id", Schema.text("its name"))
        .needs("status", Schema.text("how it stands").orNull())
        .needs("agent_profile", Schema.text("the profile of its agent").orNull());
  }
}
