package dev.mainstay.rest;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workspace;
import dev.mainstay.overview.Overview;
import dev.mainstay.process.Programs;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Helpers;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.TaskTypes;
import dev.mainstay.queue.Tasks;
import dev.mainstay.session.Checks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.terminal.Agents;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Flows;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.NoPlaces;
import dev.mainstay.terminal.Places;
import dev.mainstay.terminal.RecordedLaunches;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.TerminalHost;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.terminal.TmuxSocket;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workspace.DiskArtifacts;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** The real use cases over a test's store. */
record TestRooms(
    Store store,
    Dispatcher dispatcher,
    Path root,
    TerminalHost host,
    AtomicReference<ArtifactFiles> otherFiles)
    implements Rooms, AutoCloseable {
  private static final Duration TMUX_LIMIT = Duration.ofSeconds(60);

  TestRooms(Store store) {
    this(store, Path.of(""));
  }

  TestRooms(Store store, Path root) {
    this(store, new Dispatcher(store), root, host(root), new AtomicReference<>());
  }

  /** A tmux of the test's own, of which nothing is there before it is used. */
  private static TerminalHost host(Path root) {
    return new TerminalHost("here", TmuxSocket.at(socket(root)), root.resolve("tmux"));
  }

  private static Path socket(Path root) {
    return root.toAbsolutePath().resolve("s");
  }

  /** For tests that need windows. */
  static void assumeTmux() {
    assumeThat(Programs.run(List.of("tmux", "-V"), TMUX_LIMIT))
        .as("tmux is installed; terminals cannot be tested without it")
        .isPresent();
  }

  /** Ends the test's tmux, by its socket alone. */
  @Override
  public void close() {
    host.close();
    String socket = socket(root).toString();
    if (Files.exists(socket(root))) {
      Programs.run(List.of("tmux", "-S", socket, "kill-server"), TMUX_LIMIT);
    }
  }

  private Agents agents() {
    return Agents.of(new Places(root.resolve(".mainstay"), null));
  }

  @Override
  public Launches launches() {
    var settings =
        new Launches.Settings(Launches.Settings.LIVE_MAX, Map.of("PATH", System.getenv("PATH")));
    return new Launches(store, host, agents(), settings);
  }

  @Override
  public Screens screens() {
    return new Screens(store, host, agents().providers());
  }

  @Override
  public Tasks tasks() {
    return new Tasks(store);
  }

  @Override
  public Leases leases() {
    return new Leases(store);
  }

  @Override
  public Helpers helpers() {
    return new Helpers(store);
  }

  @Override
  public Assignments assignments() {
    return new Assignments(store);
  }

  @Override
  public Artifacts artifacts() {
    ArtifactFiles other = otherFiles.get();
    return new Artifacts(store, other == null ? DiskArtifacts.below(store, root) : other);
  }

  @Override
  public TaskTypes taskTypes() {
    return new TaskTypes(store);
  }

  @Override
  public Terminals terminals() {
    return new Terminals(store);
  }

  @Override
  public TerminalStates terminalStates() {
    return new TerminalStates(store);
  }

  @Override
  public Flows flows() {
    return new Flows(store, new RecordedLaunches(), new Flows.Home("here", root));
  }

  @Override
  public Workflows workflows() {
    return new Workflows(store);
  }

  @Override
  public WorkflowExecutions workflowExecutions() {
    return new WorkflowExecutions(store);
  }

  @Override
  public Inbox inbox() {
    return new Inbox(store);
  }

  /** Nothing can be started here. */
  @Override
  public Delegations delegations() {
    return new Delegations(
        store,
        (order, call) -> {
          throw Refusal.unavailable("terminals are not available here", null);
        },
        new NoPlaces(),
        new Artifacts(store, DiskArtifacts.anywhere(store, root)),
        new Delegations.Setting("here", root, 10));
  }

  @Override
  public Checks checks() {
    return new Checks(store);
  }

  @Override
  public Notebooks notebooks() {
    return new Notebooks(store);
  }

  @Override
  public TaskStates states() {
    return new TaskStates(store);
  }

  @Override
  public EvidenceBook evidence() {
    return new EvidenceBook(store);
  }

  @Override
  public Checkpoints checkpoints() {
    return new Checkpoints(store);
  }

  @Override
  public TimeTravel timeTravel() {
    return new TimeTravel(store);
  }

  @Override
  public Prompts prompts() {
    return new Prompts(store);
  }

  @Override
  public Journal journal() {
    return new Journal(store);
  }

  @Override
  public Upkeep upkeep() {
    return new Upkeep(store, new StoreAddress.File(root.resolve("state.sqlite3")));
  }

  @Override
  public Overview overview() {
    return new Overview(store);
  }

  @Override
  public AccessTokens access() {
    return new AccessTokens(store);
  }

  @Override
  public Executions executions() {
    return new Executions(store);
  }

  @Override
  public List<Workspace> workspaces() {
    return store.reading(tx -> tx.workspaces().list()).stream().filter(Tracker::isHere).toList();
  }

  @Override
  public Tracker workspace(Path folder) {
    return Tracker.open(store, folder);
  }

  @Override
  public Reservations reservations(Path folder) {
    return new Reservations(store, folder);
  }

  @Override
  public void noteRefused(dev.mainstay.domain.Call call, dev.mainstay.domain.Refusal refusal) {
    new dev.mainstay.access.RefusedAttempts(store).note(call, refusal);
  }
}
