package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.terminal.Launches.Restored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Agents as they come from npm, with the built-in providers and a model that this test plays. They
 * are looked for in {@code -Dagents=DIR}, into which npm installed them, and on the PATH; those
 * that are not there are skipped.
 */
class RealAgentTest extends OnTerminals {
  private static final String RULE = "You never break a window.";
  private static final String PROMPT = "Count the windows; then say \"how many\".";
  private static final String COUNTED = "There are seven windows.";
  private static final String TEXT = "Clean $two of them;\n\ttell `who` did it: 窓 é 🎉";
  private static final String CLEANED = "Two windows are clean.";
  private static final String AGAIN = "And the others?";
  private static final String LEFT = "Five windows wait.";

  private StubModel model;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void aModelAndNoNetwork() throws IOException {
    model = new StubModel();
    Path home = Files.createDirectories(folder.resolve("home"));
    environment.put("HOME", home.toString());
    for (String kind : List.of("CONFIG", "DATA", "STATE", "CACHE")) {
      environment.put("XDG_" + kind + "_HOME", home.resolve(kind).toString());
    }
    environment.put("PATH", path());
    // Whatever else they would like to reach ends at the stub.
    for (String proxy : List.of("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")) {
      environment.put(proxy, model.url());
    }
    environment.put("NO_PROXY", "127.0.0.1");
    environment.put("no_proxy", "127.0.0.1");
  }

  @AfterEach
  void leaveNobodyBehind() {
    model.close();
    // They write to their home until they are gone.
    List<ProcessHandle> all =
        Files.exists(folder.resolve("s"))
            ? host.tmux().panes().list().stream().flatMap(RealAgentTest::processes).toList()
            : List.of();
    all.forEach(ProcessHandle::destroyForcibly);
    await(() -> all.stream().noneMatch(ProcessHandle::isAlive), all::toString);
  }

  private static Stream<ProcessHandle> processes(PaneView window) {
    return ProcessHandle.of(window.pid()).stream()
        .flatMap(shell -> Stream.concat(shell.descendants(), Stream.of(shell)));
  }

  @Test
  void gemini_cli_works_and_goes_on_where_it_was() throws IOException {
    JsonObject auth = JsonObject.of("selectedType", "gemini-api-key");
    JsonObject settings = JsonObject.of("security", JsonObject.of("auth", auth));
    write(".gemini/settings.json", JsonText.write(settings));
    environment.put("GEMINI_API_KEY", "none");
    environment.put("GOOGLE_GEMINI_BASE_URL", model.url());
    // With a model of its own choice it would ask another one first which to take.
    tell(new Cli("gemini-cli", "gemini", "gemini-2.5-pro", true, "To resume this session"));
  }

  @Test
  void codex_works() throws IOException {
    write(
        ".codex/config.toml",
        """
        model_provider = "stub"
        [model_providers.stub]
        name = "stub"
        base_url = "%s/v1"
        wire_api = "responses"
        """
            .replace("%s", model.url()));
    // It asks for trust in repositories only.
    Files.createDirectories(project.resolve(".git/objects"));
    Files.createDirectories(project.resolve(".git/refs"));
    Files.writeString(project.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    tell(new Cli("codex", "codex", "stub", true, "To continue this session"));
  }

  @Test
  void opencode_works() throws IOException {
    JsonObject options = JsonObject.of("baseURL", model.url() + "/v1", "apiKey", "none");
    JsonObject stub =
        JsonObject.of("npm", "@ai-sdk/openai-compatible", "name", "Stub", "options", options)
            .with("models", JsonObject.of("one", JsonObject.of("name", "One")));
    JsonObject settings = JsonObject.of("provider", JsonObject.of("stub", stub));
    write("CONFIG/opencode/opencode.json", JsonText.write(settings));
    tell(new Cli("opencode", "opencode", "stub/one", false, "Continue "));
  }

  /**
   * An agent's program.
   *
   * @param asksTrust whether it asks a person about a folder it has not seen before
   * @param farewell what it prints when it leaves as it should
   */
  private record Cli(
      String provider, String program, String model, boolean asksTrust, String farewell) {}

  /** The whole life of an agent. */
  private void tell(Cli cli) throws IOException {
    assumeThat(installed(cli.program()))
        .as(cli.program() + " is installed, on the PATH or in -Dagents=DIR")
        .isPresent();
    launches =
        new Launches(store, host, agents, new Launches.Settings(LIVE_MAX, Map.copyOf(environment)));
    profile("cleaner", "provider: " + cli.provider() + "\nmodel: " + cli.model(), RULE);
    supervise();
    model.holdBack(COUNTED);
    String id = launches.launch(LaunchOrder.of("cleaner", project).told(prompt(PROMPT)), ADA).id();
    if (cli.asksTrust()) {
      awaitStatus(id, Status.WAITING_FOR_PERSON);
      assertThat(get(id).seated().standing().why()).contains("trust this folder");
      screens.press(id, Key.ENTER, ADA);
    }
    awaitTurnWith(id, PROMPT);
    assertThat(last()).anyMatch(each -> each.contains(RULE));
    awaitStatus(id, Status.BUSY);
    model.speak();
    awaitShown(id, COUNTED);
    awaitStatus(id, Status.READY);
    assertAnswers(id, TEXT, CLEANED);

    Terminal stopped = screens.stop(id, ADA);
    assertThat(stopped.seated().status()).isEqualTo(Status.STOPPED);
    assertThat(String.join("\n", stopped.seated().standing().lastLines())).contains(cli.farewell());

    model.holdBack(COUNTED);
    Restored restored = launches.restore(id, ADA);
    model.speak();
    awaitShown(id, COUNTED); // from its conversation, or because it was asked again
    awaitStatus(id, Status.READY);
    assertAnswers(id, AGAIN, LEFT);
    assertThat(last().stream().anyMatch(each -> each.contains(TEXT)))
        .as("the model is told of what was before")
        .isEqualTo(restored.resumed());
    assertThat(faults).isEmpty();
  }

  /** A message arrives to the last character, once, and its answer is seen. */
  private void assertAnswers(String id, String text, String answer) {
    model.holdBack(answer);
    Message sent = inbox.send(NewMessage.to(id, text), ADA);
    awaitTurnWith(id, sent.onScreen());
    awaitStatus(id, Status.BUSY);
    model.speak();
    awaitShown(id, answer);
    awaitStatus(id, Status.DONE);
    assertThat(inbox.show(sent.id()).standing().status()).isEqualTo(Message.Status.DELIVERED);
    assertThat(last().stream().filter(each -> each.contains(sent.mark()))).hasSize(1);
    assertThat(screens.output(id, Screens.Mode.LAST, Capture.full())).contains(answer);
  }

  /** Where there is no place for a system prompt, that goes before the first text. */
  private void awaitTurnWith(String id, String text) {
    List<String> ways = List.of(text, RULE + "\n\n" + text);
    await(
        () -> !model.turns().isEmpty() && last().stream().anyMatch(ways::contains),
        () -> standing(id) + " and the model was not told exactly: " + text + "\n" + shown(id));
  }

  private String standing(String id) {
    return get(id).seated().standing() + "\n" + inbox.list(id, Inbox.Filter.ALL, 0, 10) + "\n";
  }

  private List<String> last() {
    return model.turns().get(model.turns().size() - 1);
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("home").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String path() {
    String agents = System.getProperty("agents");
    String inherited = System.getenv("PATH");
    return agents == null
        ? inherited
        : Path.of(agents, "node_modules", ".bin").toAbsolutePath() + ":" + inherited;
  }

  private static Optional<Path> installed(String program) {
    return Stream.of(path().split(":"))
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
