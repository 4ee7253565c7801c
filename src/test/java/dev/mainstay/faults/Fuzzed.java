package dev.mainstay.faults;

import dev.mainstay.OwnFolder;
import dev.mainstay.app.FuzzedDoors;
import dev.mainstay.app.Mainstay;
import dev.mainstay.diagram.BpmnFile;
import dev.mainstay.directory.Page;
import dev.mainstay.directory.PageFault;
import dev.mainstay.directory.PageName;
import dev.mainstay.domain.Argv;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.ScreenText;
import dev.mainstay.domain.StateUpdateText;
import dev.mainstay.hook.Hooks;
import dev.mainstay.hook.Told;
import dev.mainstay.json.FrontMatter;
import dev.mainstay.json.JsonText;
import dev.mainstay.rules.Condition;
import dev.mainstay.rules.Expression;
import dev.mainstay.rules.Figure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What reads bytes from outside: each takes any bytes and does something, or refuses them with a
 * sentence. Anything else that is thrown is a fault of ours. Jazzer calls the nested classes; the
 * tests of a build call the same with fixed seeds.
 */
public enum Fuzzed {
  JSON(Fuzzed::json, "{\"a\": [1, -2.5e3, true, null, \"\\u00e9\\\\\"], \"b\": {}}", "[\"x\"]"),
  BPMN(
      text -> BpmnFile.read(text),
      """
      <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">
       <process id="p" isExecutable="true"><startEvent id="s"/><userTask id="t" name="do &amp; it"/>
       <endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="t"/>
       <sequenceFlow id="g" sourceRef="t" targetRef="e">
       <conditionExpression>${a &gt; 1}</conditionExpression></sequenceFlow></process></definitions>
      """),
  EXPRESSION(
      Fuzzed::expression,
      "cost > 0.8 * budget && failures >= 3",
      "a.b[0] == 'x' ? 1 : size(c) % 2",
      "feedback.contains(\"no\") || !(mode in ['A', 'B'])"),
  MARKDOWN(
      Fuzzed::pages,
      "# Plan\n\n### Step 1: Go\n- **status**: PENDING\n- **inputs**:\n  - a: {{b.c}}\n",
      "# Constraints\n\n- **max_cost**: $5\n\n## Adaptation Rules\n- If cost > 1 -> set x to \"y\"\n",
      "# History\n\n## 2026-01-31T00:00:00Z\n- **step**: 1\n```json\n{}\n```\n"),
  FRONT_MATTER(
      text -> FrontMatter.read("file", text),
      "---\nname: a\nlist: [1, two]\nmap:\n  k: 'v'\n---\nbody\n",
      "---\na: &x {b: *x}\n---\n"),
  PATH(Fuzzed::path, "src/main/App.java", "a/../../etc/passwd", "./.git/config", "e\u0301.txt"),
  STATE_UPDATE(
      Fuzzed::update,
      "text <state_update>{\"decisions\": [\"x\"], \"next_focus\": \"y\"}</state_update> more",
      "```state_update\n{\"history\": []}\n```"),
  SCREEN(
      text -> ScreenText.of(text),
      "a\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\nb\u009b2Jc\u001bP+q\u001b\\",
      "\u001b[201~\u001b[?1049h\b\b\b"),
  SECRETS(
      text -> Redactor.DEFAULT.redact(Redactor.DEFAULT.redact(text)),
      "pass" + "word = \"" + "hunter2".repeat(2) + "\" AKIA" + "IOSFODNN7EXAMPLE",
      "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"),
  COMMAND(Argv::split, "cd a && FOO=1 'mvn' -B \"ver$(x)ify\" > out 2>&1 | tee b"),
  HOOK(
      new OnStore(Fuzzed::hook),
      """
      {"session_id": "s", "hook_event_name": "PostToolUse", "cwd": "/tmp", "tool_name": "Write",
       "tool_input": {"file_path": "a.txt", "content": "x"}, "tool_response": {"success": true}}""",
      "{\"session_id\": \"s\", \"hook_event_name\": \"UserPromptSubmit\", \"prompt\": \"new goal: x\"}"),
  MCP(
      new OnStore(Fuzzed::frames),
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"update","arguments":{"decisions":["x"]}}}
      """,
      "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"resources/read\",\"params\":{\"uri\":\"mainstay://tasks/T-001/state\"}}\n"),
  /** The control: breaks at a byte that no sample has, and must be found. */
  BROKEN(Fuzzed::breaks, "harmless");

  private final Consumer<String> reader;
  private final List<String> samples;

  Fuzzed(Consumer<String> reader, String... samples) {
    this.reader = reader;
    this.samples = List.of(samples);
  }

  /** What inputs are made of by changing it. */
  List<String> samples() {
    return samples;
  }

  /** Reads the bytes or refuses them. */
  void take(byte[] bytes) {
    take(new String(bytes, StandardCharsets.UTF_8));
  }

  void take(String text) {
    try {
      reader.accept(text);
    } catch (Refusal | PageFault no) {
      if (String.valueOf(no.getMessage()).isBlank())
        throw new AssertionError("a no without a word");
    }
  }

  private static void breaks(String text) {
    if (text.startsWith("harm!")) throw new IllegalStateException("broken on purpose");
  }

  private static void json(String text) {
    String written = JsonText.write(JsonText.object(text));
    if (!JsonText.write(JsonText.object(written)).equals(written)) {
      throw new AssertionError("written and read again it is something else");
    }
  }

  private static void expression(String text) {
    JsonObject variables =
        JsonObject.of("a", JsonObject.of("b", List.of("x", 1)), "c", "text", "cost", 2);
    try {
      Expression.compile(text).ask(variables);
    } catch (Refusal no) {
      // A condition has other names, and is asked as well.
    }
    Map<String, Figure> figures = Map.of("cost", Figure.NUMBER, "feedback", Figure.TEXT);
    Condition.compile(text, figures).ask(Map.of("cost", 2, "feedback", "no"));
  }

  private static void pages(String text) {
    RuntimeException last = null;
    for (PageName page : PageName.values()) {
      try {
        Page.read(page, text);
      } catch (Refusal | PageFault no) {
        last = no;
      }
    }
    if (last != null) throw last;
  }

  private static void path(String text) {
    RepoPath path = new RepoPath(text);
    if (!new RepoPath(path.value()).equals(path)) throw new AssertionError("it is another path");
    for (String name : path.names()) {
      if (name.equals("..") || name.equals(".") || name.isEmpty() || name.indexOf('/') >= 0) {
        throw new AssertionError("it leads somewhere else: " + path);
      }
    }
  }

  private static void update(String text) {
    for (var each : StateUpdateText.find(text))
      NotebookDelta.fromJson(JsonText.object(each.json()));
    NotebookDelta.fromJson(JsonText.object(text));
  }

  private static void hook(Mainstay house, String text) {
    Path folder = OnStore.folder();
    Hooks.Setting setting =
        new Hooks.Setting(
            true,
            fault -> {
              throw fault;
            });
    new Hooks(house, setting).hear(new Told("auto", "claude-code", text, folder, Map.of()));
  }

  private static void frames(Mainstay house, String text) {
    var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    var out = new ByteArrayOutputStream();
    FuzzedDoors.mcp(house, OnStore.folder(), in, out);
    for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
      JsonObject answer = JsonText.object(line);
      JsonObject error = answer.object("error");
      boolean ours = error.get("code") instanceof Long code && code == -32603L;
      if (ours) throw new AssertionError("a fault of ours: " + line + " for " + text);
    }
  }

  /** Reads with a store that is opened once. */
  private static final class OnStore implements Consumer<String> {
    private interface Reader {
      void read(Mainstay house, String text);
    }

    private static final class Shared {
      static final Path FOLDER = make();
      static final Mainstay HOUSE =
          Mainstay.open(FOLDER.resolve(".mainstay/state.sqlite3").toString());

      private static Path make() {
        try {
          Path folder = Files.createTempDirectory("mainstay-fuzz");
          Files.createDirectory(folder.resolve(".git"));
          OwnFolder.in(folder);
          return folder.toRealPath();
        } catch (IOException fault) {
          throw new UncheckedIOException(fault);
        }
      }
    }

    private final Reader reader;

    OnStore(Reader reader) {
      this.reader = reader;
    }

    static Path folder() {
      return Shared.FOLDER;
    }

    @Override
    public void accept(String text) {
      reader.read(Shared.HOUSE, text);
    }
  }

  /** Writes the samples of a target into a folder, for a fuzzer to begin with. */
  public static void main(String[] given) throws IOException {
    Path folder = Files.createDirectories(Path.of(given[1]));
    int number = 0;
    for (String sample : valueOf(given[0]).samples()) {
      Files.writeString(folder.resolve("sample-" + ++number), sample);
    }
  }

  /** For Jazzer, which wants a class of its own for each. */
  public static final class Target {
    private static final Fuzzed CHOSEN = valueOf(System.getProperty("fuzzed", "JSON"));

    /**
     * Of work, not of the clock: on a machine that others use as well, an input may wait longer
     * than that for its turn.
     */
    private static final long INPUT_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private Target() {}

    /** What is loaded for the first input is not held against it. */
    public static void fuzzerInitialize() {
      if (CHOSEN == BROKEN) return;
      for (String sample : CHOSEN.samples()) CHOSEN.take(sample);
    }

    public static void fuzzerTestOneInput(byte[] bytes) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadCpuTime();
      CHOSEN.take(bytes);
      long worked = threads.getCurrentThreadCpuTime() - before;
      if (worked > INPUT_NANOS_MAX) throw new AssertionError("it took " + worked + " ns of work");
    }
  }
}
