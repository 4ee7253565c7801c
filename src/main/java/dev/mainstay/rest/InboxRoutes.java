package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.NewMessage;
import java.time.Duration;
import java.util.List;

/** {@code /inbox}: what terminals say to each other, and what became of it. */
final class InboxRoutes {
  private static final String TAG = "inbox";
  private static final String OF_TERMINAL = "/terminals/{terminal}/inbox";
  private static final String ONE = "/inbox/{message}";
  private static final String NUMBER = "\\d{1,18}";
  private static final int PULLED = 10;

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": 1, "sender_id": "coder-2", "receiver_id": "coder-1", "message": "The API is ready.",
           "status": "PENDING", "attempts": 0, "created_at": "2026-01-31T12:00:00.000000Z",
           "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  private static final JsonObject TAKEN_EXAMPLE =
      EXAMPLE
          .with("status", "DELIVERING")
          .with("attempts", 1)
          .with("taken_until", "2026-01-31T12:05:00.000000Z");

  private static final JsonObject DELIVERED_EXAMPLE =
      EXAMPLE
          .with("status", "DELIVERED")
          .with("attempts", 1)
          .with("delivered_at", "2026-01-31T12:01:00.000000Z");

  private static final JsonObject FAILED_EXAMPLE =
      EXAMPLE.with("status", "FAILED").with("reason", "it is for another project");

  private final Rooms rooms;

  private InboxRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    InboxRoutes routes = new InboxRoutes(rooms);
    return List.of(routes.list(), routes.send(), routes.pull(), routes.ack(), routes.fail());
  }

  /** A message, as all of these routes answer it. */
  static Schema schema() {
    return Schema.fields()
        .needs("id", Schema.number("its number; a terminal's messages are in this order"))
        .needs("sender_id", Schema.text("a terminal, or person:NAME, or system:mainstay"))
        .needs("receiver_id", Schema.text("the terminal it is for"))
        .needs("message", Schema.text("what is said"))
        .needs(
            "status", Schema.oneOf("how it stands", "PENDING", "DELIVERING", "DELIVERED", "FAILED"))
        .needs("attempts", Schema.number("how often it was pulled"))
        .may("reason", Schema.text("why it failed"))
        .needs("created_at", Schema.text("when it was sent"))
        .needs("updated_at", Schema.text("when it last moved"))
        .may("taken_until", Schema.text("when it comes back, unless it is acknowledged"))
        .may("delivered_at", Schema.text("when it was acknowledged"))
        .may("acknowledged_before", Schema.truth("whether it had arrived before this request"));
  }

  private static String terminal(Request request) {
    return request.path("terminal");
  }

  private Route list() {
    return Route.get(OF_TERMINAL, TAG, "Messages to a terminal, oldest first")
        .query(
            "filter", Schema.oneOf("those not settled yet, or all (default open)", "open", "all"))
        .paged()
        .gives(Schemas.listOf(Schemas.MESSAGE), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              int limit = request.limit();
              // One more tells whether there are others; a page of the largest size cannot ask.
              int asked = Math.min(limit + 1, Inbox.PAGE_MAX);
              List<Message> found =
                  rooms.inbox().list(terminal(request), filter(request), after(request), asked);
              List<Message> page = found.subList(0, Math.min(limit, found.size()));
              boolean more = asked > limit ? found.size() > limit : found.size() == limit;
              String next = more ? Long.toString(page.get(page.size() - 1).id()) : null;
              return Reply.page(request, page.stream().map(Message::toJson).toList(), next);
            });
  }

  private static Filter filter(Request request) {
    String given = request.query("filter");
    if (given == null || given.equals("open")) return Filter.OPEN;
    if (given.equals("all")) return Filter.ALL;
    throw Refusal.invalid(Phrase.of("filter is open or all, not \"%s\"", given));
  }

  private static long after(Request request) {
    String given = request.query("cursor");
    return given == null ? 0 : number("a cursor of messages", given);
  }

  private static long number(String what, String given) {
    if (given.matches(NUMBER)) return Long.parseLong(given);
    throw Refusal.invalid(Phrase.of("\"%s\" is not %s", given, what));
  }

  private Route send() {
    Schema body =
        Schema.fields()
            .needs("message", Schema.text("what is said"))
            .may("sender", Schema.text("the terminal that says it (default: the caller)"));
    return Route.of(Verb.POST, OF_TERMINAL, TAG, "Send a message to a terminal")
        .takes(body, JsonText.object("{\"message\": \"The API is ready.\"}"))
        .gives(201, Schemas.MESSAGE, EXAMPLE)
        .by(
            request -> {
              JsonObject asked = request.body();
              String sender = asked.textOrNull("sender");
              if (sender != null) refuseOthers(request, sender, "send as");
              var wanted = new NewMessage(sender, terminal(request), asked.text("message"));
              return Reply.ok(rooms.inbox().send(wanted, request.call()).toJson()).status(201);
            });
  }

  private Route pull() {
    Schema body =
        Schema.fields()
            .may("limit", Schema.number("at most so many (default 10)"))
            .may("lease_seconds", Schema.number("come back after so long (default 300)"));
    return Route.of(
            Verb.POST, OF_TERMINAL + "/pull", TAG, "Take a terminal's oldest messages for a while")
        .takes(body, JsonText.object("{\"limit\": 5, \"lease_seconds\": 300}"))
        .gives(
            Schema.fields().needs("messages", Schema.list(Schemas.MESSAGE)),
            JsonObject.of("messages", List.of(TAKEN_EXAMPLE)))
        .by(
            request -> {
              String terminal = terminal(request);
              refuseOthers(request, terminal, "pull for");
              JsonObject asked = request.body();
              List<Message> pulled =
                  rooms.inbox().pull(terminal, limit(asked), lease(asked), request.call());
              return Reply.ok(
                  JsonObject.of("messages", pulled.stream().map(Message::toJson).toList()));
            });
  }

  private static int limit(JsonObject asked) {
    Long limit = asked.numberOrNull("limit");
    // What does not fit a limit is refused by the use case, with its own bounds.
    return limit == null ? PULLED : (int) Math.max(0, Math.min(limit, Integer.MAX_VALUE));
  }

  private static Duration lease(JsonObject asked) {
    Long seconds = asked.numberOrNull("lease_seconds");
    if (seconds == null) return Inbox.LEASE;
    // Before it is a duration: a number of seconds may be too large to be one.
    return Duration.ofSeconds(Math.max(0, Math.min(seconds, Inbox.LEASE_MAX.toSeconds() + 1)));
  }

  private Route ack() {
    return Route.of(Verb.PUT, ONE + "/ack", TAG, "Say that a pulled message arrived")
        .gives(Schemas.MESSAGE, DELIVERED_EXAMPLE.with("acknowledged_before", false))
        .by(
            request -> {
              Message message = own(request, "acknowledge");
              var done =
                  rooms
                      .inbox()
                      .acknowledge(message.receiver(), List.of(message.id()), request.call());
              return Reply.ok(
                  rooms
                      .inbox()
                      .show(message.id())
                      .toJson()
                      .with("acknowledged_before", done.now().isEmpty()));
            });
  }

  private Route fail() {
    return Route.of(Verb.PUT, ONE + "/fail", TAG, "Say that a message cannot be delivered")
        .takes(
            Schema.fields().needs("reason", Schema.text("why; its sender is told")),
            JsonText.object("{\"reason\": \"it is for another project\"}"))
        .gives(Schemas.MESSAGE, FAILED_EXAMPLE)
        .by(
            request -> {
              Message message = own(request, "fail");
              String reason = request.body().text("reason");
              return Reply.ok(rooms.inbox().fail(message.id(), reason, request.call()).toJson());
            });
  }

  private Message own(Request request, String what) {
    Message message = rooms.inbox().show(number("a number of a message", request.path("message")));
    refuseOthers(request, message.receiver(), what + " messages for");
    return message;
  }

  private static void refuseOthers(Request request, String terminal, String what) {
    if (request.caller().role() != Role.AGENT) return;
    String own = request.caller().actor().name();
    if (terminal.equals(own)) return;
    throw DoorRefusal.forbidden(
        Phrase.of("this token is bound to the terminal %s; it cannot %s %s", own, what, terminal));
  }
}
