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
}
