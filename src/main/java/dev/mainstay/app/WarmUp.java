package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs the usual commands once on a store of its own, so that an archive of their classes is made.
 */
final class WarmUp {
  private static final String INPUT = "{\"decisions\": [\"warm up\"], \"next_focus\": \"more\"}";

  private static final String HOOK =
      """
      {"session_id": "warm", "source": "startup", "prompt": "warm up, and always stay warm",
       "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "warm",
       "tool_response": {"stdout": "a.txt", "stderr": "", "interrupted": false}}""";

  /** A tool that writes a file is read otherwise than one that runs a command. */
  private static final String WROTE =
      """
      {"session_id": "warm", "tool_name": "Write", "tool_use_id": "wrote",
       "tool_input": {"file_path": "FOLDER/notes.txt", "content": "warm"},
       "tool_response": {"type": "update", "filePath": "FOLDER/notes.txt", "content": "warm"}}""";

  private static final List<List<String>> USUAL =
      List.of(
          List.of(
              "task",
              "create",
              "warm up",
              "--description",
              "first",
              "--metadata",
              "{\"a\": [1, true]}"),
          List.of("task", "create", "then", "--depends-on", "T-001", "--key", "once"),
          List.of("task", "show", "T-002"),
          List.of("task", "show", "T-001", "--json"),
          List.of("task", "list"),
          List.of("task", "ready", "--json"),
          List.of("task", "update", "T-001", "--priority", "3"),
          List.of("task", "cancel", "T-002", "--reason", "warm"),
          List.of("task", "show", "T-999"),
          List.of("state", "start", "T-001", "--goal", "warm up"),
          List.of("state", "merge", "T-001", "-"),
          List.of("plan", "set", "T-001", "one", "two"),
          List.of("plan", "done", "T-001", "1"),
          List.of("directive", "add", "T-001", "stay warm"),
          List.of("dump", "T-001"),
          List.of("state", "show", "T-001"),
          List.of("state", "show", "T-001", "--json"),
          List.of("prompt", "T-001", "--for", "claude-code"),
          List.of("checkpoint", "save", "T-001", "warm"),
          List.of("hook", "UserPromptSubmit"),
          List.of("hook", "PreToolUse"),
          List.of("hook", "PostToolUse"),
          List.of("hook", "SessionStart"),
          List.of("hook", "Stop"),
          List.of("journal"),
          List.of("verify"),
          List.of("--help"));

  /** How an agent begins over MCP. */
  private static final List<String> AGENT =
      List.of(
          "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"warm-up\",\"version\":\"1\"}}}",
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/list\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/list\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"state\",\"arguments\":{}}}");

  private WarmUp() {}

  static int run() {
    return run(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static int run(Path parent) {
    try {
      Path folder = Files.createTempDirectory(parent, "mainstay-warm-up");
      // Temporary files may lie within somebody's project, whose store must not be written to.
      Files.createDirectory(folder.resolve(".git"));
      try {
        Map<String, String> env = new TreeMap<>(System.getenv());
        // An agent's project is where hooks write, and must not be written to here.
        env.keySet()
            .removeIf(name -> name.startsWith("MAINSTAY_") || name.endsWith("_PROJECT_DIR"));
        Wiring wiring = new Wiring(env, folder);
        PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        for (List<String> command : USUAL) {
          String input = command.get(0).equals("hook") ? HOOK : INPUT;
          var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
          var io = new Io(in, nowhere, nowhere, Map.of(), Io.Screen.PIPE);
          Door.run(command.toArray(String[]::new), io, wiring);
        }
        // The second time it is known, and answered as before.
        for (int i = 0; i < 2; i++)
          hear(WROTE.replace("FOLDER", folder.toString()), env, folder, nowhere);
        var asked =
            new ByteArrayInputStream(String.join("\n", AGENT).getBytes(StandardCharsets.UTF_8));
        wiring.mcp(null, asked, OutputStream.nullOutputStream());
        return 0;
      } finally {
        remove(folder);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** As a process of its own hears a hook. */
  private static void hear(String told, Map<String, String> env, Path folder, PrintStream nowhere) {
    try (PutDown nothing = PutDown.open("")) {
      Map<String, String> its = nothing.env(env);
      String[] args = {"hook", "PostToolUse"};
      LeftEvents.hearBefore(args, its, folder);
      var in = new ByteArrayInputStream(told.getBytes(StandardCharsets.UTF_8));
      Door.run(args, new Io(in, nowhere, nowhere, its, Io.Screen.PIPE), new Wiring(its, folder));
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
    }
  }
}
