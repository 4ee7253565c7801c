package dev.mainstay.diagram;

import dev.mainstay.domain.Phrase;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What stands beside the nodes and flows of a process, or in them: named, never passed over. */
final class Extras {
  private record Kind(String what, String advice) {}

  private static final Kind DATA =
      new Kind(
          "data is only drawn", "give variables at the start; tasks leave their results in others");
  private static final Kind REMARKS =
      new Kind("annotations, groups and associations are only drawn", "nothing is to be done");
  private static final Kind LANES =
      new Kind("lanes are only drawn", "say who does a task with mainstay:profile");
  private static final Kind PEOPLE =
      new Kind("performers and owners are only drawn", "say who does a task with mainstay:profile");
  private static final Kind INTERFACES =
      new Kind("interfaces and monitoring are only drawn", "nothing is to be done");

  private static final Map<String, Kind> DRAWN = new HashMap<>();

  static {
    drawn(REMARKS, "textAnnotation", "association", "group");
    drawn(DATA, "dataObject", "dataObjectReference", "dataStoreReference", "property");
    drawn(DATA, "ioSpecification", "dataInput", "dataOutput", "inputSet", "outputSet");
    drawn(DATA, "dataInputAssociation", "dataOutputAssociation");
    drawn(PEOPLE, "resourceRole", "performer", "humanPerformer", "potentialOwner");
    drawn(INTERFACES, "supportedInterfaceRef", "ioBinding", "supports", "auditing", "monitoring");
  }

  /** What is read elsewhere, or says nothing about how the process runs. */
  private static final Set<String> READ =
      Set.of(
          "documentation",
          "extensionElements",
          "incoming",
          "outgoing",
          "categoryValueRef",
          "multiInstanceLoopCharacteristics",
          "standardLoopCharacteristics",
          "completionCondition",
          "conditionExpression",
          "eventDefinitionRef",
          "activationCondition",
          "script",
          "rendering");

  private final Findings findings;

  Extras(Findings findings) {
    this.findings = findings;
  }

  private static void drawn(Kind kind, String... names) {
    for (String each : names) DRAWN.put(each, kind);
  }

  /** Names a child of the element with this id that is neither node nor flow. */
  void name(Tag child, String within) {
    String name = child.name();
    if (READ.contains(name) || name.endsWith("EventDefinition")) return;
    String id = child.id().isEmpty() ? within : child.id();
    if (name.equals("correlationSubscription")) {
      findings.fatal(
          id,
          "correlation subscriptions are not run",
          "say which execution a message is for with mainstay:correlation");
      return;
    }
    Kind drawn = DRAWN.get(name);
    if (drawn == null) {
      findings.fatal(id, Phrase.of("\"%s\" is not known here", name), "take it out of the process");
    } else if (drawn.equals(DATA) && isWorked(child)) {
      findings.fatal(
          within,
          "data that is assigned or transformed is not run",
          "let a task or a business rule give the value as its result");
    } else {
      findings.note(id, drawn.what(), drawn.advice());
    }
  }

  void lanes(Tag set, String within) {
    for (Tag each : set.children("lane")) {
      String id = each.id().isEmpty() ? within : each.id();
      findings.note(id, LANES.what(), LANES.advice());
    }
  }

  private static boolean isWorked(Tag data) {
    return data.child("assignment").isPresent() || data.child("transformation").isPresent();
  }

  /** Names what other tools have written about the element. */
  void nameForeign(Tag tag, String id) {
    for (String each : tag.foreign()) {
      findings.note(
          id,
          Phrase.of("what \"%s\" says is not read", each),
          "say it with mainstay: attributes where it matters");
    }
  }
}
