package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.workspace.Worktrees;
import dev.mainstay.workspace.Worktrees.Worktree;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay repo worktree ...}: a worktree of its own for an agent. */
final class WorktreeCommands {
  private WorktreeCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Add(session))
        .addSubcommand(new Show(session))
        .addSubcommand(new Remove(session));
  }

  @CommandLine.Command(
      name = "worktree",
      synopsisSubcommandLabel = "COMMAND",
      description = "A git worktree of its own for each agent; all of them share one store.",
      footer = {"", "Example:", "  mainstay repo worktree add coder-1"})
  private static final class Noun extends Command.Noun {}

  /** Worktrees belong to the repository, not to the store. */
  private abstract static class OfRepository extends Command {
    OfRepository(Session session) {
      super(session);
    }

    Worktrees worktrees() {
      return new Worktrees(session.services().root());
    }

    int show(Worktree worktree) {
      if (json) {
        session.json(
            JsonObject.of("name", worktree.name(), "folder", worktree.folder().toString())
                .with("branch", worktree.branch()));
      } else {
        session.print(
            Printable.line(
                "%s  %s  %s".formatted(worktree.name(), worktree.branch(), worktree.folder())));
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "add",
      description = "Make a worktree on a branch of its own, or show the one there is.",
      footer = {"", "Example:", "  mainstay repo worktree add coder-1 --from main"})
  private static final class Add extends OfRepository {
    @Parameters(index = "0", paramLabel = "NAME", description = "whose it is")
    String name;

    @Option(names = "--from", paramLabel = "COMMIT", description = "where the branch begins")
    @Nullable String from;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      return show(worktrees().add(name, from));
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the worktrees that were made here.",
      footer = {"", "Example:", "  mainstay repo worktree list"})
  private static final class Show extends OfRepository {
    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      worktrees().list().forEach(this::show);
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "remove",
      description = "Take a worktree away; its branch stays, and one with open changes is refused.",
      footer = {"", "Example:", "  mainstay repo worktree remove coder-1"})
  private static final class Remove extends OfRepository {
    @Parameters(index = "0", paramLabel = "NAME", description = "whose it is")
    String name;

    Remove(Session session) {
      super(session);
    }

    @Override
    int run() {
      worktrees().remove(name);
      if (json) session.json(JsonObject.of("success", true));
      else session.print("the worktree %s is gone; its branch stays".formatted(name));
      return ExitCodes.OK;
    }
  }
}
