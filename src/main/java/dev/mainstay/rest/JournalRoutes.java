package dev.mainstay.rest;

import dev.mainstay.domain.JournalFilter;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.upkeep.Journal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /journal}: what happened, in order. */
final class JournalRoutes {
  private static final String TAG = "journal";
  private final Rooms rooms;

  private JournalRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    JournalRoutes routes = new JournalRoutes(rooms);
    return List.of(
        routes.all(),
        routes.ofTask(),
        routes
            .route("/executions/{execution}/journal", "What happened to a workflow, oldest first")
            .by(
                request -> {
                  String id = request.path("execution");
                  rooms.workflowExecutions().show(id); // an unknown one is said to be
                  return routes.page(request, WorkflowExecution.stream(id));
                }));
  }

  private Route route(String path, String summary) {
    return Route.get(path, TAG, summary)
        .paged()
        .gives(Schemas.listOf(Schemas.ENTRY), Schemas.listExample(Schemas.ENTRY_EXAMPLE));
  }

  private Route all() {
    return route("/journal", "What happened, oldest or newest first; a page may be short and go on")
        .query("kind", Schema.text("only this kind, such as task.created, or all of task"))
        .query("actor", Schema.text("only what person:ada did, or every person"))
        .query("stream", Schema.text("only this stream, such as task/T-001, or all of terminal"))
        .query("order", Schema.oneOf("oldest first by default", "oldest", "newest"))
        .by(this::search);
  }

  private Reply search(Request request) {
    var filter =
        new JournalFilter(request.query("stream"), request.query("kind"), request.query("actor"));
    boolean newest = isNewestFirst(request.query("order"));
    String cursor = request.query("cursor");
    Position beginning = newest ? Position.END : Position.BEGINNING;
    Position from = cursor == null ? beginning : Position.parse(cursor);
    Journal.Found found = rooms.journal().search(filter, from, newest, request.limit());
    Position next = found.next();
    return page(request, found.entries(), next == null ? null : next.toString());
  }

  private static boolean isNewestFirst(@Nullable String order) {
    if (order == null || order.equals("oldest")) return false;
    if (order.equals("newest")) return true;
    throw Refusal.invalid(Phrase.of("\"%s\" is no order; oldest and newest are", order));
  }

  private Route ofTask() {
    Schema answer =
        Schemas.listOf(Schemas.ENTRY).may("last", Schema.number("the number of its last entry"));
    return route("/tasks/{id}/journal", "What happened to a task, oldest first")
        .query("from", Schema.number("begin with the entry of this number"))
        .gives(answer, Schemas.listExample(Schemas.ENTRY_EXAMPLE).with("last", 2))
        .by(
            request -> {
              rooms.tasks().show(request.task()); // an unknown one is said to be
              String stream = request.task().stream();
              Integer from = request.queryNumber("from");
              Reply reply = from == null ? page(request, stream) : part(request, stream, from);
              JsonObject body = (JsonObject) reply.body();
              return reply.with(body.with("last", rooms.journal().last(stream)));
            });
  }

  /** Goes on by the cursor of the last entry, as every list does. */
  private Reply part(Request request, String stream, int from) {
    if (request.query("cursor") != null) {
      throw Refusal.invalid("from is where to begin and cursor where to go on; give one of them");
    }
    return page(request, rooms.journal().from(stream, from, request.limit()));
  }

  private Reply page(Request request, @Nullable String stream) {
    String cursor = request.query("cursor");
    Position from = cursor == null ? Position.BEGINNING : Position.parse(cursor);
    return page(request, rooms.journal().after(from, stream, request.limit()));
  }

  private static Reply page(Request request, List<Placed> found) {
    boolean full = found.size() == request.limit();
    return page(request, found, full ? found.get(found.size() - 1).position().toString() : null);
  }

  private static Reply page(Request request, List<Placed> found, @Nullable String next) {
    return Reply.page(
        request,
        found.stream().map(each -> EntryJson.write(each.entry(), each.position())).toList(),
        next);
  }
}
