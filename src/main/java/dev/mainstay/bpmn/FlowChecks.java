package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.domain.Phrase;
import java.util.List;
import java.util.Objects;

/** Whether every flow may be where it is, and whether gateways know which to take. */
final class FlowChecks {
  private final Definition definition;
  private final Complaints complaints;

  FlowChecks(Definition definition, Complaints complaints) {
    this.definition = definition;
    this.complaints = complaints;
  }

  void check(Edge edge) {
    Node source = definition.node(edge.source());
    Node target = definition.node(edge.target());
    if (!Objects.equals(source.frame().scope(), target.frame().scope())) {
      complaints.fatal(
          edge.id(),
          "the flow crosses the border of a sub-process",
          "let it lead to the sub-process itself, or stay within it");
    }
    if (target.kind() == NodeKind.START_EVENT || target.kind() == NodeKind.BOUNDARY_EVENT) {
      complaints.fatal(
          edge.id(),
          Phrase.of("the flow leads to \"%s\", where nothing can arrive", target.id()),
          "let it lead to what comes behind that event");
    }
    if (source.kind() == NodeKind.END_EVENT) {
      complaints.fatal(
          edge.id(),
          Phrase.of("the flow leaves the end event \"%s\"", source.id()),
          "make it an intermediate event, or take the flow out");
    }
    checkGuard(edge, source);
  }

  private void checkGuard(Edge edge, Node source) {
    String condition = edge.guard().condition();
    complaints.expression(edge.id(), "the condition", condition);
    if (!chooses(source.kind())) {
      if (condition != null) {
        complaints.fatal(
            edge.id(),
            Phrase.of("\"%s\" does not look at conditions", source.id()),
            "put an exclusive or inclusive gateway behind it, and the condition there");
      }
      if (edge.guard().isDefault()) {
        complaints.fatal(
            edge.id(),
            Phrase.of("\"%s\" has no use for a default flow", source.id()),
            "put an exclusive or inclusive gateway behind it");
      }
    } else if (condition != null && edge.guard().isDefault()) {
      complaints.note(
          edge.id(), "the condition of a default flow is never asked", "take the condition out");
    }
  }

  private static boolean chooses(NodeKind kind) {
    return kind.isActivity()
        || kind == NodeKind.EXCLUSIVE_GATEWAY
        || kind == NodeKind.INCLUSIVE_GATEWAY;
  }

  void check(Node node) {
    List<Edge> outgoing = definition.outgoing(node.id());
    for (Edge each : outgoing.stream().filter(e -> e.guard().isDefault()).skip(1).toList()) {
      complaints.fatal(
          each.id(),
          Phrase.of("\"%s\" has another default flow already", node.id()),
          "keep one, and give the others conditions");
    }
    switch (node.kind()) {
      case EXCLUSIVE_GATEWAY, INCLUSIVE_GATEWAY -> checkChoice(node, outgoing);
      case EVENT_GATEWAY -> checkEvents(node, outgoing);
      default -> {}
    }
  }

  private void checkChoice(Node gateway, List<Edge> outgoing) {
    if (outgoing.size() < 2) return;
    for (Edge each : outgoing) {
      if (each.guard().condition() != null || each.guard().isDefault()) continue;
      if (gateway.kind() == NodeKind.EXCLUSIVE_GATEWAY) {
        complaints.fatal(
            each.id(),
            Phrase.of("\"%s\" cannot tell when to take this flow", gateway.id()),
            "give it a condition, or make it the default flow");
      } else {
        complaints.note(
            each.id(),
            "the flow has no condition, so it is always taken",
            "give it one, or make it the default flow, if that is not meant");
      }
    }
  }

  private void checkEvents(Node gateway, List<Edge> outgoing) {
    if (outgoing.size() < 2) {
      complaints.fatal(
          gateway.id(),
          "an event-based gateway waits for the first of several events, and there are not two",
          "draw the events behind it, or leave the gateway out");
    }
    for (Edge each : outgoing) {
      Node target = definition.node(each.target());
      if (!isAwaited(target)) {
        complaints.fatal(
            target.id(),
            Phrase.of(
                "it stands behind \"%s\" and is nothing that can be waited for", gateway.id()),
            "put a timer, a message event or a receive task there");
      } else if (definition.incoming(target.id()).size() > 1) {
        complaints.fatal(
            target.id(),
            Phrase.of("it is awaited by \"%s\" and other flows lead to it", gateway.id()),
            "let only the gateway lead to it");
      }
    }
  }

  private static boolean isAwaited(Node node) {
    if (node.kind() == NodeKind.RECEIVE_TASK) return node.traits().loop() == null;
    Trigger trigger = node.traits().trigger();
    boolean awaited = trigger instanceof Trigger.Timer || trigger instanceof Trigger.Message;
    return node.kind() == NodeKind.CATCH_EVENT && awaited;
  }
}
