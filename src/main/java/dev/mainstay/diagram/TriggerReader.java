package dev.mainstay.diagram;

import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What sets an event off, and which messages tasks send and wait for. */
final class TriggerReader {
  private static final String DEFINITION = "EventDefinition";

  /** What is in BPMN and is not run, and what to draw instead. */
  private static final Map<String, String> INSTEAD =
      Map.of(
          "signal", "use a message event of the same name instead",
          "escalation", "use an error event, or a message event, instead",
          "compensate", "draw the steps that undo the work as tasks of their own",
          "conditional", "use an exclusive gateway with the condition, or wait for a message",
          "link", "draw the sequence flow itself",
          "cancel", "use an error event instead; there are no transactions");

  private static final Map<String, TimerKind> TIMERS =
      Map.of(
          "timeDuration", TimerKind.DURATION,
          "timeDate", TimerKind.DATE,
          "timeCycle", TimerKind.CYCLE);

  private final Map<String, Tag> named;
  private final Findings findings;

  TriggerReader(Map<String, Tag> named, Findings findings) {
    this.named = named;
    this.findings = findings;
  }

  /** The trigger of an event; null for a plain one, and for one that is not run. */
  @Nullable Trigger ofEvent(Tag event, String id) {
    List<Tag> definitions = definitions(event);
    if (definitions.isEmpty()) return null;
    if (definitions.size() > 1 || event.flag("parallelMultiple", false)) {
      findings.fatal(
          id,
          Phrase.of("an event with %d triggers is not run", definitions.size()),
          "draw an event for each, behind an event-based gateway if they are waited for");
      return null;
    }
    Tag definition = definitions.get(0);
    return switch (definition.name()) {
      case "timerEventDefinition" -> timer(definition);
      case "messageEventDefinition" -> message(event, definition);
      case "errorEventDefinition" -> new Trigger.Fault(code(definition));
      case "terminateEventDefinition" -> new Trigger.Terminate();
      default -> unknown(definition, id);
    };
  }

  private @Nullable Trigger unknown(Tag definition, String id) {
    String kind = definition.name().replace(DEFINITION, "");
    findings.fatal(
        id,
        Phrase.of("%s events are not run", kind.equals("compensate") ? "compensation" : kind),
        INSTEAD.getOrDefault(kind, "use a timer, message or error event instead"));
    return null;
  }

  private List<Tag> definitions(Tag event) {
    List<Tag> found = new ArrayList<>();
    for (Tag each : event.children()) {
      if (each.name().endsWith(DEFINITION)) found.add(each);
      if (!each.is("eventDefinitionRef")) continue;
      Tag meant = named.get(Tag.local(each.text()));
      found.add(meant == null ? each : meant);
    }
    return found;
  }

  private static Trigger timer(Tag definition) {
    for (Tag each : definition.children()) {
      TimerKind kind = TIMERS.get(each.name());
      if (kind != null) return new Trigger.Timer(kind, timing(each.text()));
    }
    return new Trigger.Timer(TimerKind.DURATION, "");
  }

  /** Expressions of other engines become ours, which begin with an equals sign. */
  private static String timing(String text) {
    String bare = text.strip();
    boolean expression = bare.startsWith("=") || bare.startsWith("${") || bare.startsWith("#{");
    return expression ? "=" + Tag.expression(bare) : bare;
  }

  private Trigger message(Tag event, Tag definition) {
    return new Trigger.Message(
        messageName(definition),
        said(event, definition, "correlation"),
        said(event, definition, "content"));
  }

  private static @Nullable String said(Tag event, Tag definition, String what) {
    String text = event.own(what);
    if (text == null) text = definition.own(what);
    return text == null ? null : Tag.expression(text);
  }

  /** The message of a send or receive task. */
  Trigger ofTask(Tag task) {
    return message(task, task);
  }

  private String messageName(Tag from) {
    String reference = from.reference("messageRef");
    if (reference == null) return "";
    Tag message = named.get(reference);
    String name = message == null ? null : message.attribute("name");
    return name == null || name.isBlank() ? reference : name;
  }

  private @Nullable String code(Tag definition) {
    String reference = definition.reference("errorRef");
    if (reference == null) return null;
    Tag error = named.get(reference);
    if (error == null) return reference;
    for (String each : List.of("errorCode", "name")) {
      String value = error.attribute(each);
      if (value != null && !value.isBlank()) return value;
    }
    return reference;
  }
}
