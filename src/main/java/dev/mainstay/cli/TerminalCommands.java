package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.json.JsonText;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay terminal ...}: terminals and workers, and what they were told. */
final class TerminalCommands {
  private static final String VAR_MEANS =
      "a variable that {{name}} in the initial prompt stands for; can be given several times";

  private TerminalCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new ListAll(session))
        .addSubcommand(new ShowTerminalCommand(session))
        .addSubcommand(new ScreenCommands.Send(session))
        .addSubcommand(new ScreenCommands.Output(session))
        .addSubcommand(new ScreenCommands.Attach(session))
        .addSubcommand(new ScreenCommands.Stop(session))
        .addSubcommand(new ScreenCommands.Restore(session))
        .addSubcommand(new ScreenCommands.Signals(session))
        .addSubcommand(new Register(session))
        .addSubcommand(new State(session))
        .addSubcommand(new Checkpoint(session))
        .addSubcommand(new Prompt(session));
  }

  @CommandLine.Command(
      name = "terminal",
      synopsisSubcommandLabel = "COMMAND",
      description =
          "See terminals and workers, type into them, read them, end them, and say what they begin with.",
      footer = {
        "",
        "'mainstay launch --agents PROFILE' starts one.",
        "",
        "Example:",
        "  mainstay terminal output developer-3fa2c1 --follow",
        "  mainstay terminal register dev-1 --initial-prompt \"You are {{role}}.\" --var role=tester"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "list",
      description = "List the terminals and workers that are known.",
      footer = {"", "Example:", "  mainstay terminal list"})
  private static final class ListAll extends Command {
    @Option(names = "--after", paramLabel = "ID", description = "go on after this one")
    @Nullable String after;

    @Option(names = "--session", paramLabel = "S", description = "those of this session alone")
    @Nullable String wanted;

    @Option(names = "--live", description = "those whose program runs alone")
    boolean live;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Terminal> all =
          session
              .withExisting(
                  db,
                  house -> {
                    house.lookAtTerminals();
                    return house.terminals().list(after, Terminals.PAGE_MAX);
                  })
              .stream()
              .filter(each -> !live || each.isLive())
              .filter(each -> wanted == null || wanted.equals(sessionOf(each)))
              .toList();
      if (json) {
        session.json(JsonObject.of("terminals", all.stream().map(Terminal::toJson).toList()));
      } else if (all.isEmpty()) {
        session.note("there is no such terminal; 'mainstay launch --agents PROFILE' starts one");
      } else {
        Table table =
            new Table(
                session.columns(),
                "ID",
                "STATUS",
                "PROFILE",
                "PROVIDER",
                "SESSION",
                "SINCE",
                "WHY");
        for (Terminal each : all) table.row(row(each));
        session.print(table.lines());
      }
      return ExitCodes.OK;
    }

    private static @Nullable String sessionOf(Terminal terminal) {
      return terminal.seat() == null ? null : terminal.seat().window().session();
    }

    private static String[] row(Terminal each) {
      Seat seat = each.seat();
      return new String[] {
        each.id(),
        seat == null ? "-" : seat.status().name(),
        each.profile() == null ? "-" : each.profile(),
        each.provider(),
        seat == null ? "-" : seat.window().session(),
        TaskText.time(each.since()),
        seat == null || seat.standing().why() == null ? "-" : seat.standing().why()
      };
    }
  }

  /** Commands that change one terminal. */
  private abstract static class WritingOfTerminal extends Command {
    @Parameters(index = "0", paramLabel = "ID", description = "the terminal's id")
    String id;

    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    WritingOfTerminal(Session session) {
      super(session);
    }
  }

  @CommandLine.Command(
      name = "register",
      description = "Make a terminal or worker known, with what it begins with.",
      footer = {
        "",
        "Example:",
        "  mainstay terminal register dev-1 --profile developer \\",
        "    --initial-prompt \"Work on {{task}}.\" --var task=T-001"
      })
  private static final class Register extends WritingOfTerminal {
    @Option(
        names = "--provider",
        paramLabel = "NAME",
        defaultValue = Terminal.EXTERNAL,
        description = "what runs there (default: external)")
    String provider;

    @Option(names = "--profile", paramLabel = "P", description = "the agent profile's name")
    @Nullable String profile;

    @Option(
        names = "--initial-prompt",
        paramLabel = "TEXT",
        description = "what it is told first, in place of its profile's; - reads it")
    @Nullable String prompt;

    @Option(names = "--context", paramLabel = "JSON", description = "its working context")
    @Nullable String context;

    @Option(names = "--var", paramLabel = "K=V", description = VAR_MEANS)
    Map<String, String> variables = Map.of();

    Register(Session session) {
      super(session);
    }

    @Override
    int run() {
      JsonObject told =
          JsonObject.of(
              "context_data",
              context == null ? null : JsonText.object(context),
              "variables",
              variables.isEmpty() ? null : variables,
              "initial_prompt",
              session.textOrInput("the initial prompt", prompt));
      var wanted = new NewTerminal(id, provider, profile, told);
      Terminal made =
          session.with(db, house -> house.terminals().register(wanted, session.call(key)));
      if (json) session.json(made.toJson());
      else session.print(Phrase.of("%s is registered", Printable.line(made.id())));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "state",
      description = "Show what a terminal was told and where it stands, or change it.",
      footer = {
        "",
        "Example:",
        "  mainstay terminal state dev-1",
        "  mainstay terminal state dev-1 --set-context '{\"current_task_id\": \"T-001\"}' --var branch=main"
      })
  private static final class State extends WritingOfTerminal {
    @Option(
        names = "--set-context",
        paramLabel = "JSON",
        description = "the working context from now on")
    @Nullable String context;

    @Option(names = "--var", paramLabel = "K=V", description = VAR_MEANS)
    Map<String, String> variables = Map.of();

    @Option(
        names = "--initial-prompt",
        paramLabel = "TEXT",
        description = "what it is told first; - reads it, an empty text goes back to the profile's")
    @Nullable String prompt;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "change it only if this is still its version")
    @Nullable Long version;

    State(Session session) {
      super(session);
    }

    @Override
    int run() {
      boolean change = context != null || prompt != null || !variables.isEmpty();
      TerminalState state =
          session.withExisting(
              db,
              house -> change ? changed(house.terminalStates()) : house.terminalStates().show(id));
      if (json) session.json(state.toJson());
      else session.print(lines(state));
      return ExitCodes.OK;
    }

    private TerminalState changed(TerminalStates states) {
      JsonObject changes =
          JsonObject.of("context_data", context == null ? null : JsonText.object(context));
      Long expected = version;
      if (!variables.isEmpty()) {
        TerminalState now = states.show(id);
        JsonObject all = now.told().variables();
        for (var each : variables.entrySet()) all = all.with(each.getKey(), each.getValue());
        changes = changes.with("variables", all);
        // The others are written again: without a look at the version they might be older ones.
        if (expected == null) expected = now.stamps().version();
      }
      String text = session.textOrInput("the initial prompt", prompt);
      if (text != null) changes = changes.withAny("initial_prompt", text.isEmpty() ? null : text);
      return states.update(id, changes, expected, session.call(key));
    }
  }

  @CommandLine.Command(
      name = "checkpoint",
      description = "Note where a terminal stands, before something risky.",
      footer = {
        "",
        "Example:",
        "  mainstay terminal checkpoint dev-1 --status \"before the migration\""
      })
  private static final class Checkpoint extends WritingOfTerminal {
    @Option(names = "--status", paramLabel = "TEXT", description = "what it is about to do")
    @Nullable String status;

    @Option(
        names = "--output",
        paramLabel = "TEXT",
        description = "what it last said; - reads it from standard input")
    @Nullable String output;

    Checkpoint(Session session) {
      super(session);
    }

    @Override
    int run() {
      JsonObject noted =
          JsonObject.of("status", status, "last_output", session.textOrInput("the output", output));
      if (noted.isEmpty()) throw Refusal.invalid("nothing to note; give --status or --output");
      TerminalState state =
          session.withExisting(
              db, house -> house.terminalStates().checkpoint(id, noted, session.call(key)));
      if (json) session.json(state.toJson());
      else
        session.print(
            Phrase.of("%s is now at version %d", Printable.line(id), state.stamps().version()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "prompt",
      description = "Print the prompt a terminal begins with, its variables filled in.",
      footer = {"", "Example:", "  mainstay terminal prompt dev-1"})
  private static final class Prompt extends Command {
    @Parameters(index = "0", paramLabel = "ID", description = "the terminal's id")
    String id;

    @Option(
        names = "--profile-prompt",
        paramLabel = "TEXT",
        description =
            "a prompt in place of its profile's, for a terminal with none of its own; - reads it")
    @Nullable String profilePrompt;

    Prompt(Session session) {
      super(session);
    }

    @Override
    int run() {
      String profiles = session.textOrInput("the profile's prompt", profilePrompt);
      // A function must give something, so no prompt is told apart from an empty one by its null.
      JsonObject answer =
          session.withExisting(
              db,
              house ->
                  JsonObject.of(
                      "initial_prompt",
                      profiles == null
                          ? house.launches().promptOf(id)
                          : house.terminalStates().promptFor(id, profiles)));
      String text = answer.textOrNull("initial_prompt");
      if (json) session.json(answer);
      else if (text == null) session.note(Printable.line(id) + " has no initial prompt");
      else session.print(Printable.text(text));
      return ExitCodes.OK;
    }
  }

  private static List<String> lines(TerminalState state) {
    String prompt = state.told().initialPrompt();
    JsonObject checkpoint = state.lastCheckpoint();
    return List.of(
        Phrase.of("%s, version %d", Printable.line(state.terminal()), state.stamps().version()),
        "context:        " + shown(state.told().context()),
        "variables:      " + shown(state.told().variables()),
        "initial prompt: " + (prompt == null ? "the profile's" : Printable.text(prompt)),
        "checkpoint:     " + (checkpoint == null ? "none yet" : shown(checkpoint)));
  }

  private static String shown(JsonObject object) {
    return Printable.line(JsonText.write(object));
  }
}
