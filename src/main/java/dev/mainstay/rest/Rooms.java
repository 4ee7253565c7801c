package dev.mainstay.rest;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workspace;
import dev.mainstay.overview.Overview;
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
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Flows;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.TerminalStates;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Journal;
import dev.mainstay.upkeep.Upkeep;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.Workflows;
import dev.mainstay.workspace.Reservations;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Path;
import java.util.List;

/** The use cases that requests lead to. */
public interface Rooms {
  Tasks tasks();

  /** Notes what an agent was refused that is for persons alone. */
  void noteRefused(Call call, Refusal refusal);

  Leases leases();

  Assignments assignments();

  Helpers helpers();

  /** What came out of tasks; files of the server's own folder only. */
  Artifacts artifacts();

  TaskTypes taskTypes();

  Terminals terminals();

  /** The project's folder; a request can start agents in it and below it, and nowhere else. */
  Path root();

  Launches launches();

  /** What can be done with terminals that run on this host. */
  Screens screens();

  TerminalStates terminalStates();

  Inbox inbox();

  /** Agents that are started by the calendar. */
  Flows flows();

  /** Work for agents of a profile. */
  Delegations delegations();

  Checks checks();

  /** Who claims for all workers of this server. */
  Dispatcher dispatcher();

  /** Workflows as they are drawn. */
  Workflows workflows();

  /** Workflows that were started. */
  WorkflowExecutions workflowExecutions();

  Notebooks notebooks();

  TaskStates states();

  EvidenceBook evidence();

  Checkpoints checkpoints();

  TimeTravel timeTravel();

  Prompts prompts();

  Journal journal();

  Upkeep upkeep();

  /** What a person looks at. */
  Overview overview();

  AccessTokens access();

  Executions executions();

  /** The folders of this host that the store knows; requests name them by their ids alone. */
  List<Workspace> workspaces();

  /** One of those folders. */
  Tracker workspace(Path folder);

  /** What is kept for whom in one of them. */
  Reservations reservations(Path folder);
}
