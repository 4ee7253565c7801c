package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.rules.VariableNames;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The variables that a process reads and none of its nodes writes: its caller gives them. */
public final class Inputs {
  /** The field of a person's answer that holds the choice. */
  private static final String ANSWER = "answer";

  private final Set<String> read = new TreeSet<>();
  private final Set<String> written = new TreeSet<>();

  private Inputs() {}

  /**
   * The names, sorted. A person's answer and a result whose fields become variables may give some
   * of them later, so a process may start without them.
   */
  public static Set<String> of(Definition definition) {
    Inputs inputs = new Inputs();
    for (Edge edge : definition.edges()) inputs.expression(edge.guard().condition());
    for (Node node : definition.nodes()) inputs.node(node);
    inputs.read.removeAll(inputs.written);
    return inputs.read;
  }

  private void node(Node node) {
    written.add(node.result());
    if (node.kind().isAsked()) written.add(ANSWER);
    Traits traits = node.traits();
    if (traits.trigger() != null) trigger(traits.trigger());
    if (traits.order() != null) order(traits.order());
    if (traits.loop() != null) loop(traits.loop());
    if (traits.inner() instanceof Inner.AdHoc adHoc) expression(adHoc.until());
    for (Rule rule : traits.gives().rules()) {
      expression(rule.when());
      expression(rule.gives());
    }
  }

  private void trigger(Trigger trigger) {
    if (trigger instanceof Trigger.Timer timer && timer.text().startsWith("=")) {
      expression(timer.text().substring(1));
    } else if (trigger instanceof Trigger.Message message) {
      expression(message.correlation());
      expression(message.content());
    }
  }

  private void order(Order order) {
    template(order.wording().title());
    template(order.wording().description());
  }

  private void loop(Loop loop) {
    expression(loop.collection());
    expression(loop.until());
    written.add(loop.item());
    if (loop.results() != null) written.add(loop.results());
  }

  private void expression(@Nullable String text) {
    if (text != null) read.addAll(VariableNames.in(text));
  }

  private void template(String text) {
    Matcher blanks = ActivityChecks.BLANK.matcher(text);
    while (blanks.find()) read.addAll(VariableNames.in(blanks.group()));
  }
}
