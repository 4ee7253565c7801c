package dev.mainstay.diagram;

import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.NodeKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is special about a node, in the order in which the schema wants it. */
final class NodeWriter {
  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.-]*");
  private static final Map<NodeKind, String> NAMES = new EnumMap<>(NodeKind.class);

  static {
    NodeReader.KINDS.forEach((name, kind) -> NAMES.put(kind, name));
  }

  private final Function<String, String> messages;
  private final Function<String, String> errors;

  /** Two registers: what a message or an error is called gives the id to refer to it by. */
  NodeWriter(Function<String, String> messages, Function<String, String> errors) {
    this.messages = messages;
    this.errors = errors;
  }

  static String elementName(Node node) {
    return NAMES.getOrDefault(node.kind(), "task");
  }

  /** Attributes, documentation and extensions: what comes before the flows of a node. */
  void head(Pen pen, Node node) {
    pen.set("id", node.id()).set("name", node.name().isEmpty() ? null : node.name());
    if (node.kind() == NodeKind.BOUNDARY_EVENT) {
      pen.set("attachedToRef", node.frame().attachedTo());
      if (!node.frame().interrupting()) pen.set("cancelActivity", "false");
    }
    pen.own("result", node.traits().gives().result());
    Trigger trigger = node.traits().trigger();
    if (trigger instanceof Trigger.Message message) {
      pen.own("correlation", message.correlation()).own("content", message.content());
      if (!node.kind().isEvent()) pen.set("messageRef", messageRef(message));
    }
    inner(pen, node.traits().inner());
    Order order = node.traits().order();
    if (order != null) order(pen, order);
    for (Rule each : node.traits().gives().rules()) {
      pen.extension("rule").set("when", each.when()).set("gives", each.gives());
    }
  }

  private @Nullable String messageRef(Trigger.Message message) {
    return message.name().isEmpty() ? null : messages.apply(message.name());
  }

  private static void inner(Pen pen, @Nullable Inner inner) {
    if (inner instanceof Inner.Call call) {
      boolean plain = NAME.matcher(call.workflow()).matches();
      if (plain) pen.set("calledElement", call.workflow());
      else if (!call.workflow().isEmpty()) pen.own("calls", call.workflow());
    }
    if (inner instanceof Inner.AdHoc adHoc) {
      pen.set("ordering", adHoc.sequential() ? "Sequential" : "Parallel");
      pen.set("cancelRemainingInstances", Boolean.toString(adHoc.cancelRest()));
    }
  }

  private static void order(Pen pen, Order order) {
    Wording wording = order.wording();
    String description = wording.description();
    if (!description.isEmpty()) {
      boolean plain = OrderReader.outdented(description).equals(description);
      if (plain) pen.add("documentation").text(description);
      else pen.own("description", description);
    }
    if (!order.type().equals(Order.TYPE)) pen.own("type", order.type());
    if (!wording.title().isEmpty()) pen.own("title", wording.title());
    if (order.priority() != 0) pen.own("priority", Integer.toString(order.priority()));
    pen.own("profile", order.hands().profile()).own("provider", order.hands().provider());
    if (order.hands().worktree()) pen.own("worktree", "true");
    List<String> answers = wording.answers();
    String listed = String.join(", ", answers);
    if (!OrderReader.answers(listed).equals(answers)) {
      for (String each : answers) pen.extension(OrderReader.ANSWER).text(each);
    } else if (!answers.isEmpty()) {
      pen.own("answers", listed);
    }
    Metadata.write(pen, order.metadata());
  }

  /** What comes behind the flows of a node: its loop and its trigger. */
  void tail(Pen pen, Node node) {
    Loop loop = node.traits().loop();
    if (loop != null) loop(pen, loop);
    Trigger trigger = node.traits().trigger();
    if (trigger != null && node.kind().isEvent()) trigger(pen, trigger);
  }

  private static void loop(Pen pen, Loop loop) {
    Pen written = pen.add("multiInstanceLoopCharacteristics");
    if (loop.sequential()) written.set("isSequential", "true");
    written.own("collection", loop.collection()).own("results", loop.results());
    if (!loop.item().equals(Loop.ITEM)) written.own("item", loop.item());
    if (loop.until() != null) written.addExpression("completionCondition", loop.until());
  }

  private void trigger(Pen pen, Trigger trigger) {
    if (trigger instanceof Trigger.Timer timer) {
      String kind = timer.kind().name().toLowerCase(Locale.ROOT);
      String name = "time" + kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
      pen.add("timerEventDefinition").addExpression(name, timer.text());
    } else if (trigger instanceof Trigger.Message message) {
      pen.add("messageEventDefinition").set("messageRef", messageRef(message));
    } else if (trigger instanceof Trigger.Fault fault) {
      String code = fault.code();
      pen.add("errorEventDefinition").set("errorRef", code == null ? null : errors.apply(code));
    } else {
      pen.add("terminateEventDefinition");
    }
  }
}
