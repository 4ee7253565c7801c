package dev.mainstay.cli;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/**
 * The command line as a whole: finds the command, runs it, turns what comes of it into an exit
 * code.
 */
final class Cli {
  private static final Map<String, Function<Session, CommandLine>> NOUNS = new LinkedHashMap<>();

  static {
    NOUNS.put("task", TaskCommands::noun);
    NOUNS.put("dump", s -> new CommandLine(new StateCommands.Dump(s)));
    NOUNS.put("prompt", s -> new CommandLine(new PromptCommand(s)));
    NOUNS.put("state", StateCommands::noun);
    NOUNS.put("plan", PlanCommands::noun);
    NOUNS.put("directive", DirectiveCommands::noun);
    NOUNS.put("criteria", CriteriaCommands::noun);
    NOUNS.put("evidence", EvidenceCommands::noun);
    NOUNS.put("artifact", ArtifactCommands::noun);
    NOUNS.put("launch", s -> new CommandLine(new LaunchCommand(s)));
    NOUNS.put("terminal", TerminalCommands::noun);
    NOUNS.put("inbox", InboxCommands::noun);
    NOUNS.put("delegate", DelegateCommands::noun);
    NOUNS.put("profile", ProfileCommands::noun);
    NOUNS.put("flow", FlowCommands::noun);
    NOUNS.put("workflow", WorkflowCommands::noun);
    NOUNS.put("repo", RepoCommands::noun);
    NOUNS.put("exec", ExecCommands::noun);
    NOUNS.put("checkpoint", CheckpointCommands::noun);
    NOUNS.put("journal", s -> new CommandLine(new JournalCommand(s)));
    NOUNS.put("verify", s -> new CommandLine(new UpkeepCommands.Verify(s)));
    NOUNS.put("rebuild", s -> new CommandLine(new UpkeepCommands.Rebuild(s)));
    NOUNS.put("backup", s -> new CommandLine(new UpkeepCommands.Backup(s)));
    NOUNS.put("restore", s -> new CommandLine(new UpkeepCommands.Restore(s)));
    NOUNS.put("export", s -> new CommandLine(new UpkeepCommands.Export(s)));
    NOUNS.put("import", s -> new CommandLine(new UpkeepCommands.Import(s)));
    NOUNS.put("gc", s -> new CommandLine(new GcCommand(s)));
    NOUNS.put("forget", s -> new CommandLine(new ForgetCommand(s)));
    NOUNS.put("doctor", s -> new CommandLine(new UpkeepCommands.Check(s)));
    NOUNS.put("trust", s -> new CommandLine(new TrustCommand(s)));
    NOUNS.put("demo", s -> new CommandLine(new DemoCommand(s)));
    NOUNS.put("serve", s -> new CommandLine(new ServeCommand(s)));
    NOUNS.put("mcp", s -> new CommandLine(new McpCommand(s)));
    NOUNS.put("hook", s -> new CommandLine(new HookCommand(s)));
    NOUNS.put("init", s -> new CommandLine(new InitCommand(s)));
    NOUNS.put("token", TokenCommands::noun);
    NOUNS.put("completion", s -> new CommandLine(new Completion(s)));
  }

  private Cli() {}

  @CommandLine.Command(
      name = "mainstay",
      synopsisSubcommandLabel = "COMMAND",
      description = "Holds the state of AI agents outside their context windows.",
      footer = {
        "",
        "Examples:",
        "  mainstay task create \"Add login\"",
        "  mainstay task ready",
        "  mainstay journal --follow",
        "",
        "The launcher itself does these:",
        "  mainstay install [--prefix DIR]     put Mainstay in place, or upgrade it",
        "  mainstay uninstall [--prefix DIR]   take it away again; stores stay"
      })
  private static final class Root {
    @CommandLine.Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "show this help")
    boolean help;

    @CommandLine.Option(
        names = {"-V", "--version"},
        versionHelp = true,
        description = "show the version")
    boolean version;
  }

  /** Runs a command that is not one of the hot ones. */
  static int run(String[] args, Session session) {
    return commandLine(args, session).execute(args);
  }

  /** The root with only the noun that was called, because building all of them takes long. */
  static CommandLine commandLine(String[] args, Session session) {
    CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF); // it warns of odd quotes in values
    CommandLine root = new CommandLine(new Root());
    String noun = args.length == 0 ? "" : args[0];
    NOUNS.forEach(
        (name, make) -> {
          if (!NOUNS.containsKey(noun) || name.equals(noun))
            root.addSubcommand(name, make.apply(session));
        });
    IVersionProvider version = () -> new String[] {"mainstay " + session.services().version()};
    root.getCommandSpec().versionProvider(version);
    root.setOut(new PrintWriter(session.io().out(), true));
    root.setErr(new PrintWriter(session.io().err(), true));
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(session.io().screen().colour() ? Ansi.ON : Ansi.OFF));
    root.setUsageHelpWidth(Math.max(60, Math.min(session.columns(), 120)));
    root.setExecutionExceptionHandler(
        (fault, command, parsed) -> failed(fault, args, session.io()));
    root.setParameterExceptionHandler((fault, typed) -> misused(fault, session.io()));
    root.setExecutionStrategy(parsed -> executed(parsed, session));
    return root;
  }

  private static int executed(CommandLine.ParseResult parsed, Session session) {
    if (CommandLine.executeHelpRequest(parsed) != null) return ExitCodes.OK;
    CommandLine last = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
    if (last.getCommand() instanceof Command) return new CommandLine.RunLast().execute(parsed);
    last.usage(session.io().err());
    return ExitCodes.USAGE;
  }

  private static int failed(Exception fault, String[] args, Io io) throws Exception {
    if (fault instanceof Refusal refused) return Door.refuse(refused, args, io);
    throw fault;
  }

  private static int misused(ParameterException fault, Io io) {
    CommandLine command = fault.getCommandLine();
    io.err().println("mainstay: " + Printable.line(sentence(fault, command)));
    io.err().println("see: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCodes.USAGE;
  }

  private static String sentence(ParameterException fault, CommandLine command) {
    if (fault instanceof CommandLine.UnmatchedArgumentException unmatched
        && !command.getSubcommands().isEmpty()) {
      String typed = unmatched.getUnmatched().get(0);
      return Phrase.of(
          "there is no command \"%s\"; %s",
          typed, Nearest.guess(typed, command.getSubcommands().keySet()));
    }
    return String.valueOf(fault.getMessage());
  }

  @CommandLine.Command(
      name = "completion",
      description = "Print the completion script for bash and zsh.",
      footer = {"", "Example:", "  source <(mainstay completion)"})
  private static final class Completion extends Command {
    private static final Set<String> SHELLS = Set.of("bash", "zsh");

    @CommandLine.Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "SHELL",
        description = "bash or zsh; one script serves both")
    @Nullable String shell;

    Completion(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (shell != null && !SHELLS.contains(shell)) {
        throw Refusal.invalid(Phrase.of("no completion for \"%s\": expected bash or zsh", shell));
      }
      CommandLine all = commandLine(new String[0], session);
      session.print(AutoComplete.bash("mainstay", all));
      return ExitCodes.OK;
    }
  }
}
