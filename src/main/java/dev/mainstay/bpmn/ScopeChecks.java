package dev.mainstay.bpmn;

import dev.mainstay.domain.Phrase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where a process and its sub-processes begin, what lies in them, and what is never reached. */
final class ScopeChecks {
  static final int SCOPE_DEPTH_MAX = 30;

  private final Definition definition;
  private final Complaints complaints;

  ScopeChecks(Definition definition, Complaints complaints) {
    this.definition = definition;
    this.complaints = complaints;
  }

  void check(Node node) {
    String scope = node.frame().scope();
    if (scope == null) return;
    boolean there = definition.find(scope).filter(each -> each.kind().isScope()).isPresent();
    if (!there) {
      complaints.fatal(
          node.id(),
          Phrase.of("it lies in \"%s\", which is no sub-process", scope),
          "name a sub-process as its scope, or none");
      return;
    }
    String outer = scope;
    for (int depth = 0; outer != null; depth++) {
      if (depth == SCOPE_DEPTH_MAX) {
        complaints.fatal(
            node.id(),
            Phrase.of("it lies in more than %d sub-processes", SCOPE_DEPTH_MAX),
            "call another workflow instead of nesting deeper");
        return;
      }
      outer = definition.find(outer).map(each -> each.frame().scope()).orElse(null);
    }
  }

  void checkStarts() {
    if (!definition.nodes().isEmpty()) checkProcess();
    for (Node each : definition.nodes()) {
      if (each.kind() == NodeKind.SUB_PROCESS) checkSubProcess(each);
      if (each.kind() == NodeKind.AD_HOC_SUB_PROCESS) checkAdHoc(each);
    }
  }

  private void checkProcess() {
    List<Node> starts = startEvents(null);
    if (starts.isEmpty()) {
      complaints.fatal(
          definition.key(), "the process has no start event", "draw one where it begins");
      return;
    }
    severalPlain(starts);
    checkReached(null, starts);
  }

  private void checkSubProcess(Node scope) {
    if (definition.inside(scope.id()).isEmpty()) {
      complaints.fatal(
          scope.id(), "the sub-process is empty", "draw what is done in it, or make it a task");
      return;
    }
    List<Node> starts = startEvents(scope.id());
    if (starts.isEmpty()) {
      complaints.fatal(
          scope.id(), "the sub-process has no start event", "draw one in it where it begins");
      return;
    }
    severalPlain(starts);
    checkReached(scope.id(), starts);
  }

  private void severalPlain(List<Node> starts) {
    List<Node> plain = starts.stream().filter(each -> each.traits().trigger() == null).toList();
    for (Node each : plain.stream().skip(1).toList()) {
      complaints.fatal(
          each.id(),
          Phrase.of("there is another plain start event, \"%s\"", plain.get(0).id()),
          "keep one, and let a gateway split behind it");
    }
  }

  private void checkAdHoc(Node scope) {
    List<Node> inside = definition.inside(scope.id());
    if (inside.stream().noneMatch(each -> each.kind().isActivity())) {
      complaints.fatal(scope.id(), "there is nothing to choose from", "draw the activities in it");
    }
    for (Node each : inside) {
      if (each.kind() == NodeKind.START_EVENT || each.kind() == NodeKind.END_EVENT) {
        complaints.fatal(
            each.id(),
            "an ad-hoc sub-process has no start and no end",
            "take it out; whoever chooses says what is next and when it is done");
      }
    }
    List<Node> starts =
        inside.stream()
            .filter(each -> each.kind() != NodeKind.BOUNDARY_EVENT)
            .filter(each -> definition.incoming(each.id()).isEmpty())
            .toList();
    checkReached(scope.id(), starts);
  }

  private List<Node> startEvents(@Nullable String scope) {
    return definition.inside(scope).stream()
        .filter(each -> each.kind() == NodeKind.START_EVENT)
        .toList();
  }

  private void checkReached(@Nullable String scope, List<Node> starts) {
    Set<String> reached =
        starts.stream().map(Node::id).collect(Collectors.toCollection(HashSet::new));
    Deque<String> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      String at = open.pop();
      for (Edge each : definition.outgoing(at)) {
        if (reached.add(each.target())) open.push(each.target());
      }
      for (Node each : definition.boundary(at)) {
        if (reached.add(each.id())) open.push(each.id());
      }
    }
    for (Node each : definition.inside(scope)) {
      boolean attached = each.kind() == NodeKind.BOUNDARY_EVENT;
      if (reached.contains(each.id()) || attached) continue;
      complaints.fatal(
          each.id(), "nothing leads to it from a start", "draw a flow to it, or take it out");
    }
  }
}
