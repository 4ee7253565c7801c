package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the server says about itself, and how a browser signs in. */
final class SystemRoutes {
  static final String PAGE =
      "Mainstay is running. /openapi.json says what it can be asked, with a token.\n";
  private static final String TAG = "system";

  private final Rooms rooms;
  private final Callers callers;
  private final SignIns signIns;

  SystemRoutes(Rooms rooms, Callers callers, SignIns signIns) {
    this.rooms = rooms;
    this.callers = callers;
    this.signIns = signIns;
  }

  /** A reply that goes on for as long as somebody listens. */
  interface Streaming extends Function<Context, CompletableFuture<?>> {}

  List<Route> of(Supplier<String> metrics, Supplier<JsonObject> openApi) {
    return List.of(
        root(),
        health(),
        ready(),
        signIn(),
        signOut(),
        Route.get("/metrics", TAG, "Figures for Prometheus")
            .givesText("text/plain", "Prometheus' own text format")
            .by(request -> Reply.text("text/plain; version=0.0.4; charset=utf-8", metrics.get())),
        Route.get("/openapi.json", TAG, "This description")
            .gives(
                Schema.fields().needs("openapi", Schema.text("the version of the format")),
                JsonText.object("{\"openapi\": \"3.1.0\"}"))
            .by(request -> Reply.ok(openApi.get())));
  }

  private static Route root() {
    return Route.get("/", TAG, "A page that says what this is")
        .open()
        .givesText("text/plain", "a few words")
        .by(request -> Reply.text("text/plain; charset=utf-8", PAGE));
  }

  private static final Schema STANDING =
      Schema.fields().needs("status", Schema.oneOf("how it stands", "up", "ready"));

  private static Route health() {
    return Route.get("/health", TAG, "Whether the process is up")
        .open()
        .gives(STANDING, JsonText.object("{\"status\": \"up\"}"))
        .by(request -> Reply.ok(JsonObject.of("status", "up")));
  }

  private Route ready() {
    return Route.get("/ready", TAG, "Whether the store answers")
        .open()
        .gives(STANDING, JsonText.object("{\"status\": \"ready\"}"))
        .by(
            request -> {
              rooms.journal().end();
              return Reply.ok(JsonObject.of("status", "ready"));
            });
  }

  private Route signIn() {
    Schema body = Schema.fields().needs("token", Schema.text("the text of .mainstay/token"));
    return Route.of(Verb.POST, "/sign-in", TAG, "Sign a browser in with a cookie of its own")
        .open()
        .takes(body, JsonText.object("{\"token\": \"the text of .mainstay/token\"}"))
        .gives(
            Schema.fields()
                .needs("role", Schema.oneOf("what it may do", "person", "agent", "viewer"))
                .needs("name", Schema.text("who it is")),
            JsonText.object("{\"role\": \"person\", \"name\": \"ada\"}"))
        .by(this::signedIn);
  }

  private Reply signedIn(Request request) {
    Caller caller =
        callers
            .who(request.body().text("token"))
            .orElseThrow(
                () ->
                    DoorRefusal.unauthorized(
                        "the token is not known, revoked, or its time is over; sign in with another"));
    String secret = signIns.begin(caller);
    return Reply.ok(JsonObject.of("role", caller.role().typed(), "name", caller.name()))
        .with("Set-Cookie", cookie(request, secret, SignIns.SIGN_IN_LIFE.toSeconds()));
  }

  private static String cookie(Request request, String secret, long seconds) {
    String secure = request.http().scheme().equals("https") ? "; Secure" : "";
    return SignIns.cookie(request.http())
        + "="
        + secret
        + "; Path=/; Max-Age="
        + seconds
        + "; HttpOnly; SameSite=Strict"
        + secure;
  }

  private Route signOut() {
    return Route.of(Verb.DELETE, "/sign-in", TAG, "Sign a browser out")
        .open()
        .gives(
            Schema.fields().needs("signed_out", Schema.truth("always")),
            JsonText.object("{\"signed_out\": true}"))
        .by(
            request -> {
              String secret = request.http().cookie(SignIns.cookie(request.http()));
              if (secret != null) signIns.end(secret);
              return Reply.ok(JsonObject.of("signed_out", true))
                  .with("Set-Cookie", cookie(request, "", 0));
            });
  }

  /** {@code /events}: the journal as it grows. */
  static Route events(Rooms rooms, EventFeed feed, EventReaders readers) {
    return Route.get("/events", "journal", "What happens, as it happens, as server-sent events")
        .query("task", Schema.text("only what happens to this task"))
        .query("after", Schema.text("begin after this position; start for all there ever was"))
        .givesText("text/event-stream", "id: a position, event: a kind, data: a journal entry")
        .by(
            request -> {
              String task = request.query("task");
              if (task != null) rooms.tasks().show(TaskId.parse(task));
              String last = request.http().header("Last-Event-ID");
              String after = last == null ? request.query("after") : last;
              var listening =
                  new EventReaders.Listening(
                      request.caller(),
                      task == null ? "" : TaskId.parse(task).stream(),
                      feed.begin(after == null ? "" : after));
              readers.refuseWhenFull();
              Streaming stream = http -> readers.begin(http, listening);
              return new Reply(200, "text/event-stream; charset=utf-8", stream, Map.of());
            });
  }
}
