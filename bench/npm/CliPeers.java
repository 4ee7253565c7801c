import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Projects of task-master-ai and backlog.md with a thousand tasks, in the form they write
 * themselves.
 */
final class CliPeers {
  static final String TASK_MASTER = "task-master-ai 0.43.1";
  static final String BACKLOG = "backlog.md 1.52.0";

  private CliPeers() {}

  static void add(List<CliRow.Tool> tools, Path work, Path home) throws Exception {
    tools.add(taskMaster(work.resolve("task-master"), home));
    tools.add(backlog(work.resolve("backlog"), home));
  }

  static String taskMaster(Path home) {
    return home.resolve("node_modules/task-master-ai/dist/task-master.js").toString();
  }

  static String backlog(Path home) {
    return home.resolve("node_modules/backlog.md-linux-x64/backlog").toString();
  }

  private static CliRow.Tool taskMaster(Path folder, Path home) throws Exception {
    taskMasterProject(folder, home, CliRow.tasks);
    String program = taskMaster(home);
    return new CliRow.Tool(
        TASK_MASTER,
        folder,
        Map.of(),
        List.of("node", program, "show", "500"),
        List.of("node", program, "list", "--compact"),
        List.of("node", program, "add-task"));
  }

  /** As `init` leaves it, with tasks as `add-task` writes them. */
  static void taskMasterProject(Path folder, Path home, int count) throws Exception {
    Files.createDirectories(folder.resolve(".git"));
    List<String> init = List.of("node", taskMaster(home), "init", "--yes", "--name", "bench");
    Child.run(folder, Map.of(), init).well(init);
    Path config = folder.resolve(".taskmaster/config.json");
    String quiet = Files.readString(config).replace("Telemetry\": true", "Telemetry\": false");
    Files.writeString(config, quiet);
    List<JsonObject> tasks = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      tasks.add(
          JsonObject.of("id", i, "title", CliRow.TITLE + i, "description", CliRow.TITLE + i)
              .with("details", "")
              .with("testStrategy", "")
              .with("status", "pending")
              .with("dependencies", List.of())
              .with("priority", "medium")
              .with("subtasks", List.of()));
    }
    String now = "2026-01-01T00:00:00.000Z";
    JsonObject metadata = JsonObject.of("created", now, "updated", now, "description", "bench");
    JsonObject master = JsonObject.of("tasks", tasks, "metadata", metadata);
    Files.writeString(
        folder.resolve(".taskmaster/tasks/tasks.json"),
        JsonText.write(JsonObject.of("master", master)));
  }

  private static CliRow.Tool backlog(Path folder, Path home) throws Exception {
    backlogProject(folder, home, CliRow.tasks);
    String program = backlog(home);
    return new CliRow.Tool(
        BACKLOG,
        folder,
        Map.of(),
        List.of(program, "task", "500", "--plain"),
        List.of(program, "task", "list", "--plain"),
        List.of(program, "task", "create", "--plain"));
  }

  /** Without git and branches to look at, which is its fastest way; one task of its own, copied. */
  static void backlogProject(Path folder, Path home, int count) throws Exception {
    Files.createDirectories(folder);
    String program = backlog(home);
    List<String> init =
        List.of(
            program,
            "init",
            "bench",
            "--defaults",
            "--no-git",
            "--check-branches",
            "false",
            "--include-remote",
            "false",
            "--integration-mode",
            "none",
            "--auto-open-browser",
            "false");
    Child.run(folder, Map.of(), init).well(init);
    List<String> create = List.of(program, "task", "create", CliRow.TITLE + 1, "--plain");
    Child.run(folder, Map.of(), create).well(create);
    Path tasks = folder.resolve("backlog/tasks");
    String first = Files.readString(only(tasks));
    for (int i = 2; i <= count; i++) {
      String text = first.replace("TASK-1\n", "TASK-" + i + "\n");
      text = text.replace(CliRow.TITLE + 1, CliRow.TITLE + i);
      Files.writeString(tasks.resolve("task-" + i + " - Task-number-" + i + ".md"), text);
    }
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }
}
