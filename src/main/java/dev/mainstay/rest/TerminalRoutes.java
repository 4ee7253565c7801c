package dev.mainstay.rest;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Assignment;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.Terminals;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /terminals}: who works here, what they were told, and what they have in their hands. */
final class TerminalRoutes {
  private static final String TAG = "terminals";
  private static final String ONE = "/terminals/{terminal}";
  private static final List<String> TOLD = List.of("context_data", "variables", "initial_prompt");

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": "coder-2", "provider": "claude_code", "agent_profile": "developer",
           "created_at": "2026-01-31T12:00:00.000000Z"}""");

  private static final JsonObject STATE_EXAMPLE =
      JsonText.object(
          """
          {"terminal_id": "coder-1", "context_data": {"current_task_id": "T-001"},
           "variables": {"branch": "feature/x"}, "initial_prompt": "Work on {{branch}}.",
           "last_checkpoint": {"status": "IDLE", "timestamp": "2026-01-31T12:00:00.000000Z"},
           "version": 3, "created_at": "2026-01-31T12:00:00.000000Z",
           "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;

  private TerminalRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    TerminalRoutes routes = new TerminalRoutes(rooms);
    return List.of(
        routes.list(),
        routes.register(),
        routes.show(),
        routes.task(),
        routes.state(),
        routes.update(),
        routes.checkpoint(),
        routes.prompt());
  }

  private static String id(Request request) {
    return request.path("terminal");
  }

  /** What a terminal can be told; null clears it, where there is something to clear. */
  static Schema told(Schema begun) {
    return begun
        .may("context_data", Schema.open("what it works on, and where").orNull())
        .may("variables", Schema.open("values by name, for its initial prompt").orNull())
        .may(
            "initial_prompt",
            Schema.text("what it begins with; {{name}} stands for a variable").orNull());
  }

  private Route list() {
    return Route.get("/terminals", TAG, "Terminals and workers in the order of their ids")
        .paged()
        .gives(Schemas.listOf(Schemas.TERMINAL), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              int limit = request.limit();
              // One more tells whether there are others; a page of the largest size cannot ask.
              int asked = Math.min(limit + 1, Terminals.PAGE_MAX);
              List<Terminal> found = rooms.terminals().list(request.query("cursor"), asked);
              List<Terminal> page = found.subList(0, Math.min(limit, found.size()));
              boolean more = asked > limit ? found.size() > limit : found.size() == limit;
              String next = more ? page.get(page.size() - 1).id() : null;
              return Reply.page(request, page.stream().map(Terminal::toJson).toList(), next);
            });
  }

  private Route register() {
    Schema body =
        told(
            Schema.fields()
                .needs("id", Schema.text("its name"))
                .may("provider", Schema.text("what runs there (default external)"))
                .may("agent_profile", Schema.text("the profile of its agent")));
    return Route.of(Verb.POST, "/terminals", TAG, "Make a terminal known, and tell it something")
        .takes(
            body,
            JsonText.object(
                """
                {"id": "coder-2", "provider": "claude_code", "agent_profile": "developer",
                 "initial_prompt": "Work on {{branch}}.", "variables": {"branch": "feature/x"}}"""))
        .gives(201, Schemas.TERMINAL, EXAMPLE)
        .by(request -> created(rooms.terminals().register(wanted(request.body()), request.call())));
  }

  /** A terminal that was not there before, and where it is now. */
  static Reply created(Terminal made) {
    String encoded = URLEncoder.encode(made.id(), StandardCharsets.UTF_8).replace("+", "%20");
    return Reply.ok(made.toJson()).status(201).with("Location", "/terminals/" + encoded);
  }

  /** What a body says of it. */
  static JsonObject told(JsonObject body) {
    JsonObject told = JsonObject.EMPTY;
    for (String field : TOLD) told = told.with(field, body.get(field));
    return told;
  }

  private static NewTerminal wanted(JsonObject body) {
    String provider = body.textOrNull("provider");
    return new NewTerminal(
        body.text("id"),
        provider == null ? Terminal.EXTERNAL : provider,
        body.textOrNull("agent_profile"),
        told(body));
  }

  private Route show() {
    return Route.get(ONE, TAG, "One terminal")
        .gives(Schemas.TERMINAL, EXAMPLE)
        .by(request -> Reply.ok(rooms.terminals().get(id(request)).toJson()));
  }

  private Route task() {
    return Route.get(ONE + "/task", TAG, "The task in a terminal's hands; of several the oldest")
        .gives(Schemas.ASSIGNMENT, AssignmentRoutes.example())
        .by(
            request -> {
              String id = rooms.terminals().get(id(request)).id();
              List<Assignment> open = rooms.assignments().openOf(id);
              if (open.isEmpty()) {
                throw Refusal.notFound(
                    Phrase.of(
                        "%s has no task in its hands; POST /tasks/claim takes one, PUT /tasks/ID/assign gives one",
                        id));
              }
              Assignment first = open.get(0);
              return AssignmentRoutes.reply(first, rooms.tasks().show(first.task()));
            });
  }

  private Route state() {
    return Route.get(ONE + "/state", TAG, "What a terminal was told, and where it stands")
        .gives(Schemas.TERMINAL_STATE, STATE_EXAMPLE)
        .by(request -> reply(rooms.terminalStates().show(id(request))));
  }

  private static Reply reply(TerminalState state) {
    return Reply.ok(state.toJson()).with("ETag", "\"" + state.stamps().version() + "\"");
  }

  private Route update() {
    return Route.of(
            Verb.PATCH, ONE + "/state", TAG, "Tell a terminal something else; null clears a field")
        .takes(
            told(Schema.fields()),
            JsonText.object("{\"context_data\": {\"current_task_id\": \"T-001\"}}"))
        .matching()
        .gives(Schemas.TERMINAL_STATE, STATE_EXAMPLE)
        .by(
            request -> {
              Long expected = request.expectedVersion();
              JsonObject changes = request.body();
              try {
                return reply(
                    rooms.terminalStates().update(id(request), changes, expected, request.call()));
              } catch (Refusal refused) {
                throw explained(request, refused, changes.has("initial_prompt"), expected);
              }
            });
  }

  private Route checkpoint() {
    return Route.of(
            Verb.POST, ONE + "/checkpoints", TAG, "Note where a terminal stands; the last is kept")
        .takes(
            Schema.fields().needs("checkpoint", Schema.open("where it stands, in its own fields")),
            JsonText.object(
                "{\"checkpoint\": {\"status\": \"IDLE\", \"last_output\": \"All tests passing\"}}"))
        .gives(201, Schemas.TERMINAL_STATE, STATE_EXAMPLE)
        .by(
            request -> {
              JsonObject status = request.body().object("checkpoint");
              try {
                return reply(rooms.terminalStates().checkpoint(id(request), status, request.call()))
                    .status(201);
              } catch (Refusal refused) {
                throw explained(request, refused, false, null);
              }
            });
  }

  /**
   * Which "no" a conflict is at this door: not the caller's to change, or changed meanwhile. Asked
   * afterwards, so that a repeated key is answered; the rule about rights is the domain's own.
   */
  private RuntimeException explained(
      Request request, Refusal refused, boolean promptToo, @Nullable Long expected) {
    if (refused.code() != Refusal.Code.CONFLICT) return refused;
    TerminalState state = rooms.terminalStates().show(id(request));
    Actor actor = request.caller().actor();
    try {
      state.refuseUnlessMayChange(actor, null, promptToo);
    } catch (Refusal rights) {
      if (rights.sentence().equals(refused.sentence())) {
        return DoorRefusal.forbidden(refused.sentence());
      }
    }
    boolean other = expected != null && state.stamps().version() != expected;
    return other ? DoorRefusal.changed(refused.sentence()) : refused;
  }

  private Route prompt() {
    Schema answer =
        Schema.fields()
            .needs("terminal_id", Schema.text("the terminal"))
            .needs("prompt", Schema.text("what it begins with; null: nothing").orNull());
    return Route.get(ONE + "/prompt", TAG, "What a terminal begins with, its variables filled in")
        .query("profile_prompt", Schema.text("in place of its profile's, if it was told no other"))
        .gives(
            answer,
            JsonText.object("{\"terminal_id\": \"coder-1\", \"prompt\": \"Work on feature/x.\"}"))
        .by(
            request -> {
              String id = id(request);
              String profiles = request.query("profile_prompt");
              String text =
                  profiles == null
                      ? rooms.launches().promptOf(id)
                      : rooms.terminalStates().promptFor(id, profiles);
              return Reply.ok(JsonObject.of("terminal_id", id).withAny("prompt", text));
            });
  }
}
