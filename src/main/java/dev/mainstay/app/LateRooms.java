package dev.mainstay.app;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.mcp.Rooms;
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
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The rooms of a store that may still be opening: whoever needs one waits for it. */
final class LateRooms implements Rooms {
  private final Supplier<? extends CompletableFuture<? extends Rooms>> opening;

  /** Asked each time, as a store that could not be opened may be opened again. */
  LateRooms(Supplier<? extends CompletableFuture<? extends Rooms>> opening) {
    this.opening = opening;
  }

  private Rooms rooms() {
    try {
      return opening.get().join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof Refusal refused) throw refused;
      throw failed;
    }
  }

  @Override
  public Sessions sessions() {
    return rooms().sessions();
  }

  @Override
  public void noteRefused(Call call, Refusal refusal) {
    rooms().noteRefused(call, refusal);
  }

  @Override
  public Turns turns() {
    return rooms().turns();
  }

  @Override
  public Tasks tasks() {
    return rooms().tasks();
  }

  @Override
  public Leases leases() {
    return rooms().leases();
  }

  @Override
  public Dispatcher dispatcher() {
    return rooms().dispatcher();
  }

  @Override
  public Checks checks() {
    return rooms().checks();
  }

  @Override
  public Artifacts artifacts(Path folder) {
    return rooms().artifacts(folder);
  }

  @Override
  public Notebooks notebooks() {
    return rooms().notebooks();
  }

  @Override
  public TaskStates states() {
    return rooms().states();
  }

  @Override
  public EvidenceBook evidence() {
    return rooms().evidence();
  }

  @Override
  public Checkpoints checkpoints() {
    return rooms().checkpoints();
  }

  @Override
  public TimeTravel timeTravel() {
    return rooms().timeTravel();
  }

  @Override
  public Prompts prompts() {
    return rooms().prompts();
  }

  @Override
  public Terminals terminals() {
    return rooms().terminals();
  }

  @Override
  public Screens screens() {
    return rooms().screens();
  }

  @Override
  public Inbox inbox() {
    return rooms().inbox();
  }

  @Override
  public Delegations delegations() {
    return rooms().delegations();
  }

  @Override
  public Tracker workspace(Path folder) {
    return rooms().workspace(folder);
  }

  @Override
  public Reservations reservations(Path folder) {
    return rooms().reservations(folder);
  }

  @Override
  public Journal journal() {
    return rooms().journal();
  }
}
