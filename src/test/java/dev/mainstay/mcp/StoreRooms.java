package dev.mainstay.mcp;

import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.session.Checks;
import dev.mainstay.session.Sessions;
import dev.mainstay.session.Turns;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.store.Store;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NoPlaces;
import dev.mainstay.terminal.RecordedLaunches;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.workspace.DiskArtifacts;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Path;
import java.util.Set;

/** The rooms over a store, with agents that are wanted and never started. */
class StoreRooms implements Rooms, AutoCloseable {
  final RecordedLaunches launches = new RecordedLaunches();
  private final Store store;
  private final Path folder;
  private final Dispatcher dispatcher;

  StoreRooms(Store store, Path folder) {
    this.store = store;
    this.folder = folder;
    this.dispatcher = new Dispatcher(store);
  }

  @Override
  public Sessions sessions() {
    return new Sessions(store);
  }

  @Override
  public Turns turns() {
    return new Turns(store, Set.of());
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
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Checks checks() {
    return new Checks(store);
  }

  @Override
  public Artifacts artifacts(Path root) {
    return new Artifacts(store, DiskArtifacts.anywhere(store, root));
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
  public Terminals terminals() {
    return new Terminals(store);
  }

  @Override
  public Screens screens() {
    throw new UnsupportedOperationException("no window is open here");
  }

  @Override
  public Inbox inbox() {
    return new Inbox(store);
  }

  @Override
  public Delegations delegations() {
    return new Delegations(
        store,
        launches,
        new NoPlaces(),
        artifacts(folder),
        new Delegations.Setting("here", folder, 3));
  }

  @Override
  public Tracker workspace(Path root) {
    return Tracker.open(store, root);
  }

  @Override
  public Reservations reservations(Path root) {
    return new Reservations(store, root);
  }

  @Override
  public Journal journal() {
    return new Journal(store);
  }

  @Override
  public void close() {
    dispatcher.close();
  }

  @Override
  public void noteRefused(dev.mainstay.domain.Call call, dev.mainstay.domain.Refusal refusal) {
    new dev.mainstay.access.RefusedAttempts(store).note(call, refusal);
  }
}
