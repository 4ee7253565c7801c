package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.WorkflowMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether every event is one that can be where it is, and says what it waits for. */
final class EventChecks {
  private final Definition definition;
  private final Complaints complaints;

  EventChecks(Definition definition, Complaints complaints) {
    this.definition = definition;
    this.complaints = complaints;
  }

  void check(Node node) {
    Trigger trigger = node.traits().trigger();
    if (!fits(node.kind(), trigger)) {
      complaints.fatal(
          node.id(),
          Phrase.of("%s cannot be %s", words(node.kind()), words(trigger)),
          allowed(node.kind()));
      return;
    }
    checkPlace(node, trigger);
    if (node.kind() == NodeKind.BOUNDARY_EVENT) checkBorder(node, trigger);
    else if (node.frame().attachedTo() != null || !node.frame().interrupting()) {
      complaints.fatal(
          node.id(),
          "only a boundary event stands at an activity",
          "make it a boundary_event, or leave attached_to and interrupting out");
    }
    if (trigger instanceof Trigger.Timer timer) {
      TimerChecks.check(complaints, node, timer);
    } else if (trigger instanceof Trigger.Message message) {
      checkMessage(node, message);
    } else if (trigger instanceof Trigger.Fault fault) {
      checkFault(node, fault);
    }
  }

  private static boolean fits(NodeKind kind, @Nullable Trigger trigger) {
    boolean timer = trigger instanceof Trigger.Timer;
    boolean message = trigger instanceof Trigger.Message;
    boolean fault = trigger instanceof Trigger.Fault;
    return switch (kind) {
      case START_EVENT -> trigger == null || timer || message;
      case END_EVENT -> !timer;
      case CATCH_EVENT -> timer || message;
      case THROW_EVENT -> trigger == null || message;
      case BOUNDARY_EVENT -> timer || message || fault;
      case SEND_TASK, RECEIVE_TASK -> message;
      default -> trigger == null;
    };
  }

  private static String words(NodeKind kind) {
    String words = kind.typed().replace('_', ' ');
    return ("aeiou".indexOf(words.charAt(0)) < 0 ? "a " : "an ") + words;
  }

  private static String words(@Nullable Trigger trigger) {
    if (trigger == null) return "without a trigger";
    if (trigger instanceof Trigger.Timer) return "a timer";
    if (trigger instanceof Trigger.Message) return "for a message";
    return trigger instanceof Trigger.Fault ? "for an error" : "one that terminates";
  }

  private static String allowed(NodeKind kind) {
    return switch (kind) {
      case START_EVENT -> "make it plain, a timer or a message";
      case END_EVENT -> "make it plain, a message, an error or one that terminates";
      case CATCH_EVENT -> "make it a timer or a message";
      case THROW_EVENT -> "make it plain or a message";
      case BOUNDARY_EVENT -> "make it a timer, a message or an error";
      case SEND_TASK, RECEIVE_TASK -> "name its message";
      default -> "put the event beside it";
    };
  }

  private void checkPlace(Node node, @Nullable Trigger trigger) {
    boolean inner = node.frame().scope() != null;
    if (node.kind() == NodeKind.START_EVENT && inner && trigger != null) {
      complaints.fatal(
          node.id(),
          "a sub-process begins when it is reached, not by a timer or a message",
          "make it a plain start event, and put a catch event behind it");
    }
  }

  private void checkBorder(Node node, @Nullable Trigger trigger) {
    String activity = node.frame().attachedTo();
    Node host = activity == null ? null : definition.find(activity).orElse(null);
    if (host == null) {
      complaints.fatal(
          node.id(),
          activity == null
              ? "the boundary event is attached to nothing"
              : Phrase.of("it is attached to \"%s\", and there is no such node", activity),
          "attach it to an activity");
    } else if (!host.kind().isActivity()) {
      complaints.fatal(
          node.id(),
          Phrase.of("it is attached to \"%s\", which is no activity", host.id()),
          "attach it to a task, a sub-process or a call activity");
    } else if (!Objects.equals(host.frame().scope(), node.frame().scope())) {
      complaints.fatal(
          node.id(),
          Phrase.of("it is attached to \"%s\", which lies in another scope", host.id()),
          "give both the same scope");
    }
    if (definition.outgoing(node.id()).isEmpty()) {
      complaints.note(
          node.id(), "no flow leaves the boundary event", "draw what is done when it happens");
    }
    if (trigger instanceof Trigger.Fault && !node.frame().interrupting()) {
      complaints.fatal(
          node.id(),
          "an activity that failed is over, so an error event always ends it",
          "make it interrupting");
    }
  }

  private void checkMessage(Node node, Trigger.Message message) {
    if (message.name().isBlank()) {
      complaints.fatal(node.id(), "the message has no name", "give the message a name");
    }
    if (message.name().length() > WorkflowMessage.NAME_CHARS_MAX) {
      complaints.fatal(
          node.id(),
          Phrase.of(
              "the message's name has more than %d characters", WorkflowMessage.NAME_CHARS_MAX),
          "shorten it");
    }
    complaints.expression(node.id(), "the correlation", message.correlation());
    complaints.expression(node.id(), "the content", message.content());
    boolean sends =
        node.kind() == NodeKind.SEND_TASK
            || node.kind() == NodeKind.THROW_EVENT
            || node.kind() == NodeKind.END_EVENT;
    if (message.content() != null && !sends) {
      complaints.note(
          node.id(), "only who sends a message says its content", "take the content out");
    }
  }

  private void checkFault(Node node, Trigger.Fault fault) {
    String code = fault.code();
    if (node.kind() == NodeKind.END_EVENT && code == null) {
      complaints.fatal(node.id(), "the error has no code", "give the error an errorCode");
    }
    if (code == null) return;
    if (!code.matches("[A-Za-z0-9_.-]+")) {
      complaints.fatal(
          node.id(),
          Phrase.of("\"%s\" is no code of an error, so no failed task could name it", code),
          "use letters, digits, dots, dashes and underscores");
    }
  }
}
