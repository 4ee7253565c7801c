package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.TaskFields;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** {@code create_task}: work for oneself or for whoever comes. */
final class CreateTaskTool implements Offered {
  private final Rooms rooms;

  CreateTaskTool(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "create_task";
  }

  @Override
  public String description() {
    return "Make a task for whoever claims it, or with begin for yourself, now.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of("title"),
        "title",
        Schemas.text(Task.TITLE_CHARS_MAX),
        "description",
        Schemas.text(),
        "type",
        Schemas.said("CODE (default), REVIEW, TEST, ANALYZE or another", Schemas.text()),
        "priority",
        Schemas.said("higher is more urgent", Schemas.number()),
        "depends_on",
        Schemas.said("task ids", Schemas.list(Schemas.text())),
        "parent",
        Schemas.text(),
        "alias",
        Schemas.text(),
        "begin",
        Schemas.flag());
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  /** The fields as every door names them. */
  static NewTask wanted(JsonObject arguments, Function<String, TaskId> tasks) {
    return TaskFields.read(
        JsonObject.EMPTY
            .with("title", arguments.get("title"))
            .with("description", arguments.get("description"))
            .with("task_type", arguments.get("type"))
            .with("priority", arguments.get("priority"))
            .with("dependencies", arguments.get("depends_on"))
            .with("parent_id", arguments.get("parent"))
            .with("alias", arguments.get("alias")),
        tasks);
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    NewTask wanted = wanted(arguments, rooms.tasks()::resolve);
    TaskId parent = wanted.parent();
    Call call = parent == null ? visit.call("create") : visit.callFor(parent, "create");
    Task made = rooms.tasks().create(wanted, call);
    boolean begin = Boolean.TRUE.equals(arguments.get("begin"));
    String what = begin ? begun(visit, made) : "made; next_task claims it when its turn comes";
    if (!begin && !made.isReady()) what = "made, " + made.links().waiting().shown();
    Task now = rooms.tasks().show(made.id());
    return Reply.told(
        Phrase.of("%s %s.", made.id(), what),
        JsonObject.of("task_id", made.id().value(), "status", now.status()));
  }

  /** Begins it, unless something else is in hand or it is not its turn. */
  private String begun(Visit visit, Task made) {
    Optional<Task> held = visit.current().filter(visit::holds);
    if (held.isPresent() && !held.get().id().equals(made.id())) {
      return Phrase.of(
          "made and not begun, as you hold %s; finish_task ends that first", held.get().id());
    }
    if (!made.isReady()) return "made and not begun: it is " + made.links().waiting().shown();
    visit.work(made.id(), "work");
    return "made and begun: you hold it; write the plan down with update";
  }
}
