package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import io.javalin.http.Context;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the server says about itself, and how a browser signs in. */
final class SystemRoutes {
  static final String PAGE =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Mainstay</title>"
          + "<p>Mainstay is running. /openapi.json says what it can be asked, with a token.</p></html>\n";
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

  List<Route> of(Supplier<String> metrics, Supplier<byte[]> openApi) {
    return List.of(
        root(),
        health(),
        ready(),
        signIn(),
        signedIn(),
        signOut(),
        Route.get("/metrics", TAG, "Figures for Prometheus")
            .givesText("text/plain", "Prometheus' own text format")
            .by(request -> Reply.text("text/plain; version=0.0.4", metrics.get())),
        Route.get("/openapi.json", TAG, "This description")
            .gives(
                Schema.fields().needs("openapi", Schema.text("the version of the format")),
                JsonText.object("{\"openapi\": \"3.1.0\"}"))
            .by(request -> Reply.ok(openApi.get())));
  }

  /** Where a page is mounted, it answers here. */
  private static Route root() {
    return Route.get("/", TAG, "The page, for a browser")
        .open()
        .givesText("text/html", "the page, or a sentence that says how to get it")
        .by(request -> Reply.text("text/html", PAGE));
  }

  private static final Schema WHO =
      Schema.fields()
          .needs("role", Schema.oneOf("what it may do", "person", "agent", "viewer"))
          .needs("name", Schema.text("who it is"))
          .needs("project", Schema.text("the name of the project's folder"));

  private static final JsonObject WHO_EXAMPLE =
      JsonText.object("{\"role\": \"person\", \"name\": \"ada\", \"project\": \"shop\"}");

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
    Schema body =
        Schema.fields()
            .needs("token", Schema.text("the text of .mainstay/token"))
            .needs(
                "key",
                Schema.text(
                    "32 to 200 random characters that the page keeps; with the cookie it sends them as "
                        + SignIns.KEY));
    return Route.of(Verb.POST, "/sign-in", TAG, "Sign a browser in with a cookie of its own")
        .open()
        .takes(
            body,
            JsonText.object(
                """
                {"token": "the text of .mainstay/token",
                 "key": "32 random characters, or a few more"}"""))
        .gives(WHO, WHO_EXAMPLE)
        .by(this::signedIn);
  }

  private Route signedIn() {
    return Route.get("/sign-in", TAG, "Who asks")
        .gives(WHO, WHO_EXAMPLE)
        .by(request -> Reply.ok(who(request.caller())));
  }

  private JsonObject who(Caller caller) {
    Path folder = rooms.root().getFileName(); // the root of a file system has no name
    return JsonObject.of("role", caller.role().typed(), "name", caller.name())
        .with("project", folder == null ? "/" : folder.toString());
  }

  private Reply signedIn(Request request) {
    JsonObject asked = request.body();
    Caller caller =
        callers
            .who(asked.text("token"))
            .orElseThrow(
                () ->
                    DoorRefusal.unauthorized(
                        "the token is not known, revoked, or its time is over; sign in with another"));
    String secret = signIns.begin(caller, asked.text("key"));
    return Reply.ok(who(caller))
        .with("Set-Cookie", cookie(request, secret, SignIns.SIGN_IN_LIFE.toSeconds()));
  }

  private static String cookie(Request request, String secret, long seconds) {
    String secure = Doorkeeper.isOverTls(request.http()) ? "; Secure" : "";
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
              if (secret != null) signIns.end(secret, request.http().header(SignIns.KEY));
              return Reply.ok(JsonObject.of("signed_out", true))
                  .with("Set-Cookie", cookie(request, "", 0));
            });
  }

  /** {@code /events}: the journal as it grows. */
  static Route events(Rooms rooms, EventFeed feed, EventReaders readers) {
    return Route.get("/events", "journal", "What happens, as it happens, as server-sent events")
        .query("task", Schema.text("only what happens to this task"))
        .query("after", Schema.text("begin after this position; start for all there ever was"))
        .givesText(
            "text/event-stream",
            "id: a position, event: a kind, data: a journal entry; journal.went_back says that entries after its id are gone")
        .by(
            request -> {
              String task = request.query("task");
              TaskId named = task == null ? null : request.task(task);
              if (named != null) rooms.tasks().show(named);
              String last = request.http().header("Last-Event-ID");
              String after = last == null ? request.query("after") : last;
              var listening =
                  new EventReaders.Listening(
                      request.caller(),
                      named == null ? "" : named.stream(),
                      feed.begin(after == null ? "" : after));
              readers.refuseWhenFull();
              Streaming stream = http -> readers.begin(http, listening);
              return new Reply(200, "text/event-stream", stream, Map.of());
            });
  }
}
