package dev.mainstay.bpmn;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a node of a process is. */
public enum NodeKind {
  START_EVENT,
  END_EVENT,
  /** An intermediate event that waits. */
  CATCH_EVENT,
  /** An intermediate event that passes: it sends a message, or is only a milestone. */
  THROW_EVENT,
  BOUNDARY_EVENT,
  /** A task of no stated kind; it is work for the queue, as a service task is. */
  TASK,
  SERVICE_TASK,
  USER_TASK,
  MANUAL_TASK,
  BUSINESS_RULE_TASK,
  SEND_TASK,
  RECEIVE_TASK,
  EXCLUSIVE_GATEWAY,
  PARALLEL_GATEWAY,
  INCLUSIVE_GATEWAY,
  EVENT_GATEWAY,
  SUB_PROCESS,
  AD_HOC_SUB_PROCESS,
  CALL_ACTIVITY;

  private static final Set<NodeKind> EVENTS =
      EnumSet.of(START_EVENT, END_EVENT, CATCH_EVENT, THROW_EVENT, BOUNDARY_EVENT);
  private static final Set<NodeKind> GATEWAYS =
      EnumSet.of(EXCLUSIVE_GATEWAY, PARALLEL_GATEWAY, INCLUSIVE_GATEWAY, EVENT_GATEWAY);
  private static final Set<NodeKind> SCOPES = EnumSet.of(SUB_PROCESS, AD_HOC_SUB_PROCESS);

  public boolean isEvent() {
    return EVENTS.contains(this);
  }

  public boolean isGateway() {
    return GATEWAYS.contains(this);
  }

  /** Whether it is something that is done, and so can be looped over and have boundary events. */
  public boolean isActivity() {
    return !isEvent() && !isGateway();
  }

  /** Whether other nodes lie in it. */
  public boolean isScope() {
    return SCOPES.contains(this);
  }

  /** Whether it becomes a task of the queue. */
  public boolean isQueued() {
    return this == TASK || this == SERVICE_TASK;
  }

  /** Whether a person says when it is done. */
  public boolean isAsked() {
    return this == USER_TASK || this == MANUAL_TASK;
  }

  /** As it is written in JSON: {@code service_task}. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static NodeKind parse(String typed) {
    List<String> names = Arrays.stream(values()).map(NodeKind::typed).toList();
    int at = names.indexOf(typed);
    if (at >= 0) return values()[at];
    throw Refusal.invalid(
        Phrase.of("there is no kind of node \"%s\"; %s", typed, Nearest.guess(typed, names)));
  }
}
