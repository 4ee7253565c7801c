package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Jvm;
import dev.mainstay.app.CliRun;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@code mainstay serve} in a process of its own, which can be stopped and started again. */
final class PageServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TMUX_LIMIT = Duration.ofMinutes(1);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What a person's shell has, and nothing that says it is an agent's. */
  private static final Map<String, String> AT_HOME =
      Map.of("USER", "ada", "HOME", System.getenv("HOME"), "PATH", System.getenv("PATH"));

  private final Path folder;
  private List<String> tmux = List.of();
  private String workspace = "";
  private Process process;
  private URI address = URI.create("http://127.0.0.1:0");

  private PageServer(Path folder) {
    this.folder = folder;
  }

  static PageServer start(Path folder) {
    PageServer server = new PageServer(folder);
    server.start();
    return server;
  }

  /** On the port it had before, if it had one, so that its page finds it again. */
  void start() {
    try {
      Files.createDirectories(folder.resolve(".git")); // or it would look further up for a project
      List<String> words =
          Jvm.words(
              List.of("-Xmx256m", "-Djava.io.tmpdir=" + folder),
              "dev.mainstay.app.Main",
              List.of("serve", "--json", "--port", Integer.toString(address.getPort())));
      process = starting(words).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String line = out.readLine();
      if (line == null) throw new IllegalStateException("the server ended at once: " + log());
      address = URI.create(JsonText.object(line).text("address"));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** In the project's folder, where nothing says that it is an agent's; it complains to the log. */
  private ProcessBuilder starting(List<String> words) {
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> env = builder.environment();
    env.keySet().removeIf(name -> name.startsWith("MAINSTAY_") || name.startsWith("TMUX"));
    env.put("USER", "ada");
    env.put("LC_ALL", "C.UTF-8"); // or files could not be named in all letters
    return builder
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()));
  }

  /** What a command prints that an agent calls in the project's folder, however it ends. */
  String command(String input, String... arguments) {
    return CliRun.of(folder, input, arguments).out();
  }

  /** What comes of a line that a person pastes into a shell in the project's folder. */
  CliRun paste(String line) {
    // A shell says which words the program would get; starting a program for each takes longer.
    String shell = "mainstay() { printf '%s\\0' \"$@\" >&3; }; exec 3>&1; " + line;
    try {
      Process split = starting(List.of("bash", "-c", shell)).start();
      byte[] words = split.getInputStream().readAllBytes();
      String[] all = new String(words, StandardCharsets.UTF_8).split("\0", -1);
      assertThat(all).as("words of " + line).hasSizeGreaterThan(1);
      return CliRun.byPerson(folder, AT_HOME, Arrays.copyOf(all, all.length - 1));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  void stop() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException told) {
      throw new IllegalStateException(told);
    }
  }

  String log() {
    try {
      return Files.readString(folder.resolve("server.log"));
    } catch (IOException fault) {
      return fault.toString();
    }
  }

  String address() {
    return address.toString();
  }

  Path folder() {
    return folder;
  }

  String token() {
    try {
      return Files.readString(folder.resolve(".mainstay/token")).strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  JsonObject get(String path) {
    return send("GET", path, null);
  }

  JsonObject post(String path, Object... fields) {
    return send("POST", path, JsonObject.of(fields));
  }

  JsonObject put(String path, Object... fields) {
    return send("PUT", path, JsonObject.of(fields));
  }

  JsonObject patch(String path, Object... fields) {
    return send("PATCH", path, JsonObject.of(fields));
  }

  /** How the server answers whoever sends these headers and nothing else. */
  int status(String path, String... headers) {
    HttpRequest request = HttpRequest.newBuilder(address.resolve(path)).headers(headers).build();
    try {
      return CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException told) {
      throw new IllegalStateException(told);
    }
  }

  /** As the person this server belongs to; what it refuses is a fault of the test. */
  JsonObject send(String verb, String path, JsonObject body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path)).timeout(PATIENCE);
    request.setHeader("Authorization", "Bearer " + token());
    request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    request.method(
        verb,
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JsonText.write(body)));
    try {
      HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      assertThat(answer.statusCode())
          .as(verb + " " + path + ": " + answer.body())
          .isBetween(200, 299);
      return answer.body().isEmpty() ? JsonObject.EMPTY : JsonText.object(answer.body());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException told) {
      throw new IllegalStateException(told);
    }
  }

  /** The id of a new task. */
  String task(String title, Object... fields) {
    JsonObject body = JsonObject.of(fields).with("title", title);
    return send("POST", "/tasks", body).text("id");
  }

  /** What a worker now holds, with its fence: the most urgent that was ready. */
  JsonObject claim(String worker) {
    List<JsonObject> given = post("/tasks/claim", "worker", worker).objects("tasks");
    assertThat(given).as("something was ready for " + worker).isNotEmpty();
    return given.get(0);
  }

  /** Takes what is ready until it has this one. */
  JsonObject claimTitled(String title, String worker) {
    JsonObject held = claim(worker);
    while (!held.text("title").equals(title)) held = claim(worker);
    return held;
  }

  /** Writes a file of the project for a task, as an agent does that takes care. */
  void write(String name, String content, String task) {
    if (workspace.isEmpty()) {
      command("", "repo", "scan");
      workspace = get("/workspaces").objects("items").get(0).text("id");
    }
    String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    put(
        "/workspaces/" + workspace + "/files/" + path.replace("%2F", "/"),
        "content",
        content,
        "task",
        task);
  }

  /** A worker takes a task and gives it up. */
  void fail(JsonObject held, String error) {
    report(held, "fail", JsonObject.of("error", error));
  }

  void complete(JsonObject held, JsonObject result) {
    report(held, "complete", JsonObject.of("result", result));
  }

  private void report(JsonObject held, String verb, JsonObject said) {
    List<JsonObject> all = get("/tasks/" + held.text("id") + "/assignments").objects("items");
    long number = all.get(all.size() - 1).number("id");
    String fence = Long.toString(held.number("fence"));
    send("PUT", "/assignments/" + number + "/" + verb, said, "Mainstay-Fence", fence);
  }

  /** The id of a terminal that runs a script; skips the test where there is no tmux. */
  String launch(String script) {
    assumeThat(Programs.run(List.of("tmux", "-V"), TMUX_LIMIT))
        .as("tmux is installed; screens cannot be tested without it")
        .isPresent();
    JsonObject order =
        JsonObject.of("agent_profile", "developer", "provider", "shell")
            .with("program", List.of("sh", "-c", script));
    String id = send("POST", "/terminals/launch", order).text("id");
    List<String> attach = get("/terminals/" + id + "/attach").texts("command");
    tmux = attach.subList(0, attach.indexOf("-S") + 2);
    return id;
  }

  /** Ends the tmux of this server, too, by its socket alone. */
  @Override
  public void close() {
    stop();
    if (tmux.isEmpty()) return;
    List<String> command = new ArrayList<>(tmux);
    command.add("kill-server");
    Programs.run(command, TMUX_LIMIT);
  }
}
