import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Who takes part: how each is started, what it is asked, and how what it kept is counted. */
final class McpServers {
  /** A tool and what it is given the i-th time. */
  record Asked(String tool, IntFunction<JsonObject> arguments) {}

  interface Setup {
    void in(Path folder) throws Exception;
  }

  interface Kept {
    long in(Path folder) throws Exception;
  }

  record Server(
      String who,
      List<String> argv,
      Map<String, String> environment,
      Asked read,
      Asked write,
      Places places) {}

  /** What must be there before it starts, and what is there when it has ended. */
  record Places(Setup setup, Kept kept) {}

  static final String MEMORY = "server-memory 2026.8.31";
  static final String ECHO = "floor: SDK echo server";

  private McpServers() {}

  static Server mainstay(String program) {
    return new Server(
        "mainstay",
        List.of(program, "mcp"),
        Map.of("MAINSTAY_TERMINAL", "bench"),
        new Asked("state", i -> JsonObject.of("task", "T-001")),
        new Asked("create_task", i -> JsonObject.of("title", "Task number " + i)),
        new Places(
            folder -> Files.createDirectories(folder.resolve(".git")),
            folder -> {
              List<String> list = List.of(program, "task", "list", "--json", "--limit", "1");
              List<String> newest = new ArrayList<>(list);
              newest.addAll(List.of("--order", "newest"));
              String said = Child.run(folder, Map.of(), newest).well(newest).said();
              java.util.regex.Matcher id =
                  java.util.regex.Pattern.compile("\"T-0*(\\d+)\"").matcher(said);
              return id.find() ? Long.parseLong(id.group(1)) : 0;
            }));
  }

  static List<Server> peers(Path home) {
    return List.of(memory(home), backlog(home), echo(home), taskMaster(home));
  }

  private static Server memory(Path home) {
    String program = "node_modules/@modelcontextprotocol/server-memory/dist/index.js";
    return new Server(
        MEMORY,
        List.of("node", home.resolve(program).toString()),
        Map.of("MEMORY_FILE_PATH", "FOLDER/memory.jsonl"),
        new Asked("open_nodes", i -> JsonObject.of("names", List.of("Task number 0"))),
        new Asked(
            "create_entities",
            i ->
                JsonObject.of(
                    "entities",
                    List.of(
                        JsonObject.of("name", "Task number " + i, "entityType", "task")
                            .with("observations", List.of("to do"))))),
        new Places(
            folder -> {},
            folder -> {
              try (Stream<String> lines = Files.lines(folder.resolve("memory.jsonl"))) {
                return lines.filter(line -> !line.isBlank()).count();
              }
            }));
  }

  private static Server taskMaster(Path home) {
    String program = home.resolve("node_modules/task-master-ai/dist/mcp-server.js").toString();
    return new Server(
        CliPeers.TASK_MASTER,
        List.of("node", program),
        Map.of("TASK_MASTER_TOOLS", "standard"),
        new Asked("get_task", i -> JsonObject.of("id", "1", "projectRoot", "FOLDER")),
        new Asked(
            "add_task",
            i ->
                JsonObject.of("title", "Task number " + i, "description", "to do")
                    .with("projectRoot", "FOLDER")),
        new Places(
            folder -> CliPeers.taskMasterProject(folder, home, 1),
            folder -> {
              Path file = folder.resolve(".taskmaster/tasks/tasks.json");
              JsonObject master = JsonText.object(Files.readString(file)).object("master");
              return master.objects("tasks").size() - 1;
            }));
  }

  private static Server backlog(Path home) {
    return new Server(
        CliPeers.BACKLOG,
        List.of(CliPeers.backlog(home), "mcp", "start"),
        Map.of(),
        new Asked("task_view", i -> JsonObject.of("id", "task-1")),
        new Asked("task_create", i -> JsonObject.of("title", "Task number " + i)),
        new Places(
            folder -> CliPeers.backlogProject(folder, home, 1),
            folder -> {
              try (Stream<Path> files = Files.list(folder.resolve("backlog/tasks"))) {
                return files.count() - 1;
              }
            }));
  }

  static Server echo(Path home) {
    Asked echo = new Asked("echo", i -> JsonObject.of("text", "Task number " + i));
    return new Server(
        ECHO,
        List.of("node", home.resolve("echo.mjs").toString(), "stdio"),
        Map.of(),
        echo,
        echo,
        new Places(folder -> {}, folder -> -1));
  }
}
