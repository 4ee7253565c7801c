package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Serving;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Plays what is usual once on a store of its own, so that an archive of the classes is made that it
 * needs: commands, hooks, what runs long (agents over MCP and the server), or all but hooks alone.
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

  /** How an agent works over MCP: methods and what they are given. */
  private static final List<String> AGENT =
      List.of(
          "initialize {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"warm-up\",\"version\":\"1\"}}",
          "tools/list {}",
          "prompts/list {}",
          "resources/list {}",
          called("state", "{}"),
          called("create_task", "{\"title\":\"warm up\",\"begin\":true}"),
          called(
              "update",
              "{\"decisions\":[\"stay warm\"],\"history\":[\"it is warm\"],\"next_focus\":\"more\"}"),
          called("write_file", "{\"path\":\"warm.txt\",\"content\":\"warm\"}"),
          called("checkpoint", "{\"action\":\"save\",\"name\":\"warm\"}"),
          called("state", "{}"),
          called("recall", "{\"query\":\"warm\"}"),
          called("message", "{}"),
          called("finish_task", "{\"outcome\":\"completed\",\"result\":\"warm\"}"),
          called("next_task", "{}"));

  /** How somebody asks a server, where a body makes it a change. */
  private static final List<Map.Entry<String, String>> CLIENT =
      List.of(
          Map.entry("/tasks", "{\"title\":\"warm up\"}"),
          Map.entry("/tasks/claim", "{\"worker\":\"warm-up\"}"),
          Map.entry("/tasks/T-002/state", "{\"decisions\":[\"stay warm\"]}"),
          Map.entry("/tasks", ""),
          Map.entry("/tasks/T-002", ""),
          Map.entry("/tasks/T-002/prompt?budget=2000", ""),
          Map.entry("/journal", ""),
          Map.entry("/now", ""));

  private static final int PATIENCE_MILLIS = 10_000;

  private WarmUp() {}

  private static String called(String tool, String arguments) {
    return "tools/call {\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
  }

  static int run(String what) {
    return run(Path.of(System.getProperty("java.io.tmpdir")), what);
  }

  static int run(Path parent, String what) {
    try {
      Path folder = Files.createTempDirectory(parent, "mainstay-warm-up");
      // Temporary files may lie within somebody's project, whose store must not be written to.
      Files.createDirectory(folder.resolve(".git"));
      try {
        Map<String, String> env = new TreeMap<>(System.getenv());
        // An agent's project is where hooks write, and must not be written to here.
        env.keySet()
            .removeIf(name -> name.startsWith("MAINSTAY_") || name.endsWith("_PROJECT_DIR"));
        env.put("XDG_STATE_HOME", folder.resolve("state").toString()); // it leaves nothing behind
        play(what, env, folder);
        return 0;
      } finally {
        remove(folder);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void play(String what, Map<String, String> env, Path folder) throws IOException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    switch (what) {
      case "commands" -> commands(env, folder, nowhere);
      case "hooks" -> hooks(env, folder, nowhere);
      case "servers" -> servers(env, folder);
      case "all" -> {
        commands(env, folder, nowhere);
        servers(env, Files.createDirectory(folder.resolve("servers")));
      }
      default -> throw new IllegalArgumentException("commands, hooks, servers or all, not " + what);
    }
  }

  private static void commands(Map<String, String> env, Path folder, PrintStream nowhere) {
    Wiring wiring = new Wiring(env, folder);
    for (List<String> command : USUAL) {
      String input = command.get(0).equals("hook") ? HOOK : INPUT;
      var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
      var io = new Io(in, nowhere, nowhere, Map.of(), Io.Screen.PIPE);
      Door.run(command.toArray(String[]::new), io, wiring);
    }
    for (int i = 0; i < 2; i++) hear("PostToolUse", WROTE, env, folder, nowhere);
  }

  private static void servers(Map<String, String> env, Path folder) throws IOException {
    Files.createDirectories(folder.resolve(".git")); // a project of its own, whose tasks are known
    Wiring wiring = new Wiring(env, folder);
    agent(wiring);
    try (Serving server = wiring.serve(null, new Serving.Wanted("127.0.0.1", 0, null, null))) {
      String token = Files.readString(folder.resolve(".mainstay/token")).strip();
      for (var each : CLIENT) ask(server.address() + each.getKey(), token, each.getValue());
    }
  }

  /** Asks one thing after the other, as an agent does; what was answered. */
  static List<String> agent(Wiring wiring) throws IOException {
    List<String> answers = new ArrayList<>();
    var asked = new PipedInputStream();
    var said = new PipedInputStream();
    var out = new PipedOutputStream(said);
    Thread server = new Thread(() -> wiring.mcp(null, asked, out), "mainstay-warm-up");
    server.setDaemon(true);
    try (var in = new PipedOutputStream(asked)) {
      server.start();
      var lines = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8));
      for (int i = 0; i < AGENT.size(); i++) {
        String[] words = AGENT.get(i).split(" ", 2);
        say(in, "\"id\":" + i + ",\"method\":\"" + words[0] + "\",\"params\":" + words[1]);
        String line = lines.readLine();
        while (line != null && !line.contains("\"id\":" + i)) line = lines.readLine();
        if (line == null) throw new IOException(words[0] + " was not answered");
        answers.add(line);
        if (i == 0) say(in, "\"method\":\"notifications/initialized\"");
      }
    }
    try {
      server.join(); // it ends with its input
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    return answers;
  }

  private static void say(OutputStream in, String message) throws IOException {
    in.write(("{\"jsonrpc\":\"2.0\"," + message + "}\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private static void ask(String url, String token, String body) throws IOException {
    var asking = (HttpURLConnection) URI.create(url).toURL().openConnection();
    asking.setConnectTimeout(PATIENCE_MILLIS);
    asking.setReadTimeout(PATIENCE_MILLIS);
    asking.setRequestProperty("Authorization", "Bearer " + token);
    if (!body.isEmpty()) {
      asking.setRequestProperty("Content-Type", "application/json");
      asking.setDoOutput(true);
      asking.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    asking.getInputStream().readAllBytes();
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
