package dev.mainstay.workflow;

import dev.mainstay.bpmn.Step.Trace;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.WorkflowEvent.Moved;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Tx;
import dev.mainstay.workflow.ExecutionView.Moment;
import dev.mainstay.workflow.ExecutionView.Open;
import dev.mainstay.workflow.ExecutionView.Visit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An execution as people look at it: what it waits for, and what happened at its nodes. */
final class Trail {
  private Trail() {}

  static ExecutionView in(Tx tx, String id) {
    WorkflowExecution execution = tx.workflowExecutions().get(id);
    return new ExecutionView(
        execution,
        tx.workflows().get(execution.workflow()),
        open(execution, tx.workflowWaits().of(id)),
        visits(tx.journal().stream(WorkflowExecution.stream(id))));
  }

  private static List<Open> open(WorkflowExecution execution, List<WorkflowWait> waits) {
    List<Open> open = new ArrayList<>();
    if (execution.status().isOver()) return open;
    List<Token> incidents =
        execution.standing().data().objects("tokens").stream()
            .map(Token::fromJson)
            .filter(token -> token.status() == Token.Status.INCIDENT)
            .toList();
    for (Token token : incidents) {
      open.add(
          new Open(
              token.position(), token.id(), "INCIDENT", String.valueOf(token.load().problem())));
    }
    for (WorkflowWait wait : waits) {
      boolean isWrong = incidents.stream().anyMatch(each -> each.id().equals(wait.token()));
      if (wait.kind() == Kind.WITHDRAWN || isWrong) continue;
      open.add(new Open(wait.node(), wait.token(), wait.kind().name(), about(wait)));
    }
    return open;
  }

  private static String about(WorkflowWait wait) {
    return switch (wait.kind()) {
      case ANSWER -> wait.about().question().text("text");
      case TIMER -> {
        var due = wait.about().due();
        yield due == null ? "" : Times.write(due);
      }
      case TASK, MESSAGE, CALL, WITHDRAWN -> wait.name();
    };
  }

  private static List<Visit> visits(List<JournalEntry> entries) {
    List<Visit> visits = new ArrayList<>();
    Map<String, Integer> under = new HashMap<>(); // where the open visit of a token to a node is
    for (JournalEntry entry : entries) {
      if (!entry.content().kind().equals(Moved.KIND)) continue;
      Moved moved = Moved.read(JsonText.object(entry.content().payload()));
      for (var json : moved.traces()) note(visits, under, Trace.fromJson(json), entry);
    }
    return visits;
  }

  private static void note(
      List<Visit> visits, Map<String, Integer> under, Trace trace, JournalEntry entry) {
    Moment moment =
        new Moment(trace.what(), entry.origin().at(), entry.origin().actor(), trace.note());
    String key = trace.token() + " " + trace.node();
    if (trace.what() == What.ENTERED || trace.what() == What.RETRIED) {
      visits.add(new Visit(trace.node(), trace.token(), moment, null));
      under.put(key, visits.size() - 1);
      return;
    }
    Integer at = under.remove(key);
    if (at != null) {
      Visit visit = visits.get(at);
      visits.set(at, new Visit(visit.node(), visit.token(), visit.entered(), moment));
    } else if (trace.what() != What.LEFT) { // one that is skipped leaves after that
      visits.add(new Visit(trace.node(), trace.token(), moment, moment));
    }
  }
}
