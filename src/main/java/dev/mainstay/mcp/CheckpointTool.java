package dev.mainstay.mcp;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Times;
import dev.mainstay.render.Neutral;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Receipt;
import java.util.List;
import java.util.stream.Collectors;

/** {@code checkpoint}: a named place in what is known of the task, to come back to. */
final class CheckpointTool implements Offered {
  private final Rooms rooms;

  CheckpointTool(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "checkpoint";
  }

  @Override
  public String description() {
    return "Name the present state of your notes and plan before something risky, or go back to it."
        + " Files stay as they are.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of("action"),
        "action",
        Schemas.choice("save", "list", "restore"),
        "name",
        Schemas.text(Checkpoint.NAME_CHARS_MAX));
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    TaskId id = visit.task(arguments);
    String name = arguments.textOrNull("name");
    return switch (arguments.text("action")) {
      case "save" -> saved(visit, id, arguments);
      case "list" -> Reply.text(listed(rooms, id));
      default -> {
        if (name == null) throw Refusal.invalid("restore needs the \"name\" of a checkpoint");
        yield restored(visit, id, name);
      }
    };
  }

  private Reply saved(Visit visit, TaskId id, JsonObject arguments) {
    Checkpoint saved =
        rooms.checkpoints().save(id, arguments.textOrNull("name"), visit.callFor(id, "save"));
    return Reply.told(
        Phrase.of("checkpoint \"%s\" of %s is saved.", Neutral.line(saved.name()), id),
        JsonObject.of("name", saved.name(), "number", saved.number()));
  }

  private Reply restored(Visit visit, TaskId id, String name) {
    Receipt receipt =
        rooms.checkpoints().restore(id, new Moment(name), visit.callFor(id, "restore"));
    return Reply.text(
        receipt.isChange()
            ? Phrase.of(
                "%s knows again what it knew at \"%s\"; what came after is in recall journal:%s."
                    + " Call state.",
                id, Neutral.line(name), id)
            : Phrase.of("nothing changed: %s is as it was at \"%s\".", id, Neutral.line(name)));
  }

  /** All checkpoints of a task, oldest first. */
  static String listed(Rooms rooms, TaskId id) {
    List<Checkpoint> all = rooms.checkpoints().list(id);
    if (all.isEmpty()) return Phrase.of("%s has no checkpoint yet.", id);
    return all.stream()
        .map(
            each ->
                Phrase.of(
                    "%s (entry %d, %s)",
                    Neutral.line(each.name()), each.number(), Times.write(each.createdAt())))
        .collect(Collectors.joining("\n"));
  }
}
