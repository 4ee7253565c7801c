package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.workspace.Reservations;
import java.util.ArrayList;
import java.util.List;

/** {@code /tasks/ID/reservations}: files that are kept for a task while it is held. */
final class ReservationRoutes {
  private static final String TAG = "workspaces";
  private static final String PATH = "/tasks/{id}/reservations";

  private static final Schema RESERVATION =
      Schema.fields()
          .needs("workspace", Schema.text("where"))
          .needs("pattern", Schema.text("a path, a folder or a glob"))
          .needs("task", Schema.text("the task it is kept for"))
          .needs("fence", Schema.number("the claim with which it ends"))
          .needs("holder", Schema.text("who holds the task"));

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"workspace": "w-0a1b2c3d4e5f", "pattern": "src/login", "task": "T-001", "fence": 1,
           "holder": "coder-1"}""");

  private final Rooms rooms;
  private final KnownFolders folders;

  private ReservationRoutes(Rooms rooms) {
    this.rooms = rooms;
    this.folders = new KnownFolders(rooms);
  }

  static List<Route> of(Rooms rooms) {
    ReservationRoutes routes = new ReservationRoutes(rooms);
    return List.of(routes.list(), routes.reserve(), routes.release());
  }

  private static JsonObject json(Reservation reservation, String workspace) {
    return Reservations.json(reservation).with("workspace", workspace);
  }

  private static Route answering(Route route) {
    return route.gives(Schemas.listOf(RESERVATION), Schemas.listExample(EXAMPLE));
  }

  private Route list() {
    return answering(Route.get(PATH, TAG, "What is kept for a task in the folders of this host"))
        .by(
            request -> {
              TaskId task = rooms.tasks().show(request.task()).id();
              List<JsonObject> all = new ArrayList<>();
              for (Workspace each : folders.present()) {
                rooms.reservations(KnownFolders.folder(each)).list().stream()
                    .filter(reservation -> reservation.task().equals(task))
                    .forEach(reservation -> all.add(json(reservation, each.id())));
              }
              return Reply.page(request, all, null);
            });
  }

  private Route reserve() {
    Schema body =
        Schema.fields()
            .needs("workspace", Schema.text("where"))
            .needs("patterns", Schema.list(Schema.text("a path, a folder or a glob")));
    return answering(Route.of(Verb.POST, PATH, TAG, "Keep files for a task that is held"))
        .takes(
            body,
            JsonText.object("{\"workspace\": \"w-0a1b2c3d4e5f\", \"patterns\": [\"src/login\"]}"))
        .by(
            request -> {
              JsonObject asked = request.body();
              String workspace = asked.text("workspace");
              List<String> patterns = asked.texts("patterns");
              if (patterns.isEmpty()) throw Refusal.invalid("name at least one pattern");
              var made =
                  rooms
                      .reservations(folders.of(workspace))
                      .reserve(request.task(), patterns, request.call());
              return Reply.page(
                  request, made.stream().map(each -> json(each, workspace)).toList(), null);
            });
  }

  private Route release() {
    return Route.of(Verb.DELETE, PATH, TAG, "Give files back before the lease ends")
        .query("workspace", Schema.text("where"))
        .query("pattern", Schema.text("as it was reserved"))
        .gives(
            Schema.fields().needs("success", Schema.truth("always; else it is a problem")),
            JsonText.object("{\"success\": true}"))
        .by(
            request -> {
              String pattern = needed(request, "pattern");
              rooms
                  .reservations(folders.of(needed(request, "workspace")))
                  .release(request.task(), pattern, request.call());
              return Reply.ok(JsonObject.of("success", true));
            });
  }

  private static String needed(Request request, String name) {
    String given = request.query(name);
    if (given != null) return given;
    throw Refusal.invalid(Phrase.of("name the %s, as in ?%s=...", name, name));
  }
}
