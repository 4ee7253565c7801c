package dev.mainstay.rest;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Journal;

/** The real use cases over a test's store. */
record TestRooms(Store store) implements Rooms {
  @Override
  public Tasks tasks() {
    return new Tasks(store);
  }

  @Override
  public Claims claims() {
    return Claims.once(new Leases(store));
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
  public AccessTokens access() {
    return new AccessTokens(store);
  }
}
