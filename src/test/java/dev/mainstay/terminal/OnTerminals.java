package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store, a tmux of its own, and everything that looks after terminals. */
abstract class OnTerminals {
  static final Call ADA = Call.by(Actor.person("ada"), "test");
  static final int LIVE_MAX = 4;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @TempDir Path folder;
  Path project;
  Store store;
  TerminalHost host;
  Agents agents;
  Launches launches;
  Screens screens;
  Inbox inbox;
  final List<RuntimeException> faults = new CopyOnWriteArrayList<>();
  private final List<Supervisor> supervisors = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    project = Files.createDirectories(folder.resolve("project"));
    store =
        Store.open(
            StoreAddress.parse(folder.resolve("state.sqlite3").toString()), StoreSettings.DEFAULT);
    host = host();
    agents = Agents.of(new Places(project.resolve(".mainstay"), null));
    launches = launches(host);
    screens = new Screens(store, host, agents.providers());
    inbox = new Inbox(store);
    profile("tester", "provider: shell", "You are a test.");
  }

  TerminalHost host() {
    return new TerminalHost("here", TmuxSocket.at(folder.resolve("s")), folder.resolve("run"));
  }

  Launches launches(TerminalHost on) {
    var settings = new Launches.Settings(LIVE_MAX, Map.of("PATH", System.getenv("PATH")));
    return new Launches(store, on, agents, settings);
  }

  @AfterEach
  void close() {
    supervisors.forEach(Supervisor::close);
    if (Files.exists(folder.resolve("s"))) host.tmux().server().killServer();
    host.close();
    store.close();
  }

  void profile(String name, String fields, String body) throws IOException {
    Path agentsFolder = Files.createDirectories(project.resolve(".mainstay/agents"));
    Files.writeString(
        agentsFolder.resolve(name + ".md"),
        "---\nname: " + name + "\ndescription: for tests\n" + fields + "\n---\n" + body + "\n");
  }

  void provider(String name, String yaml) throws IOException {
    Path providers = Files.createDirectories(project.resolve(".mainstay/providers"));
    Files.writeString(providers.resolve(name + ".yaml"), yaml);
  }

  Supervisor supervise() {
    Supervisor made = new Supervisor(store, host, agents, faults::add).start();
    supervisors.add(made);
    return made;
  }

  LaunchOrder order(String... program) {
    return LaunchOrder.of("tester", project).running(List.of(program));
  }

  Terminal launch(String... program) {
    return launches.launch(order(program), ADA);
  }

  Terminal get(String id) {
    return store.reading(tx -> tx.terminals().get(id));
  }

  Status status(String id) {
    return get(id).seated().status();
  }

  void awaitStatus(String id, Status wanted) {
    await(() -> status(id) == wanted, () -> id + " is " + get(id).seated().standing());
  }

  void awaitShown(String id, String text) {
    await(
        () -> shown(id).contains(text),
        () -> "not shown: " + text + "\non the screen of " + id + ":\n" + shown(id));
  }

  String shown(String id) {
    return screens.output(id, Screens.Mode.FULL, Capture.full());
  }

  void await(BooleanSupplier condition, java.util.function.Supplier<String> otherwise) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) throw new AssertionError(otherwise.get() + "; " + faults);
      LockSupport.parkNanos(20_000_000);
    }
  }

  static JsonObject prompt(String text) {
    return JsonObject.of("initial_prompt", text);
  }
}
