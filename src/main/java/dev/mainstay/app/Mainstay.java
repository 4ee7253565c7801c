package dev.mainstay.app;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.access.RefusedAttempts;
import dev.mainstay.cli.House;
import dev.mainstay.directory.StateDirectories;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Workspace;
import dev.mainstay.overview.Overview;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Helpers;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Sweeper;
import dev.mainstay.queue.TaskTypes;
import dev.mainstay.queue.Tasks;
import dev.mainstay.rest.Rooms;
import dev.mainstay.rest.Wakeups;
import dev.mainstay.session.Checks;
import dev.mainstay.session.Sessions;
import dev.mainstay.session.Turns;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.state.Traces;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Flows;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.Pastes;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Supervisor;
import dev.mainstay.terminal.TerminalHost;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.upkeep.Forgetting;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.upkeep.OnlineBackups;
import dev.mainstay.upkeep.Retention;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workspace.DiskArtifacts;
import dev.mainstay.workspace.Host;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.SafeFolder;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mainstay as a library: {@code try (var mainstay = Mainstay.open("state.sqlite3"))} gives the same
 * use cases as the doors.
 */
public final class Mainstay
    implements House, Rooms, dev.mainstay.mcp.Rooms, dev.mainstay.hook.Rooms {
  private final StoreAddress address;
  private final Store store;
  private final Dispatcher dispatcher;
  private final TerminalSetup setup;
  private final TerminalHost host;
  private final WorkflowExecutions workflowExecutions;
  private final boolean isOwn;

  private Mainstay(StoreAddress address, StoreSettings settings, TerminalSetup setup) {
    this.address = address;
    this.setup = setup;
    setup.makeFolder(address);
    this.store = Store.open(address, settings);
    this.dispatcher = new Dispatcher(store);
    this.host = setup.host(address);
    this.workflowExecutions = new WorkflowExecutions(store);
    this.isOwn = true;
  }

  private Mainstay(Mainstay lender) {
    this.address = lender.address;
    this.setup = lender.setup;
    this.store = lender.store;
    this.dispatcher = lender.dispatcher;
    this.host = lender.host;
    this.workflowExecutions = lender.workflowExecutions;
    this.isOwn = false;
  }

  /** Opens a file or {@code postgresql://user@host/database}, and makes the store if need be. */
  public static Mainstay open(String url) {
    return open(StoreAddress.parse(url), StoreSettings.DEFAULT);
  }

  static Mainstay open(StoreAddress address, StoreSettings settings) {
    return open(address, settings, TerminalSetup.usual());
  }

  /** With the folder whose files callers from elsewhere may name, and in which agents work. */
  static Mainstay open(StoreAddress address, StoreSettings settings, TerminalSetup setup) {
    return new Mainstay(address, settings, setup);
  }

  /** The same, for somebody who closes it when done; this one stays open. */
  Mainstay borrowed() {
    return new Mainstay(this);
  }

  boolean isAt(StoreAddress other) {
    return address.equals(other);
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
  public Assignments assignments() {
    return new Assignments(store);
  }

  @Override
  public Helpers helpers() {
    return new Helpers(store);
  }

  @Override
  public Artifacts artifacts(Path folder) {
    return new Artifacts(store, DiskArtifacts.anywhere(store, folder));
  }

  @Override
  public Artifacts artifacts() {
    return new Artifacts(store, DiskArtifacts.below(store, setup.root()));
  }

  /** Tells those who follow the journal that it has grown. */
  Wakeups wakeups() {
    return new Wakeups() {
      @Override
      public long seen() {
        return store.changes().seen(News.JOURNAL);
      }

      @Override
      public void await(long since, Duration atMost) {
        store.changes().await(News.JOURNAL, since, atMost);
      }
    };
  }

  /** Brings back what time has ended, as long as it runs. */
  Sweeper sweeper(Consumer<RuntimeException> told) {
    return new Sweeper(store, told).start();
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
  public Path root() {
    return setup.root();
  }

  @Override
  public Launches launches() {
    return new Launches(store, host, setup.agents(), setup.settings(address));
  }

  @Override
  public Screens screens() {
    return new Screens(store, host, setup.agents().providers());
  }

  @Override
  public Terminal tend(String terminal, Duration limit) {
    try (Supervisor brief = supervisor(fault -> {})) {
      return brief.await(terminal, limit);
    }
  }

  @Override
  public void lookAtTerminals() {
    try (Supervisor brief = supervisor(fault -> {})) {
      brief.refresh();
    }
  }

  /** Looks after the terminals of this host, once it is started. */
  Supervisor supervisor(Consumer<RuntimeException> told) {
    return new Supervisor(store, host, setup.agents(), told);
  }

  @Override
  public TerminalStates terminalStates() {
    return new TerminalStates(store);
  }

  @Override
  public Inbox inbox() {
    return new Inbox(store);
  }

  @Override
  public Pastes pastes() {
    return new Pastes(store, setup.agents().profiles());
  }

  @Override
  public Flows flows() {
    return new Flows(store, launches(), new Flows.Home(Host.current(), setup.root()));
  }

  @Override
  public Delegations delegations() {
    Path folder = setup.root().toAbsolutePath().normalize();
    return new Delegations(
        store,
        launches(),
        new GitPlaces(UserFolders.of(setup.env())),
        artifacts(folder),
        new Delegations.Setting(SafeFolder.host(), folder, setup.liveMax()));
  }

  /** Whether the rows of the store may start, type and write; not in a folder opened as data. */
  boolean isTrusted() {
    return store.settings().isTrusted();
  }

  @Override
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Workflows workflows() {
    return new Workflows(store, Host.current(), setup.root()).doneBy(this::against);
  }

  private Optional<String> against(String profile, @Nullable String provider) {
    try {
      launches().mustKnow(profile, provider);
      return Optional.empty();
    } catch (Refusal unknown) {
      return Optional.of(unknown.sentence());
    }
  }

  @Override
  public WorkflowExecutions workflowExecutions() {
    return workflowExecutions;
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
  public Tracker workspace(Path folder) {
    setup.makeFolderIn(folder);
    return Tracker.open(store, folder, setup.folders()::isTrusted);
  }

  @Override
  public List<Workspace> workspaces() {
    return store.reading(tx -> tx.workspaces().list()).stream().filter(Tracker::isHere).toList();
  }

  @Override
  public Reservations reservations(Path folder) {
    return new Reservations(store, folder, setup.folders()::isTrusted);
  }

  @Override
  public Checks checks() {
    return new Checks(store, this::workspace);
  }

  @Override
  public Executions executions() {
    return new Executions(store);
  }

  @Override
  public StepWork steps() {
    return new StepWork(store);
  }

  @Override
  public StateDirectories directories() {
    return new StateDirectories(store);
  }

  @Override
  public Traces traces() {
    return new Traces(store);
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
  public Sessions sessions() {
    return new Sessions(store);
  }

  @Override
  public Turns turns() {
    return new Turns(store, PollingTools.NAMES);
  }

  Duration stalledFor() {
    return store.stalledFor();
  }

  @Override
  public Journal journal() {
    return new Journal(store);
  }

  @Override
  public Overview overview() {
    return new Overview(store);
  }

  @Override
  public Upkeep upkeep() {
    return new Upkeep(store, address);
  }

  @Override
  public Retention retention() {
    return new Retention(store);
  }

  @Override
  public Forgetting forgetting() {
    return ForgettingSetup.of(store, setup.root(), OnlineBackups.of(address, setup.env()));
  }

  @Override
  public void noteRefused(Call call, Refusal refusal) {
    new RefusedAttempts(store).note(call, refusal);
  }

  @Override
  public AccessTokens access() {
    return new AccessTokens(store);
  }

  /**
   * Whether the store's files were lost and opening it again helps: others are in their place, or a
   * backup waits for a person, which the refusal then says. It never makes an empty store.
   */
  boolean mustReopen() {
    if (!store.isLost() || !(address instanceof StoreAddress.File file)) return false;
    return Files.exists(file.path())
        || OnlineBackups.of(address, setup.env())
            .flatMap(OnlineBackups::ofMissingStore)
            .isPresent();
  }

  /**
   * Makes the online backup of the project's store when it is older than this and the store has
   * changed; does nothing for a store that another part of this process has open and backs up.
   */
  void saveOnline(Duration age) {
    if (!isOwn || store.isLost()) return;
    OnlineBackups.of(address, setup.env()).ifPresent(backups -> upkeep().saveOnline(backups, age));
  }

  @Override
  public void close() {
    if (!isOwn) return;
    dispatcher.close();
    host.close();
    store.close();
  }
}
