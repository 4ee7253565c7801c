package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskListText;
import dev.mainstay.json.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What tools were seen to do in a workspace, what remains, and conflicts that are settled. */
final class RepoWorkCommands {
  private RepoWorkCommands() {}

  @CommandLine.Command(
      name = "observe",
      description =
          "Note the result of a tool of an agent; the files are looked at before the next snapshot.",
      footer = {
        "",
        "The result is JSON: what a hook of the agent receives, or {\"success\": true, \"path\": \"a.txt\"}.",
        "",
        "Example:",
        "  mainstay repo observe --tool Write --task T-001 - < hook.json"
      })
  static final class Observe extends RepoCommands.OfWorkspace {
    @Option(names = "--tool", paramLabel = "NAME", required = true, description = "the tool's name")
    String tool;

    @Option(names = "--task", paramLabel = "TASK", description = "the task it worked for")
    @Nullable String task;

    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    @Option(
        names = "--fence",
        paramLabel = "N",
        description = "the fence of your claim; without it a check you ran is no evidence")
    @Nullable Long fence;

    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "FILE",
        defaultValue = "-",
        description = "the result, or - for standard input (default)")
    String file;

    Observe(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (fence != null && task == null) {
        throw Refusal.invalid("--fence is the fence of a task's claim; name the task with --task");
      }
      JsonObject result = JsonText.object(session.input("the result", file));
      TaskId of = task == null ? null : session.task(db, task);
      boolean queued =
          with(
              (house, tracker) -> {
                if (of != null) house.tasks().show(of); // a slip is refused, not noted for nobody
                return tracker.queue(tool, result, of, session.call(key).withFence(fence));
              });
      if (json) session.json(JsonObject.of("success", true, "queued", queued));
      else session.print(queued ? "noted" : "noted; it changes nothing here");
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "tasks",
      description =
          "Show the open tasks of the story, or take them from the text in which a model lists them.",
      footer = {
        "",
        "Numbered lists, bullets, checkboxes and JSON are understood.",
        "",
        "Example:",
        "  mainstay repo tasks",
        "  mainstay repo tasks plan.md"
      })
  static final class Tasks extends RepoCommands.OfStory {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "FILE",
        description = "the text with the list, or - for standard input")
    @Nullable String file;

    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    Tasks(Session session) {
      super(session);
    }

    @Override
    int run() {
      String given = file;
      if (given == null && key != null) {
        throw Refusal.invalid("looking needs no key; name the text with the list, or leave it out");
      }
      List<OpenTask> wanted = given == null ? null : list(session.input("the list", given));
      List<OpenTask> open =
          with(
              (house, tracker) -> {
                begin(tracker);
                if (wanted != null) tracker.setTasks(wanted, session.call(key));
                return tracker.state().openTasks();
              });
      if (json) {
        session.json(JsonObject.of("open_tasks", open.stream().map(OpenTask::toJson).toList()));
      }
      if (!json && open.isEmpty()) {
        session.note("no open tasks; 'mainstay repo tasks FILE' takes them from a list");
      }
      for (OpenTask task : json ? List.<OpenTask>of() : open) {
        session.print(
            Phrase.of(
                "%d. [%s] %s",
                task.priority(), task.status().typed(), Printable.line(task.description())));
      }
      return ExitCodes.OK;
    }

    private static List<OpenTask> list(String text) {
      var found = TaskListText.parse(text, JsonText::object);
      if (found.tasks().isEmpty()) {
        throw Refusal.invalid(
            "no list of tasks was found in the text; write them as '1. first' or '- [ ] first', one a line");
      }
      if (found.dropped() > 0) {
        throw Refusal.tooLarge(
            Phrase.of(
                "a story has at most %d open tasks; put some of them together",
                RepoState.OPEN_TASKS_MAX));
      }
      return found.tasks();
    }
  }

  @CommandLine.Command(
      name = "settle",
      description = "Say that you have looked at a file that two tasks changed; its conflict ends.",
      footer = {"", "Example:", "  mainstay repo settle T-001 src/App.java --fence 3"})
  static final class Settle extends Command.WritingOfTask {
    @Parameters(
        index = "1",
        paramLabel = "PATH",
        description = "the file, from the workspace's root")
    String path;

    Settle(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      var receipt = session.withExisting(db, house -> house.evidence().settle(id, path, caller()));
      return StateCommands.answer(
          this,
          receipt,
          Phrase.of("the conflicts of %s about %s are settled", id, Printable.line(path)));
    }
  }
}
