package dev.mainstay.rest;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Resolution;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Prompts;
import java.util.List;

/** {@code /tasks/ID/state} and what is read from it: what is known about a task, and was. */
final class StateRoutes {
  private static final String TAG = "state";
  private static final String ANY_HOST = "api";
  private final Rooms rooms;

  private StateRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    StateRoutes routes = new StateRoutes(rooms);
    return List.of(
        routes.show(),
        routes.merge(),
        routes.save(),
        routes.resolve(),
        routes.diff(),
        routes.prompt(),
        routes.variables(),
        routes.constraints(),
        routes.evidence(),
        routes.conflicts());
  }

  private static final Schema NOTEBOOK = notebook();

  private static final JsonObject DELTA =
      JsonText.object("{\"decisions\": [\"use SQLite\"], \"next_focus\": \"write the migration\"}");

  /** Lists as lists or one text; the domain reads both. */
  private static Schema notebook() {
    Schema all = Schema.fields();
    for (Section section : Section.values()) {
      all = all.may(section.key(), new Schema(JsonObject.of("description", section.key())));
    }
    return all;
  }

  private static final Schema KNOWN =
      Schema.fields()
          .needs("task_id", Schema.text("the task"))
          .needs("number", Schema.number("the journal entry it is known since"))
          .needs("notebook", Schema.open("the notebook's fields"))
          .needs("notes", Schema.open("the same with authors and times"))
          .needs("task_state", Schema.open("the run: goal, plan, progress, directives"))
          .needs("observed", Schema.open("what was seen to happen"))
          .may("execution", Schema.open("the execution of a state directory"));

  private static final JsonObject KNOWN_EXAMPLE =
      JsonText.object(
          """
          {"task_id": "T-001", "number": 7, "notebook": {"decisions": ["use SQLite"]},
           "notes": {}, "task_state": {"goal": "log in", "phase": "RUNNING"}, "observed": {}}""");

  private Route show() {
    return Route.get("/tasks/{id}/state", TAG, "All that is known about a task")
        .query("at", Schema.text("a place in the journal, an entry (#7), a time or a checkpoint"))
        .gives(KNOWN, KNOWN_EXAMPLE)
        .by(
            request -> {
              String at = request.query("at");
              var known =
                  at == null
                      ? rooms.notebooks().known(request.task())
                      : rooms.timeTravel().at(request.task(), new Moment(at));
              return Reply.ok(known.toJson());
            });
  }

  private Route merge() {
    return Route.of(Verb.POST, "/tasks/{id}/state", TAG, "Add to a task's notebook")
        .takes(NOTEBOOK, DELTA)
        .gives(Schemas.RECEIPT, Schemas.RECEIPT_EXAMPLE)
        .by(
            request -> {
              var delta = NotebookDelta.fromJson(request.body());
              var receipt = rooms.notebooks().merge(request.task(), delta, request.call());
              return Reply.ok(receipt.toJson());
            });
  }

  private Route save() {
    return Route.of(
            Verb.PUT, "/tasks/{id}/state", TAG, "Put a notebook in place of the one there is")
        .takes(NOTEBOOK, DELTA)
        .gives(Schemas.RECEIPT, Schemas.RECEIPT_EXAMPLE)
        .by(
            request -> {
              var whole = NotebookDelta.fromJson(request.body());
              var receipt = rooms.notebooks().save(request.task(), whole, request.call());
              return Reply.ok(receipt.toJson());
            });
  }

  private Route resolve() {
    Schema body =
        Schema.fields()
            .needs("item", Schema.text("its text, or its number from 1"))
            .may("how", Schema.oneOf("how it ends", "settled", "confirmed", "refuted"));
    return Route.of(
            Verb.POST, "/tasks/{id}/state/resolve", TAG, "Settle an open issue or a hypothesis")
        .takes(body, JsonText.object("{\"item\": \"login fails on Mondays\"}"))
        .gives(Schemas.RECEIPT, Schemas.RECEIPT_EXAMPLE)
        .by(
            request -> {
              JsonObject asked = request.body();
              Resolution how = Resolution.parse(asked.has("how") ? asked.text("how") : "settled");
              return Reply.ok(
                  rooms
                      .notebooks()
                      .resolve(request.task(), asked.text("item"), how, request.call())
                      .toJson());
            });
  }

  private Route diff() {
    return Route.get("/tasks/{id}/state/diff", TAG, "What changed between two moments")
        .query("from", Schema.text("the first moment (default #1)"))
        .query("to", Schema.text("the second moment (default now)"))
        .gives(Schema.open("what went and came, by field"), JsonObject.EMPTY)
        .by(
            request -> {
              String from = request.query("from");
              String to = request.query("to");
              var diff =
                  rooms
                      .timeTravel()
                      .diff(
                          request.task(),
                          from == null ? Moment.entry(1) : new Moment(from),
                          to == null ? Moment.NOW : new Moment(to));
              return Reply.ok(diff.toJson());
            });
  }

  private Route prompt() {
    Schema answer =
        Schema.fields()
            .needs("task_id", Schema.text("the task"))
            .needs("prompt", Schema.text("what an agent is shown"))
            .may("tokens", Schema.number("how large it is, in tokens"))
            .may("budget", Schema.number("how large it may be, in its unit"))
            .may("unit", Schema.oneOf("what the budget counts", "tokens", "characters"))
            .may("size", Schema.number("how large it is, in that unit"))
            .may("sections", Schema.list(Schema.open("name, tokens, text and stable")))
            .may("left_out", Schema.list(Schema.open("what, count, shortened and how to see it")));
    return Route.get("/tasks/{id}/prompt", TAG, "What an agent is shown, within a budget")
        .query("budget", Schema.number("at most so many tokens (characters for claude-code)"))
        .query("for", Schema.text("claude-code, codex or api"))
        .query("sections", Schema.truth("also section by section, with what was left out"))
        .gives(answer, JsonText.object("{\"task_id\": \"T-001\", \"prompt\": \"# Add login\"}"))
        .by(
            request -> {
              Actor reader = request.caller().actor();
              String host = request.query("for");
              if (host == null)
                host = Prompts.HOSTS.contains(reader.name()) ? reader.name() : ANY_HOST;
              var wanted =
                  Prompts.Wanted.by(host).within(request.queryNumber("budget")).readBy(reader);
              JsonObject task = JsonObject.of("task_id", request.task().value());
              if (request.isAsked("sections")) {
                return Reply.ok(rooms.prompts().view(request.task(), wanted).onto(task));
              }
              return Reply.ok(task.with("prompt", rooms.prompts().render(request.task(), wanted)));
            });
  }

  private Route variables() {
    return Route.get("/tasks/{id}/variables", TAG, "The variables of a task's execution")
        .gives(
            Schema.fields().needs("variables", Schema.open("values by name")),
            JsonText.object("{\"variables\": {\"port\": 7717}}"))
        .by(
            request -> {
              var execution = rooms.notebooks().known(request.task()).dossier().execution();
              return Reply.ok(JsonObject.of("variables", execution.pages().variables()));
            });
  }

  private Route constraints() {
    Schema answer =
        Schema.fields()
            .needs("settings", Schema.open("limits by name"))
            .needs("rules", Schema.list(Schema.text("a rule")))
            .needs("behaviours", Schema.list(Schema.open("what to do when")));
    return Route.get("/tasks/{id}/constraints", TAG, "The constraints of a task's execution")
        .gives(answer, JsonText.object("{\"settings\": {}, \"rules\": [], \"behaviours\": []}"))
        .by(
            request -> {
              var execution = rooms.notebooks().known(request.task()).dossier().execution();
              return Reply.ok(execution.constraints().toJson());
            });
  }

  private Route evidence() {
    return Route.get("/tasks/{id}/evidence", TAG, "How commands ended, as Mainstay saw it")
        .gives(
            Schema.fields().needs("evidence", Schema.list(Schema.open("one command's end"))),
            JsonText.object("{\"evidence\": []}"))
        .by(
            request -> {
              var all = rooms.evidence().list(request.task());
              return Reply.ok(
                  JsonObject.of("evidence", all.stream().map(each -> each.toJson()).toList()));
            });
  }

  private Route conflicts() {
    return Route.get("/tasks/{id}/conflicts", TAG, "Files that another task changed, too")
        .gives(
            Schema.fields().needs("conflicts", Schema.list(Schema.open("one file's conflict"))),
            JsonText.object("{\"conflicts\": []}"))
        .by(
            request -> {
              var all = rooms.evidence().conflicts(request.task());
              return Reply.ok(
                  JsonObject.of("conflicts", all.stream().map(each -> each.toJson()).toList()));
            });
  }
}
