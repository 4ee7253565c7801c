package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
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

/** The rooms that this door leads to. */
public interface Rooms {
  Sessions sessions();

  /** Notes what an agent was refused that is for persons alone. */
  void noteRefused(Call call, Refusal refusal);

  Turns turns();

  Tasks tasks();

  Leases leases();

  /** Who claims for those that wait. */
  Dispatcher dispatcher();

  Checks checks();

  /** What came out of tasks; paths of files may be relative to the folder. */
  Artifacts artifacts(Path folder);

  Notebooks notebooks();

  TaskStates states();

  EvidenceBook evidence();

  Checkpoints checkpoints();

  TimeTravel timeTravel();

  Prompts prompts();

  Terminals terminals();

  Screens screens();

  Inbox inbox();

  Delegations delegations();

  Tracker workspace(Path folder);

  Reservations reservations(Path folder);

  Journal journal();
}
