package dev.mainstay.diagram;

import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.Phrase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Nodes of a process, with a problem for each thing about them that is not run. */
final class NodeReader {
  static final Map<String, NodeKind> KINDS =
      Map.ofEntries(
          Map.entry("startEvent", NodeKind.START_EVENT),
          Map.entry("endEvent", NodeKind.END_EVENT),
          Map.entry("intermediateCatchEvent", NodeKind.CATCH_EVENT),
          Map.entry("intermediateThrowEvent", NodeKind.THROW_EVENT),
          Map.entry("boundaryEvent", NodeKind.BOUNDARY_EVENT),
          Map.entry("task", NodeKind.TASK),
          Map.entry("serviceTask", NodeKind.SERVICE_TASK),
          Map.entry("userTask", NodeKind.USER_TASK),
          Map.entry("manualTask", NodeKind.MANUAL_TASK),
          Map.entry("businessRuleTask", NodeKind.BUSINESS_RULE_TASK),
          Map.entry("sendTask", NodeKind.SEND_TASK),
          Map.entry("receiveTask", NodeKind.RECEIVE_TASK),
          Map.entry("exclusiveGateway", NodeKind.EXCLUSIVE_GATEWAY),
          Map.entry("parallelGateway", NodeKind.PARALLEL_GATEWAY),
          Map.entry("inclusiveGateway", NodeKind.INCLUSIVE_GATEWAY),
          Map.entry("eventBasedGateway", NodeKind.EVENT_GATEWAY),
          Map.entry("subProcess", NodeKind.SUB_PROCESS),
          Map.entry("adHocSubProcess", NodeKind.AD_HOC_SUB_PROCESS),
          Map.entry("callActivity", NodeKind.CALL_ACTIVITY));

  private record StandIn(NodeKind kind, String what, String advice) {}

  /** What is not run, and what stands in its place so that the rest can be looked at. */
  private static final Map<String, StandIn> STAND_INS =
      Map.of(
          "scriptTask",
          new StandIn(
              NodeKind.TASK,
              "script tasks are not run",
              "make it a service task whose documentation says what to do"),
          "complexGateway",
          new StandIn(
              NodeKind.INCLUSIVE_GATEWAY,
              "complex gateways are not run",
              "use an inclusive or a parallel gateway instead"),
          "transaction",
          new StandIn(
              NodeKind.SUB_PROCESS,
              "transactions are not run",
              "make it a sub-process with an error event at its border"));

  private static final String NO_CHOREOGRAPHY = "Choreography";

  private final Findings findings;
  private final TriggerReader triggers;
  private final LoopReader loops;
  private final OrderReader orders;
  private final Slips slips;

  NodeReader(Map<String, Tag> named, Findings findings) {
    this.findings = findings;
    this.triggers = new TriggerReader(named, findings);
    this.loops = new LoopReader(named, findings);
    this.orders = new OrderReader(findings);
    this.slips = new Slips(findings);
  }

  /** Whether the element is a node, be it one that is not run. */
  static boolean isNode(Tag tag) {
    return KINDS.containsKey(tag.name())
        || STAND_INS.containsKey(tag.name())
        || tag.name().endsWith("Task")
        || tag.name().endsWith("Event")
        || tag.name().equals("event")
        || tag.name().endsWith(NO_CHOREOGRAPHY);
  }

  Node node(Tag tag, String id, @Nullable String scope) {
    NodeKind kind = kind(tag, id);
    refuseOddities(tag, id);
    String name = Objects.requireNonNullElse(tag.attribute("name"), "");
    return new Node(id, name, kind, frame(tag, kind, scope), traits(tag, kind, id));
  }

  private NodeKind kind(Tag tag, String id) {
    NodeKind kind = KINDS.get(tag.name());
    if (kind != null) return kind;
    StandIn standIn = STAND_INS.get(tag.name());
    if (standIn == null) {
      findings.fatal(
          id,
          Phrase.of("\"%s\" is not run", tag.name()),
          "use one of BPMN's common tasks or events");
      return NodeKind.TASK;
    }
    findings.fatal(id, standIn.what(), standIn.advice());
    return standIn.kind();
  }

  private static Frame frame(Tag tag, NodeKind kind, @Nullable String scope) {
    if (kind != NodeKind.BOUNDARY_EVENT) return Frame.in(scope);
    return new Frame(scope, tag.reference("attachedToRef"), tag.flag("cancelActivity", true));
  }

  private void refuseOddities(Tag tag, String id) {
    if (tag.flag("triggeredByEvent", false)) {
      findings.fatal(
          id,
          "event sub-processes are not run",
          "put a boundary event on the activity, or on a sub-process around several");
    }
    if (tag.flag("isForCompensation", false)) {
      findings.fatal(
          id, "compensation is not run", "draw the steps that undo the work behind a gateway");
    }
    if (tag.flag("instantiate", false)) {
      findings.fatal(
          id, "only start events begin an execution", "put a message start event in front of it");
    }
    if (tag.isSet("eventGatewayType", "Parallel")) {
      findings.fatal(
          id,
          "an event-based gateway that waits for all events is not run",
          "use a parallel gateway with an event behind each flow");
    }
    for (String each : List.of("startQuantity", "completionQuantity")) {
      String quantity = Objects.requireNonNullElse(tag.attribute(each), "1").strip();
      if (quantity.equals("1")) continue;
      findings.fatal(
          id, Phrase.of("%s=\"%s\" is not run", each, quantity), "leave it out, for it is 1");
    }
  }

  private Traits traits(Tag tag, NodeKind kind, String id) {
    boolean message = kind == NodeKind.SEND_TASK || kind == NodeKind.RECEIVE_TASK;
    Trigger trigger = null;
    if (kind.isEvent()) trigger = triggers.ofEvent(tag, id);
    else if (message) trigger = triggers.ofTask(tag);
    boolean orders = hasOrder(kind);
    Order order = orders ? this.orders.order(tag, id) : null;
    if (orders) slips.inOrder(tag, id);
    else noteUseless(tag, id, trigger instanceof Trigger.Message);
    slips.inExtensions(tag, id);
    tag.child("multiInstanceLoopCharacteristics").ifPresent(loop -> slips.inLoop(loop, id));
    return new Traits(
        trigger,
        order,
        kind.isActivity() ? loops.loop(tag, id) : null,
        inner(tag, kind),
        new Yield(tag.own("result"), rules(tag)));
  }

  static boolean hasOrder(NodeKind kind) {
    return kind.isQueued() || kind.isAsked() || kind == NodeKind.AD_HOC_SUB_PROCESS;
  }

  private void noteUseless(Tag tag, String id, boolean message) {
    Set<String> names = new TreeSet<>(tag.own().keySet());
    names.removeAll(Set.of("result", "calls"));
    if (message) names.removeAll(Set.of("correlation", "content"));
    for (String each : names) {
      findings.note(
          id,
          Phrase.of("mainstay:%s means nothing there", each),
          "put it on the task it is meant for");
    }
  }

  private static @Nullable Inner inner(Tag tag, NodeKind kind) {
    if (kind == NodeKind.CALL_ACTIVITY) {
      String called = tag.own("calls");
      if (called == null) called = tag.reference("calledElement");
      return new Inner.Call(called == null ? "" : called);
    }
    if (kind != NodeKind.AD_HOC_SUB_PROCESS) return null;
    return new Inner.AdHoc(
        tag.isSet("ordering", "Sequential"),
        tag.expressionOf("completionCondition"),
        tag.flag("cancelRemainingInstances", true));
  }

  private static List<Rule> rules(Tag tag) {
    return tag.ownExtensions("rule").stream()
        .map(
            each -> {
              String when = each.attribute("when");
              String gives = Objects.requireNonNullElse(each.attribute("gives"), each.text());
              return new Rule(when == null ? null : Tag.expression(when), Tag.expression(gives));
            })
        .toList();
  }
}
