package dev.mainstay.rest;

import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.WorkflowExecution;
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
        routes
            .route("/journal", "What happened, oldest first")
            .by(request -> routes.page(request, null)),
        routes
            .route("/tasks/{id}/journal", "What happened to a task, oldest first")
            .by(
                request -> {
                  rooms.tasks().show(request.task()); // an unknown one is said to be
                  return routes.page(request, request.task().stream());
                }),
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

  private Reply page(Request request, @Nullable String stream) {
    String cursor = request.query("cursor");
    Position from = cursor == null ? Position.BEGINNING : Position.parse(cursor);
    List<Placed> found = rooms.journal().after(from, stream, request.limit());
    boolean full = found.size() == request.limit();
    String next = full ? found.get(found.size() - 1).position().toString() : null;
    return Reply.page(
        request,
        found.stream().map(each -> EntryJson.write(each.entry(), each.position())).toList(),
        next);
  }
}
