package dev.mainstay.workflow;

import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.store.Tx;
import java.util.List;
import java.util.stream.Collectors;

/** Whether an execution can be helped, and where. */
final class Mending {
  private Mending() {}

  static void mustGoOn(Running running) {
    if (running.status().isOver()) {
      throw Refusal.conflict(
          Phrase.of("%s is %s; start the workflow anew", running.id(), running.status()));
    }
  }

  static void mustRun(Running running) {
    mustGoOn(running);
    if (running.status() == Status.PAUSED) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is PAUSED; resume it first with 'mainstay workflow resume %s'",
              running.id(), running.id()));
    }
  }

  static List<Token> incidents(Running running, String node) {
    mustGoOn(running);
    List<Token> all =
        running.marking().tokens().stream()
            .filter(token -> token.status() == Token.Status.INCIDENT)
            .toList();
    List<Token> here =
        all.stream()
            .filter(token -> token.position().equals(node) || token.id().equals(node))
            .toList();
    if (!here.isEmpty()) return here;
    String nodes = all.stream().map(Token::position).distinct().collect(Collectors.joining(", "));
    throw Refusal.conflict(
        Phrase.of(
            "nothing is wrong at %s of %s; %s",
            node, running.id(), nodes.isEmpty() ? "nor anywhere else" : "but at " + nodes));
  }

  /** Whoever tries the task itself again is not overtaken by a second one. */
  static void mustNotBeUnderWay(Tx tx, Running running, Token token) {
    WorkflowWait wait = running.wait(token.id()).orElse(null);
    if (wait == null || wait.kind() != Kind.TASK) return;
    Task task = tx.tasks().find(new TaskId(wait.name())).orElse(null);
    if (task == null || task.status().isEnded()) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s at %s is being tried again already; cancel it first, or wait for it",
            task.id(), token.position()));
  }
}
