package dev.mainstay.cli;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.directory.StateDirectories;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Assignments;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.queue.Helpers;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.TaskTypes;
import dev.mainstay.queue.Tasks;
import dev.mainstay.session.Checks;
import dev.mainstay.session.Sessions;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.state.Traces;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Flows;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Forgetting;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.upkeep.Retention;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Path;
import java.time.Duration;

/** An open store with the rooms that work on it. */
public interface House extends AutoCloseable {
  Tasks tasks();

  Leases leases();

  Assignments assignments();

  Helpers helpers();

  /** What came out of tasks; paths of files may be relative to the folder. */
  Artifacts artifacts(Path folder);

  TaskTypes taskTypes();

  Terminals terminals();

  Launches launches();

  /** What can be done with terminals that run on this host. */
  Screens screens();

  /** Notes how the terminals of this host stand now. */
  void lookAtTerminals();

  /** Tends a terminal until it took what it begins with; for who starts one and does not stay. */
  Terminal tend(String terminal, Duration limit);

  TerminalStates terminalStates();

  Inbox inbox();

  /** Agents that are started by the calendar. */
  Flows flows();

  /** Work for agents of a profile. */
  Delegations delegations();

  /** Who claims for those that wait. */
  Dispatcher dispatcher();

  /** Workflows as they are drawn. */
  Workflows workflows();

  /** Workflows that were started. */
  WorkflowExecutions workflowExecutions();

  Notebooks notebooks();

  TaskStates states();

  EvidenceBook evidence();

  /** A folder in which agents work. */
  Tracker workspace(Path folder);

  Reservations reservations(Path folder);

  Checks checks();

  Sessions sessions();

  Executions executions();

  StepWork steps();

  StateDirectories directories();

  Traces traces();

  Checkpoints checkpoints();

  TimeTravel timeTravel();

  Prompts prompts();

  Journal journal();

  Upkeep upkeep();

  Retention retention();

  Forgetting forgetting();

  AccessTokens access();

  /** Notes what an agent was refused that is for persons alone. */
  void noteRefused(Call call, Refusal refusal);

  @Override
  void close();
}
