package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.TaskTypeRule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay task type}: what tasks of a type must show before they count as done. */
@CommandLine.Command(
    name = "type",
    description = "Show or say what tasks of a type must show before they are completed.",
    footer = {
      "",
      "tests are any command that runs tests; a command in so many words can be required as well.",
      "It must have ended with 0, as Mainstay itself saw it, on the files as they are. Only a",
      "person says what is required; 'none' asks for nothing any more.",
      "",
      "Example:",
      "  mainstay task type CODE --requires tests",
      "  mainstay task type CODE --requires 'mvn -B verify'",
      "  mainstay task type"
    })
final class TaskTypeCommand extends Command {
  @Parameters(arity = "0..1", paramLabel = "TYPE", description = "the type (default: show all)")
  @Nullable String type;

  @Option(
      names = "--requires",
      split = ",",
      paramLabel = "KIND",
      description = "tests, a whole command, or none; can be given several times")
  @Nullable List<String> requires;

  @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
  @Nullable String key;

  TaskTypeCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    List<TaskTypeRule> rules = session.withExisting(db, this::rules);
    if (json) {
      session.json(JsonObject.of("task_types", rules.stream().map(TaskTypeRule::toJson).toList()));
    } else if (rules.isEmpty()) {
      session.note("no type of task requires anything");
    }
    for (TaskTypeRule each : json ? List.<TaskTypeRule>of() : rules) {
      String what = each.requires().isEmpty() ? "nothing" : String.join(", ", each.texts());
      session.print(Printable.line(Phrase.of("%s requires %s", each.type(), what)));
    }
    return ExitCodes.OK;
  }

  private List<TaskTypeRule> rules(House house) {
    if (type == null) {
      if (requires != null) throw Refusal.invalid("name the type of task that requires it");
      return house.taskTypes().list();
    }
    TaskType named = new TaskType(type);
    if (requires == null) return List.of(house.taskTypes().show(named));
    List<String> kinds = requires.equals(List.of("none")) ? List.of() : requires;
    return List.of(house.taskTypes().require(named, kinds, session.call(key)));
  }
}
