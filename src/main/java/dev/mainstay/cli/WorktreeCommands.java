package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.Worktrees;
import dev.mainstay.workspace.Worktrees.Worktree;
import java.util.List;
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

    static JsonObject json(Worktree worktree) {
      return JsonObject.of("name", worktree.name(), "folder", worktree.folder().toString())
          .with("branch", worktree.branch());
    }

    void show(Worktree worktree) {
      session.print(
          Printable.line(
              Phrase.of("%s  %s  %s", worktree.name(), worktree.branch(), worktree.folder())));
    }

    /** Git's own words name no command of ours; what to do is said before them. */
    static Refusal explained(Refusal refused, String advice) {
      if (refused.code() != Refusal.Code.CONFLICT) return refused;
      String git = refused.sentence().replace(", use --force to delete it", "");
      return Refusal.conflict(advice + " (" + git + ")");
    }
  }

  @CommandLine.Command(
      name = "add",
      description = "Make a worktree on a branch of its own, or show the one there is.",
      footer = {"", "Example:", "  mainstay repo worktree add coder-1 --from main"})
  private static final class Add extends OfRepository {
    @Parameters(index = "0", paramLabel = "NAME", description = "whose it is")
    String name;

    @Option(
        names = "--from",
        paramLabel = "COMMIT",
        description = "where a new branch begins (default: HEAD)")
    @Nullable String from;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      Worktree made = added();
      if (json) session.json(json(made));
      else show(made);
      return ExitCodes.OK;
    }

    private Worktree added() {
      try {
        return worktrees().add(name, from);
      } catch (Refusal refused) {
        String advice =
            from == null
                ? Phrase.of(
                    "the worktree %s was not made; the repository needs a first commit, and its place must be free",
                    name)
                : Phrase.of(
                    "the worktree %s was not made; --from names a branch or commit that is there",
                    name);
        throw explained(refused, advice);
      }
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
      List<Worktree> all = worktrees().list();
      if (json) {
        session.json(JsonObject.of("worktrees", all.stream().map(OfRepository::json).toList()));
        return ExitCodes.OK;
      }
      if (all.isEmpty()) session.note("no worktrees; 'mainstay repo worktree add NAME' makes one");
      all.forEach(this::show);
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
      try {
        worktrees().remove(name);
      } catch (Refusal refused) {
        throw explained(
            refused,
            Phrase.of(
                "the worktree %s stays; commit or delete what changed in it, then remove it again",
                name));
      }
      if (json) session.json(JsonObject.of("success", true));
      else session.print(Phrase.of("the worktree %s is gone; its branch stays", name));
      return ExitCodes.OK;
    }
  }
}
