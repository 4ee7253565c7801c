package dev.mainstay.cli;

import dev.mainstay.directory.DirectoryWatch;
import dev.mainstay.directory.Finding;
import dev.mainstay.directory.StateDirectories;
import dev.mainstay.directory.StateDirectories.Made;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions.Beginning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay exec ...}: the state directory, five files that people and agents edit. */
final class ExecCommands {
  private ExecCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Init(session))
        .addSubcommand(new Sync(session))
        .addSubcommand(new Check(session))
        .addSubcommand(new ExecShowCommand(session))
        .addSubcommand(ExecStepCommands.noun(session))
        .addSubcommand(new ExecReviewCommands.Feedback(session))
        .addSubcommand(new ExecReviewCommands.Accept(session))
        .addSubcommand(new ExecReviewCommands.Set(session))
        .addSubcommand(new ExecCourseCommands.Pause(session))
        .addSubcommand(new ExecCourseCommands.Resume(session))
        .addSubcommand(new ExecCourseCommands.Finish(session))
        .addSubcommand(new Import(session))
        .addSubcommand(new ExecExportCommand(session));
  }

  @CommandLine.Command(
      name = "exec",
      synopsisSubcommandLabel = "COMMAND",
      description = "Execute a plan whose state lies in five files that people and agents edit.",
      footer = {
        "",
        "Example:",
        "  mainstay exec init --goal \"Summarise the report\"",
        "  mainstay exec step start"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "init",
      description = "Make a state directory, or go on with the one that is there.",
      footer = {
        "",
        "Example:",
        "  mainstay exec init --goal \"Compare three vendors\" --type research"
      })
  private static final class Init extends ExecCommand {
    @Option(names = "--goal", paramLabel = "TEXT", description = "what is to be achieved")
    @Nullable String goal;

    @Option(
        names = "--task",
        paramLabel = "TASK",
        description = "the task whose plan is executed (default: a new one)")
    @Nullable String task;

    @Option(
        names = "--mode",
        paramLabel = "MODE",
        description = "EXECUTION (default), or SIMULATION, in which nothing counts as done")
    @Nullable String mode;

    @Option(
        names = "--type",
        paramLabel = "TYPE",
        description = "the kind of work: legal, creative, research or debugging")
    @Nullable String type;

    Init(Session session) {
      super(session);
    }

    @Override
    int run() {
      Beginning asked =
          new Beginning(
              task == null ? null : session.task(db, task),
              goal,
              mode == null ? null : ExecutionMode.parse(mode),
              type == null ? null : ExecutionType.parse(type));
      if (goal == null && task == null && !Files.isDirectory(folder())) {
        throw Refusal.invalid("say what is to be achieved with --goal, or name a --task");
      }
      Made made = session.with(db, house -> house.directories().init(folder(), asked, caller()));
      Report report = made.report();
      if (json) session.json(json(report).with("resumed", made.resumed()));
      else {
        session.print(
            Phrase.of(
                "%s %s for %s in %s",
                made.resumed() ? "going on with" : "began",
                report.directory().execution(),
                report.directory().task(),
                Printable.line(report.directory().folder())));
        if (!made.resumed()) session.note(limits(report.directory().task()));
      }
      return told(report);
    }

    /** Prints the limits at once: they come from the template until they are set. */
    private String limits(TaskId task) {
      Settings now =
          session.withExisting(
              db, house -> house.executions().view(task).execution().constraints().settings());
      return Phrase.of(
          "limits: %s, %s, %s file operations, %s web requests; 'mainstay exec set FIELD VALUE' changes one",
          Setting.MAX_COST_PER_TASK.shown(now.get(Setting.MAX_COST_PER_TASK)),
          Setting.MAX_EXECUTION_TIME.shown(now.get(Setting.MAX_EXECUTION_TIME)),
          Setting.MAX_FILE_OPERATIONS.shown(now.get(Setting.MAX_FILE_OPERATIONS)),
          Setting.MAX_WEB_REQUESTS.shown(now.get(Setting.MAX_WEB_REQUESTS)));
    }
  }

  @CommandLine.Command(
      name = "sync",
      description = "Take edits of the files into the store and bring the files up to date.",
      footer = {"", "Example:", "  mainstay exec sync", "  mainstay exec sync --watch"})
  private static final class Sync extends ExecCommand {
    @Option(names = "--watch", description = "go on until it is stopped (Ctrl-C)")
    boolean watch;

    @Option(names = "--seconds", paramLabel = "N", description = "stop watching after so long")
    @Nullable Integer seconds;

    Sync(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (seconds != null && seconds < 1) throw Refusal.invalid("--seconds is at least 1");
      return session.withExisting(
          db,
          house -> {
            int exit = show(house.directories().sync(folder(), caller()));
            return watch ? follow(house) : exit;
          });
    }

    private int follow(House house) {
      Instant end = seconds == null ? Instant.MAX : Instant.now().plusSeconds(seconds);
      List<Finding> told = List.of();
      try (DirectoryWatch following = house.directories().watch(folder(), caller())) {
        while (Instant.now().isBefore(end)) {
          Optional<Report> report = following.await(Duration.ofSeconds(1));
          boolean news =
              report.isPresent()
                  && (report.get().taken() > 0
                      || !report.get().written().isEmpty()
                      || !report.get().findings().equals(told));
          if (news) {
            told = report.get().findings();
            show(report.get());
          }
          if (session.io().out().checkError()) break; // whoever read this has gone
        }
      }
      return ExitCodes.OK;
    }

    private int show(Report report) {
      if (json) session.json(json(report));
      else {
        session.print(
            Phrase.of(
                "%s taken in, %s",
                RepoCommands.count(report.taken(), "change"),
                report.written().isEmpty()
                    ? "no file written"
                    : "written: " + String.join(", ", report.written())));
      }
      return told(report);
    }
  }

  @CommandLine.Command(
      name = "check",
      description = "Say what is wrong in a state directory, with lines; nothing is changed.",
      footer = {"", "Example:", "  mainstay exec check workspace/state"})
  private static final class Check extends Command {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "DIR",
        description = "the folder (default: workspace/state)")
    @Nullable Path dir;

    Check(Session session) {
      super(session);
    }

    @Override
    int run() {
      Path folder = ExecCommand.folder(session, dir);
      List<Finding> findings = findings(folder);
      boolean wrong = findings.stream().anyMatch(Finding::isProblem);
      if (json) {
        session.json(
            JsonObject.of(
                "ok", !wrong, "findings", findings.stream().map(Finding::toJson).toList()));
      } else {
        for (Finding finding : findings) session.print(Printable.line(finding.toString()));
        if (!wrong) session.print("the five files can be read and fit together");
      }
      return wrong ? ExitCodes.REFUSED : ExitCodes.OK;
    }

    /** Where there is no store, none is made for a look. */
    private List<Finding> findings(Path folder) {
      House house;
      try {
        house = session.services().openExisting(db);
      } catch (Refusal none) {
        if (none.code() != Refusal.Code.NOT_FOUND) throw none;
        return StateDirectories.checkFiles(folder);
      }
      try (house) {
        return house.directories().check(folder);
      }
    }
  }

  @CommandLine.Command(
      name = "import",
      description = "Take in an execution from its files alone.",
      footer = {"", "Example:", "  mainstay exec import workspace/state"})
  private static final class Import extends Command.Writing {
    @Parameters(index = "0", paramLabel = "DIR", description = "the folder with the five files")
    Path dir;

    Import(Session session) {
      super(session);
    }

    @Override
    int run() {
      Path folder = dir.toAbsolutePath().normalize();
      Report report = session.with(db, house -> house.directories().importFrom(folder, caller()));
      if (json) session.json(ExecCommand.json(report));
      else {
        session.print(
            Phrase.of("%s is now %s", report.directory().execution(), report.directory().task()));
      }
      return ExecCommand.told(session, json, null, report);
    }
  }
}
