package dev.mainstay.rest;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.state.Moment;
import java.util.List;

/** {@code /tasks/ID/checkpoints}: name a place in a task's history, go back to it, fork it. */
final class CheckpointRoutes {
  private static final String TAG = "checkpoints";
  private static final String PATH = "/tasks/{id}/checkpoints";

  private static final Schema CHECKPOINT =
      Schema.fields()
          .needs("name", Schema.text("what it is called"))
          .needs("number", Schema.number("the entry of the task's journal"));

  private final Rooms rooms;

  private CheckpointRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    CheckpointRoutes routes = new CheckpointRoutes(rooms);
    return List.of(routes.list(), routes.save(), routes.restore(), routes.fork());
  }

  private static Object example() {
    return JsonText.object("{\"name\": \"before-refactoring\", \"number\": 7}");
  }

  private Route list() {
    return Route.get(PATH, TAG, "The checkpoints of a task, oldest first")
        .gives(Schemas.listOf(CHECKPOINT), Schemas.listExample(example()))
        .by(
            request -> {
              var all = rooms.checkpoints().list(request.task());
              return Reply.page(request, all.stream().map(Checkpoint::toJson).toList(), null);
            });
  }

  private Route save() {
    return Route.of(Verb.POST, PATH, TAG, "Name the present place; this keeps no copy")
        .takes(
            Schema.fields().may("name", Schema.text("its name (default: after its entry)")),
            JsonText.object("{\"name\": \"before-the-release\"}"))
        .gives(201, CHECKPOINT, example())
        .by(
            request -> {
              String name = request.body().textOrNull("name");
              Checkpoint saved = rooms.checkpoints().save(request.task(), name, request.call());
              return Reply.ok(saved.toJson()).status(201);
            });
  }

  private Route restore() {
    return PlanRoutes.receipt(
            Verb.POST, PATH + "/{name}/restore", TAG, "Go back to what was known there")
        .by(
            request ->
                PlanRoutes.reply(
                    rooms
                        .checkpoints()
                        .restore(
                            request.task(), new Moment(request.path("name")), request.call())));
  }

  private Route fork() {
    return Route.of(Verb.POST, PATH + "/{name}/fork", TAG, "Make a task that knows what was known")
        .takes(
            Schema.fields().may("title", Schema.text("another title for the new task")),
            JsonText.object("{\"title\": \"Add login, another way\"}"))
        .gives(201, Schemas.TASK, Schemas.TASK_EXAMPLE)
        .by(
            request -> {
              String title = request.body().textOrNull("title");
              Moment moment = new Moment(request.path("name"));
              var made = rooms.checkpoints().fork(request.task(), moment, title, request.call());
              return Reply.task(made).status(201).with("Location", "/tasks/" + made.id());
            });
  }
}
