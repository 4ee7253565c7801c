package dev.mainstay.domain;

import dev.mainstay.domain.RepoState.OpenTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool's result means for a workspace. The paths are spelt as the agent's host gave them,
 * absolute or relative; with {@link Effect#DISK} they are only those known to be among the changed.
 */
public record ToolMeaning(
    Effect effect, List<String> paths, List<OpenTask> tasks, @Nullable CommandSeen command) {
  public static final ToolMeaning NOTHING =
      new ToolMeaning(Effect.NOTHING, List.of(), List.of(), null);

  /** What is to be done about it. */
  public enum Effect {
    /** The tool failed, only read, or found its work done already. */
    NOTHING,
    /** These paths are to be looked at. */
    FILES,
    /** Anything may have changed: look at everything. */
    DISK,
    /** The agent gave its whole task list, perhaps an empty one. */
    TASKS
  }

  /** A command that ran; without an exit code when the host does not say how it ended. */
  public record CommandSeen(String command, @Nullable Integer exitCode) {}

  public ToolMeaning {
    paths = List.copyOf(paths);
    tasks = List.copyOf(tasks);
  }

  /** The same of an agent that works in this folder, from which it spells what is not absolute. */
  public ToolMeaning from(String folder) {
    List<String> spelt =
        paths.stream().map(each -> each.startsWith("/") ? each : folder + "/" + each).toList();
    return new ToolMeaning(effect, spelt, tasks, command);
  }

  /** As it waits to be looked at. */
  public JsonObject toJson() {
    return JsonObject.of("effect", effect, "paths", paths)
        .with("tasks", tasks.stream().map(OpenTask::toJson).toList())
        .with("command", command == null ? null : command.command())
        .with("exit_code", command == null ? null : command.exitCode());
  }

  public static ToolMeaning fromJson(JsonObject json) {
    String ran = json.textOrNull("command");
    Integer exit = json.integerOrNull("exit_code");
    return new ToolMeaning(
        Effect.valueOf(json.text("effect")),
        json.texts("paths"),
        json.objects("tasks").stream().map(OpenTask::fromJson).toList(),
        ran == null ? null : new CommandSeen(ran, exit));
  }
}
