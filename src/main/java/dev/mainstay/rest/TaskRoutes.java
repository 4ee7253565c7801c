package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.TaskType;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.TaskFields;
import dev.mainstay.queue.Tasks;
import dev.mainstay.rest.Route.Verb;
import java.util.List;

/** {@code /tasks}: make tasks, look at them, change and cancel them. */
final class TaskRoutes {
  private static final String TAG = "tasks";
  private final Rooms rooms;

  private TaskRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    TaskRoutes routes = new TaskRoutes(rooms);
    return List.of(
        routes.create(),
        routes.list(),
        routes.ready(),
        routes.show(),
        routes.update(),
        routes.cancel());
  }

  /** Fields that can be given and changed. */
  private static Schema brief(Schema titled) {
    return titled
        .may("description", Schema.text("the whole specification"))
        .may("task_type", Schema.text("CODE (default), REVIEW, TEST, ANALYZE or another"))
        .may("priority", Schema.number("higher is more urgent (default 0)"))
        .may("metadata", Schema.open("whatever else is known"));
  }

  private Route create() {
    Schema body =
        brief(Schema.fields().needs("title", Schema.text("what is to be done, in one line")))
            .may("dependencies", Schema.list(Schema.text("a task that must be completed first")))
            .may("parent_id", Schema.text("the task this one is a part of"))
            .may("workflow_id", Schema.text("the workflow it belongs to"))
            .may("dependency_kinds", Schema.open("by task: blocks, after-failure or after-any"))
            .may("alias", Schema.text("a name of your own, unique, to use in place of the id"))
            .may("terms", Schemas.TERMS);
    return Route.of(Verb.POST, "/tasks", TAG, "Make a task")
        .takes(body, JsonText.object("{\"title\": \"Add login\", \"priority\": 5}"))
        .gives(201, Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              Task made =
                  rooms
                      .tasks()
                      .create(TaskFields.read(request.body(), request::task), request.call());
              return Reply.task(made).status(201).with("Location", "/tasks/" + made.id());
            });
  }

  private Route list() {
    return Route.get("/tasks", TAG, "Tasks in the order they were made, or in another")
        .query("status", Schema.text("only tasks that stand so, such as READY,FAILED"))
        .query("type", Schema.text("only tasks of this type"))
        .query("parent", Schema.text("only parts of this task"))
        .query("workflow", Schema.text("only tasks of this workflow"))
        .query("search", Schema.text("only tasks with each of these words in their text or id"))
        .query(
            "order",
            Schema.oneOf(
                "oldest first by default; open puts held tasks first and ended ones last",
                "oldest",
                "newest",
                "urgent",
                "open"))
        .paged()
        .gives(Schemas.listOf(Schemas.TASK), Schemas.listExample(Schemas.TASK_EXAMPLE))
        .by(
            request -> {
              TaskOrder order = TaskOrder.parse(request.query("order"), TaskOrder.OLDEST);
              Tasks.Page page =
                  rooms
                      .tasks()
                      .list(filter(request), order, request.query("cursor"), request.limit());
              return Reply.page(request, json(page.tasks()), page.next());
            });
  }

  static TaskFilter filter(Request request) {
    String type = request.query("type");
    String parent = request.query("parent");
    return new TaskFilter(
            null,
            type == null ? null : new TaskType(type),
            parent == null ? null : request.task(parent),
            request.query("workflow"))
        .standing(request.query("status"))
        .saying(request.query("search"));
  }

  static List<JsonObject> json(List<Task> tasks) {
    return tasks.stream().map(TaskJson::write).toList();
  }

  private Route ready() {
    return Route.get("/tasks/ready", TAG, "Tasks that can be begun now, most urgent first")
        .query("type", Schema.text("only tasks of this type"))
        .query("limit", Schema.number("at most so many"))
        .gives(Schemas.listOf(Schemas.TASK), Schemas.listExample(Schemas.TASK_EXAMPLE))
        .by(
            request -> {
              String type = request.query("type");
              TaskType wanted = type == null ? null : new TaskType(type);
              return Reply.page(request, json(rooms.tasks().ready(wanted, request.limit())), null);
            });
  }

  private Route show() {
    return Route.get("/tasks/{id}", TAG, "One task")
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(request -> Reply.task(rooms.tasks().show(request.task())));
  }

  private Route update() {
    return Route.of(Verb.PATCH, "/tasks/{id}", TAG, "Change fields of a task")
        .takes(
            brief(Schema.fields().may("title", Schema.text("another title"))),
            JsonText.object("{\"priority\": 9}"))
        .matching()
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(request -> Reply.task(updated(request)));
  }

  /** Whether the version was to blame is asked afterwards, so that a repeated key is answered. */
  private Task updated(Request request) {
    Long expected = request.expectedVersion();
    JsonObject changes = request.body();
    if (changes.isEmpty()) throw Refusal.invalid("nothing to change; name a field");
    try {
      return rooms.tasks().update(request.task(), changes, expected, request.call());
    } catch (Refusal refused) {
      boolean other =
          expected != null
              && refused.code() == Refusal.Code.CONFLICT
              && rooms.tasks().show(request.task()).stamps().version() != expected;
      if (other) throw DoorRefusal.changed(refused.sentence());
      throw refused;
    }
  }

  private Route cancel() {
    return Route.of(
            Verb.DELETE, "/tasks/{id}", TAG, "Cancel a task and what cannot start without it")
        .query("reason", Schema.text("why; kept with the task"))
        .gives(Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              String reason = request.query("reason");
              String why = reason == null ? "" : reason;
              return Reply.task(rooms.tasks().cancel(request.task(), why, request.call()));
            });
  }
}
