package dev.mainstay.demo;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.store.Store;
import dev.mainstay.terminal.Agents;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.Places;
import dev.mainstay.terminal.Providers;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Supervisor;
import dev.mainstay.terminal.TerminalHost;
import dev.mainstay.terminal.TmuxSocket;
import dev.mainstay.workspace.Host;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The terminals of the story, in a tmux of their own, and what looks after them. */
final class ApiCrew implements AutoCloseable {
  static final String SESSION = "api";
  static final String STORE = "state.sqlite3";
  private static final String PROVIDER = "stand-in";
  private static final Duration TMUX_LIMIT = Duration.ofSeconds(10);
  private static final int SOCKET_CODE_CHARS = 8;
  private static final int SOCKET_PATH_BYTES_MAX = 100;

  /** Options of this process's own JVM with which another one starts as fast as it did. */
  private static final List<String> INHERITED =
      List.of(
          "-XX:SharedArchiveFile=",
          "-XX:AOTCache=",
          "-XX:-UsePerfData",
          "-Xlog:",
          "-Dorg.sqlite.",
          "-Djava.locale.providers=",
          "--enable-native-access=",
          "--sun-misc-unsafe-memory-access=");

  private final TmuxSocket socket;
  private final Path folder;
  private final TerminalHost host;
  private final Launches launches;
  private final Screens screens;
  private final Supervisor watch;
  private final List<RuntimeException> faults = new CopyOnWriteArrayList<>();
  private final List<String> started = new ArrayList<>();

  ApiCrew(Store store, Path folder) {
    this.folder = folder;
    this.socket = socket(folder);
    Path own = folder.resolve(".mainstay");
    write(own);
    this.host = new TerminalHost(Host.current(), socket, own.resolve("terminals"));
    Agents agents = Agents.of(new Places(own, null));
    var settings =
        new Launches.Settings(
            Launches.Settings.LIVE_MAX,
            Map.of(
                "PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
                "MAINSTAY_DB", folder.resolve(STORE).toString()));
    this.launches = new Launches(store, host, agents, settings);
    this.screens = new Screens(store, host, agents.providers());
    this.watch = new Supervisor(store, host, agents, faults::add).start();
  }

  /** In the story's folder, unless its path is too long for the kernel. */
  private static TmuxSocket socket(Path folder) {
    Path path = folder.resolve("tmux");
    if (path.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_BYTES_MAX) {
      return TmuxSocket.at(path);
    }
    String code = JournalEntry.sha256(path.toString()).substring(0, SOCKET_CODE_CHARS);
    return TmuxSocket.named("mainstay-demo-" + code);
  }

  /** The scripted agent as a provider of the story's own. */
  private static void write(Path own) {
    try {
      Path options = Files.createDirectories(own.resolve("providers")).resolve("java.options");
      Files.write(options, options());
      Path deed = options.resolveSibling("deed.argv");
      Files.write(deed, java(options, ApiAgent.class));
      List<String> command = java(options, StandIn.class);
      command.addAll(List.of("--do", deed.toString(), "--late", "60"));
      Files.writeString(
          own.resolve("providers").resolve(PROVIDER + ".yaml"),
          Phrase.of(
              """
              name: %s
              description: A scripted agent with the habits of Claude Code
              command: %s
              arguments:
                system_prompt: {environment: {AGENT_SYSTEM_PROMPT: "{file}"}}
              %sexit: /exit
              settle: 200ms
              """,
              PROVIDER, JsonText.write(command), screenOfClaude()));
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("the demo cannot write to %s: %s", own, fault.getMessage()), fault);
    }
  }

  /** The stand-in is judged by the signs that judge the real one. */
  private static String screenOfClaude() throws IOException {
    try (InputStream in = Providers.class.getResourceAsStream("providers/claude-code.yaml")) {
      if (in == null) throw new IllegalStateException("the provider claude-code is missing");
      String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return yaml.substring(yaml.indexOf("screen:\n"), yaml.indexOf("exit: "));
    }
  }

  private static List<String> java(Path options, Class<?> main) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ArrayList<>(List.of(java.toString(), "@" + options, main.getName()));
  }

  /** A line each, as the launcher of the JVM reads them from a file: a class path can be long. */
  private static List<String> options() {
    List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (INHERITED.stream().anyMatch(option::startsWith)) all.add(option);
    }
    // What it prints is read by the screen it stands for, so nothing else may be printed.
    all.add("-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider");
    all.addAll(List.of("-Dslf4j.internal.verbosity=WARN", "-Dfile.encoding=UTF-8"));
    all.addAll(List.of("-Dstdout.encoding=UTF-8", "-cp", classPath()));
    return all.stream().map(ApiCrew::quoted).toList();
  }

  private static String quoted(String word) {
    return "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** Windows begin in another folder than this process did. */
  private static String classPath() {
    String separator = System.getProperty("path.separator");
    List<String> whole =
        Stream.of(System.getProperty("java.class.path").split(separator))
            .map(each -> Path.of(each).toAbsolutePath().toString())
            .toList();
    return String.join(separator, whole);
  }

  /** Starts an agent for whoever calls. */
  String launch(String profile, JsonObject told, Call call) {
    var order = LaunchOrder.of(profile, folder).on(PROVIDER).in(SESSION).told(told);
    Terminal terminal = launches.launch(order, call);
    started.add(terminal.id());
    return terminal.id();
  }

  /** In the order in which they were started. */
  List<String> started() {
    return List.copyOf(started);
  }

  /** Ends an agent and all it runs without a word of warning, as {@code kill -9} does. */
  void kill(String id) {
    Optional<Ended> panes = tmux("list-panes", "-a", "-F", "#{window_name} #{pane_pid}");
    String line =
        panes.stream()
            .flatMap(ended -> ended.output().lines())
            .filter(each -> each.startsWith(id + " "))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(id + " has no window"));
    long pid = Long.parseLong(line.substring(id.length() + 1).strip());
    List<ProcessHandle> all =
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList();
    // The shell around it stays, and notes how it ended.
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private Optional<Ended> tmux(String... words) {
    List<String> argv = new ArrayList<>(List.of("tmux"));
    argv.addAll(socket.flags());
    argv.addAll(List.of(words));
    return Programs.run(argv, TMUX_LIMIT);
  }

  /** The command by which a person sees all of them. */
  List<String> attach() {
    return socket.attach(SESSION);
  }

  /** The command that ends them. */
  List<String> end() {
    List<String> argv = new ArrayList<>(List.of("tmux"));
    argv.addAll(socket.flags());
    argv.add("kill-server");
    return argv;
  }

  /** What went wrong while nobody was asked. */
  List<RuntimeException> faults() {
    return faults;
  }

  /** Stops those that run, all at once, and keeps their last lines; then ends their tmux. */
  void endAll() {
    Call person = Call.by(Actor.person("demo"), "demo");
    List<Thread> stopping = new ArrayList<>();
    for (String id : started) stopping.add(new Thread(() -> stop(id, person), "stop-" + id));
    stopping.forEach(Thread::start);
    try {
      for (Thread each : stopping) each.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    watch.close();
    endTmux();
  }

  private void stop(String id, Call person) {
    try {
      screens.stop(id, person);
    } catch (RuntimeException fault) {
      faults.add(fault); // the end of its tmux is its end, too
    }
  }

  /** Ends the tmux with everything in it; also when somebody presses Ctrl-C. */
  void endTmux() {
    host.close(); // else its end would be taken for a fault, and it would be started again
    tmux("kill-server");
    try {
      if (socket.text().startsWith("/")) Files.deleteIfExists(Path.of(socket.text()));
    } catch (IOException left) {
      throw new UncheckedIOException(left);
    }
  }

  /** Looks no longer after them; they go on. */
  @Override
  public void close() {
    watch.close();
    host.close();
  }
}
