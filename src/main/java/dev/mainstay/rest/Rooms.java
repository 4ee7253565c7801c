package dev.mainstay.rest;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.Prompts;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.upkeep.Journal;

/** The use cases that requests lead to. */
public interface Rooms {
  Tasks tasks();

  Claims claims();

  Notebooks notebooks();

  TaskStates states();

  EvidenceBook evidence();

  Checkpoints checkpoints();

  TimeTravel timeTravel();

  Prompts prompts();

  Journal journal();

  AccessTokens access();
}
