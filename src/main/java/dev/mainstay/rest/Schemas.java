package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shapes that several routes answer, each with an example. */
final class Schemas {
  static final Schema TASK = Schema.ref("Task");
  static final Schema RECEIPT = Schema.ref("Receipt");
  static final Schema ENTRY = Schema.ref("JournalEntry");
  static final Schema PROBLEM = Schema.ref("Problem");
  static final Schema TERMS = Schema.ref("Terms");
  static final Schema SPENT = Schema.ref("Spent");
  static final Schema ASSIGNMENT = Schema.ref("Assignment");
  static final Schema TERMINAL = Schema.ref("Terminal");
  static final Schema TERMINAL_STATE = Schema.ref("TerminalState");
  static final Schema MESSAGE = Schema.ref("Message");
  static final Schema FLOW = Schema.ref("Flow");
  static final Schema FLOW_RUN = Schema.ref("FlowRun");
  static final Schema DELEGATION = Schema.ref("Delegation");
  static final Schema TASK_TYPE = Schema.ref("TaskType");

  static final JsonObject TASK_EXAMPLE =
      JsonText.object(
          """
          {"id": "T-001", "title": "Add login", "description": "", "task_type": "CODE",
           "priority": 5, "metadata": {}, "status": "PENDING", "dependencies": [],
           "unmet_dependencies": 0, "attempt": 0, "fence": 0, "version": 1,
           "created_at": "2026-01-31T12:00:00.000000Z", "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  static final JsonObject RECEIPT_EXAMPLE =
      JsonText.object("{\"task_id\": \"T-001\", \"entries\": 1, \"number\": 7}");

  static final JsonObject ENTRY_EXAMPLE =
      JsonText.object(
          """
          {"seq": 12, "stream": "task/T-001", "number": 2, "actor": "person:ada", "source": "rest",
           "at": "2026-01-31T12:00:00.000000Z", "kind": "task.updated", "payload": {"priority": 9},
           "previous_hash": "00", "hash": "01", "position": "1f2e3d4c.0.12"}""");

  static final JsonObject ASSIGNMENT_EXAMPLE =
      JsonText.object(
          """
          {"id": 1, "task_id": "T-001", "terminal_id": "coder-1", "attempt": 1, "fence": 1,
           "status": "ACCEPTED", "assigned_at": "2026-01-31T12:00:00.000000Z",
           "accepted_at": "2026-01-31T12:00:05.000000Z"}""");

  static final Map<String, Schema> NAMED = named();

  private Schemas() {}

  static Schema listOf(Schema items) {
    return Schema.fields()
        .needs("items", Schema.list(items))
        .may("next", Schema.text("the cursor of the next part; null at the end").orNull());
  }

  static JsonObject listExample(Object... items) {
    return JsonObject.of("items", List.of(items)).withAny("next", null);
  }

  private static Map<String, Schema> named() {
    Map<String, Schema> named = new LinkedHashMap<>();
    named.put("Task", task());
    named.put(
        "Receipt",
        Schema.fields()
            .needs("task_id", Schema.text("the task"))
            .needs("entries", Schema.number("how many entries its journal got; 0: no change"))
            .needs("number", Schema.number("the last entry that changed what is known"))
            .may("notices", Schema.list(Schema.text("what a limit did to what was sent"))));
    named.put("JournalEntry", entry());
    named.put("Terms", terms());
    named.put("Spent", spent());
    named.put("Assignment", assignment());
    named.put("Terminal", terminal());
    named.put("TerminalState", terminalState());
    named.put("Message", InboxRoutes.schema());
    named.put("Flow", FlowRoutes.schema());
    named.put("FlowRun", FlowRoutes.runSchema());
    named.put("Delegation", DelegationRoutes.schema());
    WorkflowSchemas.nameIn(named);
    named.put("TaskType", taskType());
    named.put(
        "Problem",
        Schema.fields()
            .needs("type", Schema.text("what kind of problem, as a URI"))
            .needs("title", Schema.text("the kind in words"))
            .needs("status", Schema.number("the HTTP status"))
            .needs("detail", Schema.text("one sentence that says what to do"))
            .needs("instance", Schema.text("the path that was asked"))
            .needs("code", Schema.text("the kind, for programs")));
    return Collections.unmodifiableMap(named);
  }

  private static Schema task() {
    return Schema.fields()
        .needs("id", Schema.text("its name, such as T-001"))
        .may("alias", Schema.text("the name that its caller gave it"))
        .needs("title", Schema.text("what is to be done, in one line"))
        .needs("description", Schema.text("the whole specification"))
        .needs("task_type", Schema.text("CODE, REVIEW, TEST, ANALYZE or another"))
        .needs("priority", Schema.number("higher is more urgent"))
        .needs("metadata", Schema.open("whatever else is known"))
        .needs(
            "status",
            Schema.oneOf(
                "how it stands",
                "PENDING",
                "ASSIGNED",
                "IN_PROGRESS",
                "COMPLETED",
                "FAILED",
                "CANCELLED"))
        .needs("dependencies", Schema.list(Schema.text("a task it waits for")))
        .may("dependency_kinds", Schema.open("those that are not of the kind blocks"))
        .needs("unmet_dependencies", Schema.number("how many of them are still open"))
        .may("terms", TERMS)
        .may("open_children", Schema.number("how many parts of it are open"))
        .may("delayed_until", Schema.text("when it is tried again"))
        .may("over_budget", Schema.truth("whether its budget has no room for it"))
        .may("parent_id", Schema.text("the task it is a part of"))
        .may("workflow_id", Schema.text("the workflow it belongs to"))
        .may("reason", Schema.text("why it stands so"))
        .needs("attempt", Schema.number("how often it was begun"))
        .needs("fence", Schema.number("goes with everything its holder writes"))
        .may("lease_holder", Schema.text("who holds it"))
        .may("helpers", Schema.list(Schema.text("a worker that may write beside the holder")))
        .may("lease_since", Schema.text("since when"))
        .may("heartbeat_at", Schema.text("when its holder was last heard of"))
        .may("lease_until", Schema.text("until when"))
        .needs("version", Schema.number("grows with each change; also its ETag"))
        .needs("created_at", Schema.text("when it was made"))
        .needs("updated_at", Schema.text("when it last changed"))
        .may("completed_at", Schema.text("when it was completed"));
  }

  private static Schema terms() {
    Schema amounts =
        Schema.fields()
            .may("tokens", Schema.number("tokens"))
            .may("cost", Schema.text("dollars, such as 0.50"))
            .may("seconds", Schema.number("seconds"))
            .closed();
    return Schema.fields()
        .may("max_attempts", Schema.number("how often it is tried"))
        .may("backoff_seconds", Schema.number("the pause before another attempt; it doubles"))
        .may("timeout_seconds", Schema.number("how long one attempt may take"))
        .may("budget", amounts)
        .may("estimate", amounts)
        .closed();
  }

  private static Schema spent() {
    return Schema.fields()
        .may("tokens", Schema.number("tokens used since it was said last"))
        .may("cost", Schema.text("dollars since it was said last, such as 0.18"))
        .closed();
  }

  private static Schema assignment() {
    return Schema.fields()
        .needs("id", Schema.number("its number"))
        .needs("task_id", Schema.text("the task"))
        .needs("terminal_id", Schema.text("who was given it"))
        .needs("attempt", Schema.number("which attempt at the task it is"))
        .needs("fence", Schema.number("goes with everything its holder writes"))
        .needs(
            "status",
            Schema.oneOf(
                "how it stands", "ASSIGNED", "ACCEPTED", "IN_PROGRESS", "COMPLETED", "FAILED"))
        .needs("assigned_at", Schema.text("when it was given"))
        .may("accepted_at", Schema.text("when its holder said that it will do it"))
        .may("started_at", Schema.text("when it was begun"))
        .may("completed_at", Schema.text("when it ended, well or not"))
        .may("result", Schema.open("what came out"))
        .may("error_message", Schema.text("why nothing came out"))
        .may("task", TASK);
  }

  private static Schema terminal() {
    return Schema.fields()
        .needs("id", Schema.text("its name"))
        .needs("provider", Schema.text("what runs there; external: a worker started elsewhere"))
        .may("agent_profile", Schema.text("the profile of its agent"))
        .may("tmux_session", Schema.text("the session it is shown in"))
        .may("tmux_window", Schema.text("the window it is shown in"))
        .may("host", Schema.text("the machine it runs on"))
        .may("tmux_socket", Schema.text("the socket of the tmux it is in"))
        .may("work_dir", Schema.text("the folder it was started in"))
        .may("caller_id", Schema.text("who asked for it"))
        .may("conversation", Schema.text("its agent's own conversation, to be resumed"))
        .may("program", Schema.list(Schema.text("a word")))
        .may("status", Schema.text("how it stands"))
        .may("status_reason", Schema.text("why it stands so"))
        .may("exit_code", Schema.number("how its program ended"))
        .may("last_active", Schema.text("when something last moved in it"))
        .may("last_lines", Schema.list(Schema.text("the end of what was on its screen")))
        .needs("created_at", Schema.text("since when it is known"));
  }

  private static Schema terminalState() {
    return Schema.fields()
        .needs("terminal_id", Schema.text("the terminal"))
        .needs("context_data", Schema.open("what it works on, and where"))
        .needs("variables", Schema.open("values by name, for its initial prompt"))
        .may("initial_prompt", Schema.text("what it begins with; {{name}} stands for a variable"))
        .may("last_checkpoint", Schema.open("where it stood when that was last noted"))
        .needs("version", Schema.number("grows with each change; also its ETag"))
        .needs("created_at", Schema.text("when something was first said about it"))
        .needs("updated_at", Schema.text("when it last changed"));
  }

  private static Schema taskType() {
    return Schema.fields()
        .needs("task_type", Schema.text("the type"))
        .needs("requires", Schema.list(Schema.text("tests, or a command in so many words")))
        .needs("version", Schema.number("grows with each change; 0: nobody said anything"))
        .may("updated_at", Schema.text("when it last changed"));
  }

  private static Schema entry() {
    return Schema.fields()
        .needs("seq", Schema.number("its place in the store"))
        .needs("stream", Schema.text("what it is about"))
        .needs("number", Schema.number("its place in its stream, from 1"))
        .needs("actor", Schema.text("who did it"))
        .needs("source", Schema.text("through which door"))
        .needs("at", Schema.text("when"))
        .needs("kind", Schema.text("what happened"))
        .needs("payload", Schema.open("the details"))
        .may("previous_hash", Schema.text("the hash of the entry before it in its stream"))
        .may("hash", Schema.text("its own"))
        .may("position", Schema.text("where a reader stands after it"));
  }
}
