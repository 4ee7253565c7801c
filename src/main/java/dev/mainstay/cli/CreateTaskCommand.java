package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Terms;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.TaskFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay task create}: a new task from flags, a file or both. */
@CommandLine.Command(
    name = "create",
    description = "Make a task. It is ready at once unless it waits for others.",
    footer = {
      "",
      "Example:",
      "  mainstay task create \"Add login\" --type CODE --priority 5 --depends-on T-001,T-002"
    })
final class CreateTaskCommand extends Command.Writing {
  @Parameters(arity = "0..1", paramLabel = "TITLE", description = "what is to be done, in one line")
  @Nullable String title;

  @Option(
      names = "--description",
      paramLabel = "TEXT",
      description = "the whole specification; - reads it from standard input")
  @Nullable String description;

  @Option(
      names = "--type",
      paramLabel = "CODE",
      description = "CODE (default), REVIEW, TEST, ANALYZE or a name of your own")
  @Nullable String type;

  @Option(names = "--priority", paramLabel = "N", description = "higher is more urgent (default 0)")
  @Nullable Integer priority;

  @Option(
      names = "--depends-on",
      split = ",",
      paramLabel = "T-001",
      description = "tasks that must be completed first")
  List<String> dependsOn = new ArrayList<>();

  @Option(names = "--parent", paramLabel = "T-001", description = "the task this one is a part of")
  @Nullable String parent;

  @Option(
      names = "--workflow",
      paramLabel = "ID",
      description = "the workflow this task belongs to")
  @Nullable String workflow;

  @Option(
      names = "--alias",
      paramLabel = "NAME",
      description = "a name of your own, unique in this store, to be used in place of the id")
  @Nullable String alias;

  @Option(
      names = "--metadata",
      paramLabel = "JSON",
      description = "a JSON object with whatever else is known")
  @Nullable String metadata;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "read the fields from a JSON file; - reads standard input")
  @Nullable String from;

  @CommandLine.Mixin final TermsOptions terms = new TermsOptions();

  CreateTaskCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    JsonObject fields =
        from == null ? JsonObject.EMPTY : JsonText.object(session.input("the task", from));
    NewTask wanted = TaskFields.read(withFlags(fields), name -> session.task(db, name));
    Task task = session.with(db, house -> house.tasks().create(wanted, caller()));
    String waits = task.links().unmet() == 0 ? "ready" : "waits for " + task.links().unmet();
    return TaskCommands.show(
        this, task, Phrase.of("%s  %s (%s)", task.id(), Printable.line(task.title()), waits));
  }

  private @Nullable JsonObject terms(JsonObject fields) {
    JsonObject given = terms.over(Terms.fromJson(fields.object("terms"))).toJson();
    return given.isEmpty() ? null : given;
  }

  private JsonObject withFlags(JsonObject fields) {
    String text = session.textOrInput("the description", description);
    return fields
        .with("title", title)
        .with("description", text)
        .with("task_type", type)
        .with("priority", priority)
        .with("dependencies", dependsOn.isEmpty() ? null : dependsOn)
        .with("parent_id", parent)
        .with("workflow_id", workflow)
        .with("alias", alias)
        .with("terms", terms(fields))
        .with("metadata", metadata == null ? null : JsonText.object(metadata));
  }
}
