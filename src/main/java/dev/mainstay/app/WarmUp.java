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
 * Runs the usual commands once on a store of its own, so that an archive of their classes is made:
 * all of them, or hooks alone.
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

  private static final String FAILED =
      """
      {"session_id": "warm", "tool_name": "Bash", "tool_use_id": "failed",
       "tool_input": {"command": "mvn test"}, "error": "Exit code 1\\nBUILD FAILURE"}""";

  private static final String COMPACTED =
      """
      {"session_id": "warm", "source": "compact", "trigger": "manual"}""";

  /** What hosts tell in the course of a session, by the name of the event. */
  private static final List<Map.Entry<String, String>> SESSION =
      List.of(
          Map.entry("SessionStart", HOOK),
          Map.entry("UserPromptSubmit", HOOK),
          Map.entry("PreToolUse", HOOK),
          Map.entry("PostToolUse", HOOK),
          Map.entry("PreToolUse", WROTE),
          Map.entry("PostToolUse", WROTE),
          Map.entry("PostToolUse", WROTE), // it is known, and answered as before
          Map.entry("PostToolUseFailure", FAILED),
          Map.entry("Notification", COMPACTED),
          Map.entry("PreCompact", COMPACTED),
          Map.entry("SessionStart", COMPACTED),
          Map.entry("SubagentStop", COMPACTED),
          Map.entry("Stop", COMPACTED),
          Map.entry("SessionEnd", COMPACTED));

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

  static int run(boolean hooksAlone) {
    return run(Path.of(System.getProperty("java.io.tmpdir")), hooksAlone);
  }

  static int run(Path parent, boolean hooksAlone) {
    try {
      Path folder = Files.createTempDirectory(parent, "mainstay-warm-up");
      // Temporary files may lie within somebody's project, whose store must not be written to.
      Files.createDirectory(folder.resolve(".git"));
      try {
        Map<String, String> env = new TreeMap<>(System.getenv());
        // An agent's project is where hooks write, and must not be written to here.
        env.keySet()
            .removeIf(name -> name.startsWith("MAINSTAY_") || name.endsWith("_PROJECT_DIR"));
        PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        if (hooksAlone) hooks(env, folder, nowhere);
        else all(env, folder, nowhere);
        return 0;
      } finally {
        remove(folder);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void all(Map<String, String> env, Path folder, PrintStream nowhere) {
    Wiring wiring = new Wiring(env, folder);
    for (List<String> command : USUAL) {
      String input = command.get(0).equals("hook") ? HOOK : INPUT;
      var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
      var io = new Io(in, nowhere, nowhere, Map.of(), Io.Screen.PIPE);
      Door.run(command.toArray(String[]::new), io, wiring);
    }
    for (int i = 0; i < 2; i++) hear("PostToolUse", WROTE, env, folder, nowhere);
    var asked = new ByteArrayInputStream(String.join("\n", AGENT).getBytes(StandardCharsets.UTF_8));
    wiring.mcp(null, asked, OutputStream.nullOutputStream());
  }

  private static void hooks(Map<String, String> env, Path folder, PrintStream nowhere)
      throws IOException {
    // A hook makes no store where nobody set one up.
    Files.createDirectory(folder.resolve(".mainstay"));
    for (var told : SESSION) hear(told.getKey(), told.getValue(), env, folder, nowhere);
  }

  /** As a process of its own hears a hook. */
  private static void hear(
      String event, String told, Map<String, String> env, Path folder, PrintStream nowhere) {
    try (PutDown nothing = PutDown.open("")) {
      Map<String, String> its = nothing.env(env);
      String[] args = {"hook", event};
      LeftEvents.hearBefore(args, its, folder);
      byte[] payload = told.replace("FOLDER", folder.toString()).getBytes(StandardCharsets.UTF_8);
      var in = new ByteArrayInputStream(payload);
      Door.run(args, new Io(in, nowhere, nowhere, its, Io.Screen.PIPE), new Wiring(its, folder));
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
    }
  }
}
