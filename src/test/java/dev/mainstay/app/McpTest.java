package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.Pause;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import dev.mainstay.mcp.Origin;
import dev.mainstay.mcp.Prompt;
import dev.mainstay.mcp.Registry;
import dev.mainstay.mcp.Reply;
import dev.mainstay.mcp.Resource;
import dev.mainstay.mcp.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mainstay mcp} with the real tools on a real store. */
class McpTest {
  private static final String HELLO =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      """;

  private static final String CREATE =
      """
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_task",\
      "arguments":{"title":"from an agent"}}}
      """;

  @TempDir Path folder;

  @BeforeEach
  void aRepository() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
  }

  @Test
  void a_store_that_was_put_back_is_opened_again_by_a_process_that_runs_on() throws Exception {
    String db = folder.resolve("state.sqlite3").toString();
    var running = new RunningMcp(() -> Mainstay.open(db), mainstay -> () -> {}, Offer::new);
    var out = new ByteArrayOutputStream();
    try (var in = new PipedInputStream()) {
      Thread thread = new Thread(() -> running.run(in, out, new Origin(null, folder, true), "1"));
      try (var asking = new PipedOutputStream(in)) {
        thread.start();
        asking.write(HELLO.getBytes(StandardCharsets.UTF_8));
        ask(asking, out, 2, "T-001");
        try (var files = Files.newDirectoryStream(folder, "state.sqlite3*")) {
          for (Path file : files) Files.delete(file);
        }
        ask(asking, out, 3, "state.sqlite3 was deleted");
        try (Mainstay other = Mainstay.open(db)) {
          assertThat(other.taskTypes()).isNotNull();
        }
        ask(asking, out, 4, "T-001");
      }
      thread.join();
    }
  }

  /** Calls a tool once; the answer with this number has the words. */
  private static void ask(
      PipedOutputStream asking, ByteArrayOutputStream out, int answer, String words)
      throws IOException {
    String call = CREATE.replace("\"id\":2", "\"id\":" + answer); // the same id is a repetition
    asking.write(call.getBytes(StandardCharsets.UTF_8));
    asking.flush();
    while (lines(out) <= answer) Pause.briefly();
    List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(answers.get(answer - 1)).contains(words);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private List<JsonObject> talk(String messages) {
    var out = new ByteArrayOutputStream();
    int exit = new Wiring(Map.of("USER", "ada"), folder).mcp(null, bytes(messages), out);
    assertThat(exit).isZero();
    return out.toString(StandardCharsets.UTF_8).lines().map(JsonText::object).toList();
  }

  @Test
  void an_agent_makes_a_task_that_is_there_afterwards() {
    List<JsonObject> answers = talk(HELLO + CREATE);
    assertThat(answers).hasSize(2);
    assertThat(answers.get(1).object("result").get("isError")).isNull();
    assertThat(CliRun.of(folder, "", "task", "list").out()).contains("from an agent");
  }

  @Test
  void both_eras_reach_the_same_tools() {
    String alone =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{\
        "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
        "io.modelcontextprotocol/clientCapabilities":{}}}}
        """;
    String old = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    JsonObject young = talk(alone).get(0).object("result");
    assertThat(young.objects("tools")).hasSize(10);
    assertThat(talk(HELLO + old).get(1).object("result").objects("tools"))
        .isEqualTo(young.objects("tools"));
  }

  @Test
  void a_store_that_cannot_be_opened_is_an_answer_and_no_silence() throws IOException {
    var out = new ByteArrayOutputStream();
    var running =
        new RunningMcp(
            () -> {
              throw Refusal.unavailable("the disk is gone; look for it", null);
            },
            mainstay -> () -> {},
            Offer::new);
    running.run(bytes(HELLO + CREATE), out, new Origin(null, folder, true), "1");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("the disk is gone; look for it");
  }

  @Test
  void a_store_that_could_not_be_opened_is_opened_when_it_can_be() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    BlockingQueue<Mainstay> answered = new LinkedBlockingQueue<>();
    var running =
        new RunningMcp(
            () -> {
              if (away.get()) throw Refusal.unavailable("it is away", null);
              return Mainstay.open(folder.resolve("state.sqlite3").toString());
            },
            mainstay -> {
              answered.add(mainstay);
              return () -> {};
            },
            Offer::new);
    var out = new ByteArrayOutputStream();
    try (var in = new PipedInputStream()) {
      Thread thread = new Thread(() -> running.run(in, out, new Origin(null, folder, true), "1"));
      try (var asking = new PipedOutputStream(in)) {
        thread.start();
        asking.write(HELLO.getBytes(StandardCharsets.UTF_8));
        while (answered.isEmpty()) {
          int heard = lines(out);
          asking.write(CREATE.getBytes(StandardCharsets.UTF_8));
          asking.flush();
          while (lines(out) <= heard) Pause.briefly();
          if (out.toString(StandardCharsets.UTF_8).contains("it is away")) away.set(false);
        }
      }
      thread.join();
    }
    assertThat(answered).hasSize(1);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("it is away", "T-001");
  }

  private static int lines(ByteArrayOutputStream out) {
    return out.toString(StandardCharsets.UTF_8).split("\n", -1).length;
  }

  @Test
  void a_process_says_nothing_but_the_protocol_and_ends_with_its_input() throws Exception {
    ProcessBuilder builder = new ProcessBuilder(Jvm.words(List.of(), Main.class, "mcp"));
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    builder.directory(folder.toFile()).redirectError(folder.resolve("err").toFile());
    Process process = builder.start();
    try (var in = process.getOutputStream()) {
      in.write((HELLO + CREATE).getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(out.lines().map(JsonText::object)).hasSize(2);
  }

  /** Notes who is said to be alive. */
  private static final class Watched implements Registry {
    final BlockingQueue<Guest> alive = new LinkedBlockingQueue<>();

    @Override
    public void alive(Guest guest) {
      alive.add(guest);
      throw new IllegalStateException("a beat that fails");
    }

    @Override
    public String instructions() {
      return "";
    }

    @Override
    public List<Tool> tools() {
      return List.of(
          new Tool(
              "hello",
              "Says hello.",
              JsonObject.EMPTY,
              new Tool.Hints(true, true),
              (asking, arguments) -> Reply.text("hello")));
    }

    @Override
    public List<Resource> resources() {
      return List.of();
    }

    @Override
    public List<Prompt> prompts() {
      return List.of();
    }

    @Override
    public List<String> complete(Asking asking, String reference, String argument, String typed) {
      return List.of();
    }

    @Override
    public Subscription listen(Consumer<String> changed) {
      return () -> {};
    }
  }

  @Test
  void who_called_a_tool_is_said_to_be_alive_until_the_process_ends() throws Exception {
    Watched watched = new Watched();
    var running =
        new RunningMcp(
            () -> Mainstay.open(folder.resolve("store.sqlite3").toString()),
            mainstay -> () -> {},
            rooms -> watched,
            Duration.ofMillis(1));
    PipedInputStream read = new PipedInputStream();
    Thread thread =
        new Thread(
            () ->
                running.run(
                    read, new ByteArrayOutputStream(), new Origin("T1", folder, true), "1"));
    try (PipedOutputStream in = new PipedOutputStream(read)) {
      thread.start();
      in.write(HELLO.getBytes(StandardCharsets.UTF_8));
      String call =
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hello\"}}\n";
      in.write(call.getBytes(StandardCharsets.UTF_8));
      in.flush();
      Guest first = watched.alive.poll(20, TimeUnit.SECONDS);
      assertThat(first).isNotNull();
      assertThat(first.agent()).isEqualTo("claude-code");
      assertThat(first.terminal()).isEqualTo("T1");
      assertThat(watched.alive.poll(20, TimeUnit.SECONDS)).as("after one that failed").isNotNull();
    }
    thread.join();
  }
}
