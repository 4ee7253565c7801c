package dev.mainstay.cli;

import dev.mainstay.directory.Finding;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.directory.StateDirectories.Worked;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Commands about the execution that a state directory shows. */
abstract class ExecCommand extends Command.Writing {
  /** Where the files are when nobody says otherwise. */
  private static final String DEFAULT = "workspace/state";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "the state directory (default: workspace/state of this worktree)")
  @Nullable Path dir;

  ExecCommand(Session session) {
    super(session);
  }

  Path folder() {
    return folder(session, dir);
  }

  static Path folder(Session session, @Nullable Path dir) {
    if (dir != null) return dir.toAbsolutePath().normalize();
    return session.services().workDir().resolve(DEFAULT);
  }

  /** Hears the files, does something to the execution, and tells the files. */
  <T> Worked<T> working(BiFunction<House, TaskId, T> useCase) {
    return session.withExisting(
        db,
        house ->
            house.directories().working(folder(), caller(), task -> useCase.apply(house, task)));
  }

  /** Hears the files if the caller may, and asks something about the execution. */
  <T> Worked<T> looking(BiFunction<House, TaskId, T> question) {
    return session.withExisting(
        db,
        house ->
            house.directories().looking(folder(), caller(), task -> question.apply(house, task)));
  }

  /** Answers a change, in one line or as JSON, and says what followed from it. */
  int answer(Worked<Outcome> worked, String done) {
    Outcome outcome = worked.answer();
    if (json) session.json(outcome.toJson().with("findings", json(worked.findings())));
    else session.print(outcome.isChange() ? done : "nothing changed");
    return told(worked, outcome);
  }

  /**
   * What the files and the rules had to say, on the other stream, and the person if one is asked.
   */
  int told(Worked<?> worked, Outcome outcome) {
    if (!json) {
      for (Finding finding : worked.findings()) {
        // A rule that cannot be read is told by sync and check, not by every command.
        if (finding.kind() != Finding.Kind.RULE) note(session, dir, finding.toString());
      }
      worked.before().notices().forEach(notice -> note(session, dir, notice));
      outcome.notices().forEach(notice -> note(session, dir, notice));
    }
    String who = outcome.task() + " in " + folder();
    if (worked.before().review()) ring(session, who, worked.before().notices());
    if (outcome.review()) ring(session, who, outcome.notices());
    return ExitCodes.OK;
  }

  /** A hint names the folder that the command was given. */
  private static void note(Session session, @Nullable Path dir, String text) {
    String line =
        dir == null
            ? text
            : text.replaceAll(
                "'mainstay exec ([^']*)'",
                "'mainstay exec $1 --dir " + Matcher.quoteReplacement(dir.toString()) + "'");
    session.note(Printable.line(line));
  }

  static int told(Session session, boolean json, @Nullable Path dir, Report report) {
    if (!json) {
      for (Finding finding : report.findings()) note(session, dir, finding.toString());
      report.notices().forEach(notice -> note(session, dir, notice));
      session.io().out().flush();
      session.io().err().flush();
    }
    String who = report.directory().task() + " in " + report.directory().folder();
    if (report.review()) ring(session, who, report.notices());
    boolean conflict = report.findings().stream().anyMatch(ExecCommand::isConflict);
    if (conflict) return ExitCodes.CONFLICT;
    return report.hasProblems() ? ExitCodes.REFUSED : ExitCodes.OK;
  }

  int told(Report report) {
    return told(session, json, dir, report);
  }

  private static boolean isConflict(Finding finding) {
    return finding.kind() == Finding.Kind.CONFLICT;
  }

  /** A person is asked for something: the terminal rings, and the command of the settings runs. */
  private static void ring(Session session, String who, List<String> notices) {
    if (session.io().screen().isTerminal()) {
      session.io().err().print('\u0007');
      session.io().err().flush();
    }
    String what = notices.isEmpty() ? "the execution waits" : String.join("; ", notices);
    if (!session.services().notifyPerson(who + ": " + what)) {
      session.note("notify.command did not end well, so perhaps nobody was told");
    }
  }

  static JsonObject json(Report report) {
    return JsonObject.of(
            "task_id",
            report.directory().task().value(),
            "execution_id",
            report.directory().execution(),
            "dir",
            report.directory().folder())
        .with("taken", report.taken())
        .with("written", report.written())
        .with("notices", report.notices())
        .with("findings", json(report.findings()));
  }

  static List<JsonObject> json(List<Finding> findings) {
    return findings.stream().map(Finding::toJson).toList();
  }
}
