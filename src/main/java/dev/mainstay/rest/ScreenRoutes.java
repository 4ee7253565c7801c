package dev.mainstay.rest;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.rest.ScreenReaders.Looking;
import dev.mainstay.terminal.Capture;
import dev.mainstay.terminal.Key;
import dev.mainstay.terminal.Launches.Restored;
import dev.mainstay.terminal.Screens.Group;
import dev.mainstay.terminal.Screens.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Terminals that run here: start them, type, read, look on, and end them. */
final class ScreenRoutes {
  static final String TAG = "screens";
  static final String EVENT_STREAM = "text/event-stream";
  private static final String ONE = "/terminals/{terminal}";

  static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": "developer-3fa2c1", "provider": "shell", "agent_profile": "developer",
           "host": "desk", "tmux_socket": "mainstay", "tmux_session": "mainstay",
           "tmux_window": "developer-3fa2c1", "work_dir": "/srv/shop", "caller_id": "person:ada",
           "status": "STARTING", "last_active": "2026-01-31T12:00:00.000000Z",
           "created_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;
  private final ScreenReaders readers;

  private ScreenRoutes(Rooms rooms, ScreenReaders readers) {
    this.rooms = rooms;
    this.readers = readers;
  }

  static List<Route> of(Rooms rooms, ScreenReaders readers) {
    ScreenRoutes routes = new ScreenRoutes(rooms, readers);
    return List.of(
        LaunchRoute.of(rooms),
        routes.stop(),
        routes.restore(),
        routes.input(),
        routes.output(),
        routes.attach(),
        routes.signal(),
        routes.sessions(),
        routes.stream(),
        routes.streams());
  }

  private static String id(Request request) {
    return request.path("terminal");
  }

  private static boolean truth(Request request, String name) {
    String given = request.query(name);
    if (given == null || given.equals("false")) return false;
    if (given.equals("true")) return true;
    throw Refusal.invalid(Phrase.of("%s is true or false, not \"%s\"", name, given));
  }

  /**
   * Which "no" a conflict is: not the caller's to touch, or not now. Asked afterwards, so that the
   * rule stays the use case's, which looks at rights before anything else.
   */
  private RuntimeException explained(Request request, Refusal refused) {
    boolean conflict = refused.code() == Refusal.Code.CONFLICT;
    return conflict && !isStarter(request) ? DoorRefusal.forbidden(refused.sentence()) : refused;
  }

  private boolean isStarter(Request request) {
    Actor actor = request.caller().actor();
    if (!actor.isAgent()) return true;
    Terminal terminal = rooms.terminals().get(id(request));
    return actor.name().equals(terminal.seated().begin().caller());
  }

  private Route stop() {
    return Route.of(
            Verb.DELETE, ONE, TAG, "End a terminal; what it held goes back, its history stays")
        .gives(Schemas.TERMINAL, EXAMPLE.with("status", "STOPPED"))
        .by(
            request -> {
              try {
                return Reply.ok(rooms.screens().stop(id(request), request.call()).toJson());
              } catch (Refusal refused) {
                throw explained(request, refused);
              }
            });
  }

  private Route restore() {
    return Route.of(
            Verb.POST, ONE + "/restore", TAG, "Make the window of a terminal again that is over")
        .takes(Schema.fields(), JsonObject.EMPTY)
        .gives(
            Schemas.TERMINAL
                .resolved()
                .needs("resumed", Schema.truth("whether its agent's conversation goes on")),
            EXAMPLE.with("resumed", true))
        .by(
            request -> {
              request.body();
              if (!isStarter(request)) {
                throw DoorRefusal.forbidden(
                    Phrase.of(
                        "%s did not start %s and may not start it again",
                        request.caller().actor().name(), id(request)));
              }
              Restored again = rooms.launches().restore(id(request), request.call());
              return Reply.ok(again.terminal().toJson().with("resumed", again.resumed()));
            });
  }

  private Route input() {
    Schema body =
        Schema.fields()
            .may("text", Schema.text("what is typed; of escape sequences nothing is left"))
            .may("enter", Schema.truth("whether Enter is pressed after the text (default true)"))
            .may("key", Schema.text("a key in place of text: Enter, Escape, Tab, Up, C-c ..."));
    Schema answer =
        Schema.fields()
            .needs("terminal_id", Schema.text("the terminal"))
            .needs(
                "outcome",
                Schema.oneOf(
                    "UNCONFIRMED: nothing moved on the screen after Enter",
                    "SUBMITTED",
                    "UNCONFIRMED",
                    "PRESSED"));
    return Route.of(Verb.POST, ONE + "/input", TAG, "Type into a terminal, or press a key")
        .takes(body, JsonText.object("{\"text\": \"Run the tests again.\"}"))
        .gives(
            answer, JsonText.object("{\"terminal_id\": \"coder-1\", \"outcome\": \"SUBMITTED\"}"))
        .by(
            request -> {
              try {
                return Reply.ok(
                    JsonObject.of("terminal_id", id(request), "outcome", typed(request)));
              } catch (Refusal refused) {
                throw explained(request, refused);
              }
            });
  }

  private String typed(Request request) {
    JsonObject body = request.body();
    if (request.call().key() != null) {
      throw Refusal.invalid(
          "what is typed cannot be taken back or known again, so this takes no Idempotency-Key; POST /terminals/ID/inbox does");
    }
    String text = body.textOrNull("text");
    String key = body.textOrNull("key");
    if ((text == null) == (key == null)) {
      throw Refusal.invalid("give a \"text\" to type, or a \"key\" to press");
    }
    if (key != null) {
      if (body.has("enter")) throw Refusal.invalid("\"enter\" goes with a \"text\"; leave it out");
      rooms.screens().press(id(request), Key.parse(key), request.call());
      return "PRESSED";
    }
    boolean enter = !Boolean.FALSE.equals(body.get("enter"));
    return rooms.screens().send(id(request), String.valueOf(text), enter, request.call()).name();
  }

  private Route output() {
    Schema answer =
        Schema.fields()
            .needs("terminal_id", Schema.text("the terminal"))
            .needs("output", Schema.text("its lines; of one that is over, its last"));
    return Route.get(ONE + "/output", TAG, "What a terminal printed, or what its agent said last")
        .query(
            "mode", Schema.oneOf("all, or its agent's last words (default full)", "full", "last"))
        .query("lines", Schema.number("so many of its last lines alone"))
        .query("escapes", Schema.oneOf("with its colours, for a terminal", "true", "false"))
        .gives(
            answer,
            JsonText.object("{\"terminal_id\": \"coder-1\", \"output\": \"12 passed\\n$\"}"))
        .by(
            request -> {
              Mode mode = mode(request);
              String text = rooms.screens().output(id(request), mode, capture(request, mode));
              return Reply.ok(JsonObject.of("terminal_id", id(request), "output", text));
            });
  }

  private static Mode mode(Request request) {
    String given = request.query("mode");
    if (given == null || given.equals("full")) return Mode.FULL;
    if (given.equals("last")) return Mode.LAST;
    throw Refusal.invalid(Phrase.of("mode is full or last, not \"%s\"", given));
  }

  private static Capture capture(Request request, Mode mode) {
    Integer lines = request.queryNumber("lines");
    boolean escapes = truth(request, "escapes");
    if (mode == Mode.LAST && (lines != null || escapes)) {
      throw Refusal.invalid(
          "what was said last comes whole and plain; leave out lines and escapes");
    }
    if (lines != null && (lines < 1 || lines > Capture.LINES_MAX)) {
      throw Refusal.invalid(
          Phrase.of("lines lies between 1 and %,d, not at %,d", Capture.LINES_MAX, lines));
    }
    Capture wanted = lines == null ? Capture.full() : Capture.last(lines);
    return escapes ? wanted.withEscapes() : wanted;
  }

  private Route attach() {
    return Route.get(ONE + "/attach", TAG, "The command by which a person there looks at it")
        .gives(
            Schema.fields().needs("command", Schema.list(Schema.text("a word"))),
            JsonText.object(
                """
                {"command": ["tmux", "-L", "mainstay", "attach-session", "-t",
                 "=mainstay:=coder-1"]}"""))
        .by(request -> Reply.ok(JsonObject.of("command", rooms.screens().attach(id(request)))));
  }

  private Route signal() {
    Schema body =
        Schema.fields()
            .needs("signal", Schema.oneOf("how its agent stands", "working", "asking", "finished"));
    return Route.of(
            Verb.PUT, ONE + "/signal", TAG, "Say how an agent stands; this wins over its screen")
        .takes(body, JsonText.object("{\"signal\": \"finished\"}"))
        .gives(Schemas.TERMINAL, EXAMPLE)
        .by(
            request -> {
              String given = request.body().text("signal").toUpperCase(Locale.ROOT);
              Actor actor = request.caller().actor();
              try {
                var kind = Signal.Kind.valueOf(given);
                return Reply.ok(rooms.screens().signal(id(request), kind, request.call()).toJson());
              } catch (Refusal refused) {
                boolean conflict = refused.code() == Refusal.Code.CONFLICT;
                boolean itself = !actor.isAgent() || actor.name().equals(id(request));
                throw conflict && !itself ? DoorRefusal.forbidden(refused.sentence()) : refused;
              }
            });
  }

  private Route sessions() {
    Schema session =
        Schema.fields()
            .needs("session", Schema.text("its name in tmux"))
            .needs("host", Schema.text("the machine it is on"))
            .needs("terminals", Schema.list(Schemas.TERMINAL));
    JsonObject example =
        JsonObject.of("session", "mainstay", "host", "desk", "terminals", List.of(EXAMPLE));
    return Route.get("/sessions", TAG, "Sessions of tmux with the terminals that run in them")
        .query("all", Schema.oneOf("also terminals that are over", "true", "false"))
        .gives(Schemas.listOf(session), Schemas.listExample(example))
        .by(
            request -> {
              List<Group> found = rooms.screens().sessions(truth(request, "all"));
              return Reply.page(request, found.stream().map(ScreenRoutes::json).toList(), null);
            });
  }

  private static JsonObject json(Group group) {
    return JsonObject.of("session", group.session(), "host", group.host())
        .with("terminals", group.terminals().stream().map(Terminal::toJson).toList());
  }

  private Route stream() {
    return Route.get(ONE + "/stream", TAG, "What a terminal prints, as server-sent events")
        .query("escapes", Schema.oneOf("with all it says to a terminal", "true", "false"))
        .givesText(
            EVENT_STREAM,
            "event: screen and output (data: text as JSON), missed (data: how many bytes the reader was too slow for), interrupted (the connection to tmux was lost for a moment), ended")
        .by(
            request -> {
              var looking =
                  new Looking(request.caller(), List.of(id(request)), truth(request, "escapes"));
              var stream = readers.open(rooms.screens(), looking);
              return new Reply(200, EVENT_STREAM, stream, Map.of());
            });
  }

  /** A browser has few connections to one server, so a wall of screens comes over one of them. */
  private Route streams() {
    return Route.get("/screens", TAG, "What several terminals print, as server-sent events")
        .query("terminals", Schema.text("their ids, separated by commas"))
        .query("escapes", Schema.oneOf("with all it says to a terminal", "true", "false"))
        .givesText(
            EVENT_STREAM,
            "as of one terminal, but data is an object with terminal_id; screen has text and, with escapes, columns, rows and the cursor's column and row; output has text, missed bytes, refused (there is nothing to see) detail")
        .by(
            request -> {
              List<String> ids = ids(request.query("terminals"));
              var looking = new Looking(request.caller(), ids, truth(request, "escapes"));
              var stream = readers.openAll(rooms.screens(), looking);
              return new Reply(200, EVENT_STREAM, stream, Map.of());
            });
  }

  private static List<String> ids(@Nullable String given) {
    if (given == null) throw Refusal.invalid("say which terminals: ?terminals=coder-1,coder-2");
    List<String> ids = Arrays.stream(given.split(",", -1)).distinct().toList();
    if (ids.size() <= ScreenReaders.SCREENS_AT_ONCE_MAX) return ids;
    throw Refusal.invalid(
        Phrase.of(
            "one answer tells of at most %d terminals, not of %,d",
            ScreenReaders.SCREENS_AT_ONCE_MAX, ids.size()));
  }
}
