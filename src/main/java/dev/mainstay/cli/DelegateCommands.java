package dev.mainstay.cli;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.TaskFields;
import dev.mainstay.terminal.DelegationView;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.NewDelegation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay delegate ...}: let agents of a profile do something. */
final class DelegateCommands {
  private DelegateCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Assign(session))
        .addSubcommand(new Handoff(session))
        .addSubcommand(new ListAll(session));
  }

  @CommandLine.Command(
      name = "delegate",
      synopsisSubcommandLabel = "COMMAND",
      description = "Let an agent of a profile do something, in a free terminal or a new one.",
      footer = {
        "",
        "Example:",
        "  mainstay delegate assign --to developer \"Add logout\" --worktree",
        "  mainstay delegate handoff --to reviewer \"Review T-001\" --timeout 30m"
      })
  private static final class Noun extends Command.Noun {}

  /** What is wanted done, and by whom. */
  private abstract static class Wanting extends Command.Writing {
    @Parameters(
        arity = "0..1",
        paramLabel = "TITLE",
        description = "what is to be done, in one line")
    @Nullable String title;

    @Option(
        names = "--to",
        required = true,
        paramLabel = "PROFILE",
        description = "the profile of the agent; 'mainstay profile list' shows them")
    String profile;

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

    @Option(
        names = "--priority",
        paramLabel = "N",
        description = "higher is more urgent (default 0)")
    @Nullable Integer priority;

    @Option(
        names = "--parent",
        paramLabel = "T-001",
        description = "the task this one is a part of")
    @Nullable String parent;

    @Option(
        names = "--provider",
        paramLabel = "NAME",
        description = "what the agent runs on (default: its profile's)")
    @Nullable String provider;

    @Option(
        names = "--session",
        paramLabel = "NAME",
        description = "the session of its window (default: your own, or mainstay)")
    @Nullable String tmuxSession;

    @Option(
        names = "--worktree",
        description = "in a git worktree of its own; its branch and diff become artifacts")
    boolean worktree;

    @Option(
        names = "--task",
        paramLabel = "T-001",
        description = "a task that is there, in place of a new one")
    @Nullable String task;

    Wanting(Session session) {
      super(session);
    }

    NewDelegation wanted() {
      NewDelegation begun;
      if (task == null) {
        begun =
            NewDelegation.of(TaskFields.read(fields(), name -> session.task(db, name)), profile);
      } else {
        if (!fields().isEmpty()) {
          throw Refusal.invalid(
              Phrase.of(
                  "%s has a title and all else already; 'mainstay task update' changes them",
                  task));
        }
        begun = NewDelegation.of(session.task(db, task), profile);
      }
      return begun.on(provider).in(tmuxSession, session.services().workDir()).apart(worktree);
    }

    private JsonObject fields() {
      return JsonObject.EMPTY
          .with("title", title)
          .with("description", session.textOrInput("the description", description))
          .with("task_type", type)
          .with("priority", priority)
          .with("parent_id", parent);
    }

    /** Noted first; if it cannot be given from here, a server does so. */
    Delegation assigned(House house) {
      NewDelegation wanted = wanted();
      Delegation noted = house.delegations().assign(wanted, caller());
      served(house);
      return noted;
    }

    void served(House house) {
      try {
        house.delegations().serve();
      } catch (Refusal refused) {
        session.note("not all that waits could be looked at: " + refused.sentence());
      }
    }
  }

  @CommandLine.Command(
      name = "assign",
      description =
          "Note what is to be done and return at once; the result comes as a message when it is over.",
      footer = {
        "",
        "Example:",
        "  mainstay delegate assign --to developer \"Add logout\" --worktree",
        "  mainstay delegate assign --to developer --task T-001"
      })
  private static final class Assign extends Wanting {
    Assign(Session session) {
      super(session);
    }

    @Override
    int run() {
      DelegationView view =
          session.with(db, house -> house.delegations().show(assigned(house).task()));
      if (json) session.json(view.toJson());
      else session.print(Printable.line(view.line()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "handoff",
      description = "The same, and wait for the result.",
      footer = {
        "",
        "Example:",
        "  mainstay delegate handoff --to reviewer \"Review T-001\" --timeout 30m"
      })
  private static final class Handoff extends Wanting {
    @Option(
        names = "--timeout",
        paramLabel = "30m",
        defaultValue = "30m",
        description = "how long to wait; the work goes on after it (default ${DEFAULT-VALUE})")
    String timeout;

    Handoff(Session session) {
      super(session);
    }

    @Override
    int run() {
      var atMost = LeaseCommands.length("a timeout", timeout);
      DelegationView last =
          session.with(
              db,
              house -> {
                TaskId id = assigned(house).task();
                DelegationView seen =
                    house
                        .delegations()
                        .await(id, atMost, view -> session.note(Printable.line(view.line())));
                if (seen.isOver()) served(house); // branch and diff are there before the answer is
                return seen;
              });
      if (json) session.json(last.toJson());
      else if (last.isCompleted()) session.print(Printable.text(JsonText.write(last.result())));
      if (last.isCompleted()) return ExitCodes.OK;
      TaskId id = last.task().id();
      session.note(
          "mainstay: "
              + (last.isOver()
                  ? Phrase.of("%s is %s: %s", id, last.task().status(), Printable.line(why(last)))
                  : Delegations.goesOn(id)));
      return ExitCodes.REFUSED;
    }

    private static String why(DelegationView over) {
      String error = over.error();
      return error == null ? "no reason was given" : error;
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List what is delegated and not reported yet.",
      footer = {"", "Example:", "  mainstay delegate list --all"})
  private static final class ListAll extends Command {
    @Option(names = "--all", description = "those that were reported as well")
    boolean all;

    @Option(names = "--after", paramLabel = "T-001", description = "go on after this task")
    @Nullable String after;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      long from = after == null ? 0 : TaskId.parse(after).number();
      List<DelegationView> found =
          session.withExisting(
              db, house -> house.delegations().views(!all, from, Delegations.PAGE_MAX));
      if (json) {
        session.json(JsonObject.of("delegations", found.stream().map(ListAll::toJson).toList()));
      } else if (found.isEmpty()) {
        session.note("nothing is delegated; --all shows what was reported");
      } else {
        session.print(table(found));
      }
      if (found.size() == Delegations.PAGE_MAX) {
        String last = found.get(found.size() - 1).task().id().value();
        session.note("there may be more: --after " + last);
      }
      return ExitCodes.OK;
    }

    private static JsonObject toJson(DelegationView view) {
      return view.delegation().toJson().with("waits_for", view.waitsFor());
    }

    private List<String> table(List<DelegationView> found) {
      Table table =
          new Table(session.columns(), "TASK", "STATUS", "PROFILE", "TERMINAL", "BY", "WHY");
      for (DelegationView view : found) {
        Delegation each = view.delegation();
        String terminal = each.standing().terminal();
        String reason = view.waitsFor();
        table.row(
            each.task().value(),
            each.status().name(),
            each.wish().profile(),
            terminal == null ? "-" : Printable.line(terminal),
            Printable.line(each.caller()),
            reason == null ? "-" : Printable.line(reason));
      }
      return table.lines();
    }
  }
}
