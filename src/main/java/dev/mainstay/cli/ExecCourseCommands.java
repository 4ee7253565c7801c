package dev.mainstay.cli;

import dev.mainstay.domain.TaskId;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay exec pause|resume|finish}: the course of an execution. */
final class ExecCourseCommands {
  private ExecCourseCommands() {}

  @CommandLine.Command(
      name = "pause",
      description = "Pause the execution.",
      footer = {"", "Example:", "  mainstay exec pause --why \"the data is wrong\""})
  static final class Pause extends ExecCommand {
    @Option(names = "--why", paramLabel = "TEXT", description = "the reason")
    @Nullable String why;

    Pause(Session session) {
      super(session);
    }

    @Override
    int run() {
      return answer(
          working((house, task) -> house.executions().pause(task, why, caller())),
          "the execution is paused");
    }
  }

  @CommandLine.Command(
      name = "resume",
      description = "Let a paused execution go on; files that are gone are written again.",
      footer = {"", "Example:", "  mainstay exec resume", "  mainstay exec resume --task T-001"})
  static final class Resume extends ExecCommand {
    @Option(
        names = "--task",
        paramLabel = "TASK",
        description = "show the execution of this task in the folder, from the store")
    @Nullable String task;

    Resume(Session session) {
      super(session);
    }

    @Override
    int run() {
      String named = task;
      if (named != null || !Files.isDirectory(folder())) {
        TaskId given = named == null ? null : session.task(db, named);
        session.withExisting(
            db,
            house -> {
              TaskId id = given != null ? given : house.directories().shownAt(folder());
              return house.directories().show(id, folder(), session.call(null).withFence(fence));
            });
        session.note("the files are in " + Printable.line(folder().toString()) + " again");
      }
      return answer(
          working((house, id) -> house.executions().resume(id, caller())), "the execution goes on");
    }
  }

  @CommandLine.Command(
      name = "finish",
      description =
          "End the execution; with success only when every step is done, and then the task is completed unless somebody holds it.",
      footer = {
        "",
        "Example:",
        "  mainstay exec finish",
        "  mainstay exec finish --failure --why \"the site is gone\""
      })
  static final class Finish extends ExecCommand {
    @Option(names = "--failure", description = "it was not achieved")
    boolean failure;

    @Option(names = "--why", paramLabel = "TEXT", description = "what came of it")
    @Nullable String why;

    Finish(Session session) {
      super(session);
    }

    @Override
    int run() {
      var worked =
          working((house, task) -> house.executions().finish(task, !failure, why, caller()));
      int exit = answer(worked, "the execution ended in " + (failure ? "failure" : "success"));
      if (worked.answer().isChange()) {
        session.withExisting(
            db,
            house -> {
              house.traces().logExperience(worked.answer().task(), session.services().root());
              return ExitCodes.OK;
            });
      }
      return exit;
    }
  }
}
