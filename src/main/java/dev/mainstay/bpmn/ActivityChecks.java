package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether every activity says what is to be done, how often, and where its result goes. */
final class ActivityChecks {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  static final Pattern BLANK =
      Pattern.compile("\\{\\{\\s*[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)*\\s*}}");

  /** What every instance of a loop finds beside its item. */
  private static final String COUNTER = "loop_counter";

  private final Complaints complaints;

  ActivityChecks(Complaints complaints) {
    this.complaints = complaints;
  }

  void check(Node node) {
    checkResult(node);
    checkRules(node);
    checkInner(node);
    Loop loop = node.traits().loop();
    if (loop != null) checkLoop(node, loop);
    Order order = node.traits().order();
    if (order != null) checkOrder(node, order);
  }

  private void checkResult(Node node) {
    String result = node.traits().gives().result();
    if (result == null || result.equals(Yield.FIELDS)) return;
    checkVariable(node, "the result", result);
    if (node.kind().isGateway()) {
      complaints.note(node.id(), "a gateway has no result", "take it out");
    }
  }

  private void checkVariable(Node node, String of, String name) {
    if (VARIABLE.matcher(name).matches()) return;
    complaints.fatal(
        node.id(),
        Phrase.of("%s goes to \"%s\", which is no name of a variable", of, name),
        "use letters, digits and underscores, and begin with a letter");
  }

  private void checkRules(Node node) {
    List<Rule> rules = node.traits().gives().rules();
    if (node.kind() != NodeKind.BUSINESS_RULE_TASK) {
      if (rules.isEmpty()) return;
      complaints.note(
          node.id(), "only a business rule task has rules", "make it one, or take the rules out");
      return;
    }
    if (rules.isEmpty()) {
      complaints.fatal(
          node.id(),
          "the business rule task has no rules",
          "add extension elements such as <mainstay:rule when=\"cost > 5\" gives=\"'ask'\"/>");
    }
    for (int i = 0; i < rules.size(); i++) {
      complaints.expression(
          node.id(), Phrase.of("the condition of rule %d", i + 1), rules.get(i).when());
      complaints.expression(
          node.id(), Phrase.of("the result of rule %d", i + 1), rules.get(i).gives());
    }
  }

  private void checkInner(Node node) {
    Inner inner = node.traits().inner();
    if (node.kind() == NodeKind.CALL_ACTIVITY) {
      if (!(inner instanceof Inner.Call call) || call.workflow().isBlank()) {
        complaints.fatal(
            node.id(), "the call activity calls nothing", "name a workflow as its calledElement");
      }
    } else if (inner instanceof Inner.AdHoc adHoc) {
      complaints.expression(node.id(), "the completion condition", adHoc.until());
      if (node.kind() != NodeKind.AD_HOC_SUB_PROCESS) useless(node, "ad_hoc");
    } else if (inner != null) {
      useless(node, "calls");
    }
  }

  private void useless(Node node, String field) {
    complaints.fatal(
        node.id(),
        Phrase.of("a %s has no use for %s", node.kind().typed(), field),
        "take it out, or choose another kind of node");
  }

  private void checkLoop(Node node, Loop loop) {
    if (!node.kind().isActivity()) {
      useless(node, "loop");
      return;
    }
    if (loop.collection().isBlank()) {
      complaints.fatal(
          node.id(),
          "the loop has no list to go over",
          "name one with mainstay:collection, such as mainstay:collection=\"endpoints\"");
    } else {
      complaints.expression(node.id(), "the collection", loop.collection());
    }
    checkVariable(node, "the item", loop.item());
    if (loop.item().equals(COUNTER)) {
      complaints.fatal(
          node.id(), "loop_counter is the number of the item", "call the item otherwise");
    }
    complaints.expression(node.id(), "the completion condition", loop.until());
    String results = loop.results();
    if (results != null) checkVariable(node, "the list of results", results);
  }

  private void checkOrder(Node node, Order order) {
    boolean chosen = node.kind() == NodeKind.AD_HOC_SUB_PROCESS;
    if (!node.kind().isQueued() && !node.kind().isAsked() && !chosen) {
      complaints.note(
          node.id(),
          Phrase.of("a %s orders no work", node.kind().typed()),
          "put title, description and the like on the task they are meant for");
    }
    if (!node.kind().isAsked()) checkType(node, order.type());
    if (Math.abs((long) order.priority()) > Task.PRIORITY_MAX) {
      complaints.fatal(
          node.id(),
          Phrase.of("the priority %d is out of reach", order.priority()),
          Phrase.of("keep it between -%d and %d", Task.PRIORITY_MAX, Task.PRIORITY_MAX));
    }
    checkWording(node, order.wording());
    checkHand(node, "profile", order.hands().profile());
    checkHand(node, "provider", order.hands().provider());
  }

  private void checkType(Node node, String type) {
    try {
      TaskType unused = new TaskType(type);
    } catch (Refusal none) {
      complaints.fatal(node.id(), Phrase.of("\"%s\" is no type of task", type), none.sentence());
    }
  }

  private void checkHand(Node node, String of, @Nullable String name) {
    if (name == null || !name.isBlank()) return;
    complaints.fatal(node.id(), Phrase.of("the %s is empty", of), "name one, or leave it out");
  }

  private void checkWording(Node node, Wording wording) {
    checkText(node, "the title", wording.title(), Task.TITLE_CHARS_MAX);
    checkText(node, "the description", wording.description(), Task.DESCRIPTION_CHARS_MAX);
    if (!wording.answers().isEmpty() && !node.kind().isAsked()) {
      complaints.note(
          node.id(), "only a person's task has answers", "make it a user task, or take them out");
    }
    Set<String> seen = new HashSet<>();
    for (String each : wording.answers()) {
      if (each.isBlank() || !seen.add(each)) {
        complaints.fatal(
            node.id(),
            each.isBlank() ? "an answer is empty" : Phrase.of("\"%s\" is an answer twice", each),
            "list each answer once, separated by commas");
      }
    }
  }

  private void checkText(Node node, String of, String text, int most) {
    if (text.length() > most) {
      complaints.fatal(
          node.id(),
          Phrase.of("%s has %d characters, and %d are the most", of, text.length(), most),
          "shorten it");
    }
    if (Checks.UNWRITABLE.matcher(text).find()) {
      complaints.fatal(
          node.id(),
          of + " has characters that a file cannot hold",
          "take the control characters out");
    }
    Matcher blanks = BLANK.matcher(text);
    String rest = blanks.replaceAll("");
    int open = rest.indexOf("{{");
    if (open < 0) return;
    String piece = rest.substring(open, Math.min(rest.length(), open + 40));
    complaints.fatal(
        node.id(),
        Phrase.of("%s has \"%s\", which names no variable", of, piece),
        "write {{name}} or {{name.field}}");
  }
}
