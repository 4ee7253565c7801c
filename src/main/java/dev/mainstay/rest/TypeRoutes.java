package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.TaskTypeRule;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import java.util.List;

/** {@code /task-types}: what tasks of a type must show before they count as done. */
final class TypeRoutes {
  private static final String TAG = "task types";
  private static final String PATH = "/task-types/{type}";

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"task_type": "CODE", "requires": ["tests"], "version": 1,
           "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;

  private TypeRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    TypeRoutes routes = new TypeRoutes(rooms);
    return List.of(routes.list(), routes.show(), routes.require());
  }

  private static TaskType type(Request request) {
    return new TaskType(request.path("type"));
  }

  private Route list() {
    return Route.get("/task-types", TAG, "The types of task that somebody said something about")
        .gives(Schemas.listOf(Schemas.TASK_TYPE), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              var all = rooms.taskTypes().list().stream().map(TaskTypeRule::toJson).toList();
              return Reply.page(request, all, null);
            });
  }

  private Route show() {
    return Route.get(PATH, TAG, "What tasks of a type must show before they are completed")
        .gives(Schemas.TASK_TYPE, EXAMPLE)
        .by(request -> Reply.ok(rooms.taskTypes().show(type(request)).toJson()));
  }

  private Route require() {
    Schema body =
        Schema.fields()
            .needs(
                "requires",
                Schema.list(Schema.text("tests, or a command in so many words; none: nothing")));
    return Route.of(Verb.PUT, PATH, TAG, "Say what tasks of a type must show from now on")
        .only(Role.PERSON)
        .takes(body, JsonText.object("{\"requires\": [\"tests\"]}"))
        .gives(Schemas.TASK_TYPE, EXAMPLE)
        .by(
            request -> {
              List<String> kinds = request.body().texts("requires");
              var rule = rooms.taskTypes().require(type(request), kinds, request.call());
              return Reply.ok(rule.toJson());
            });
  }
}
