package dev.mainstay.diagram;

import java.util.Map;
import java.util.Set;

/** What a file has beside its processes; all of it is only drawn. */
final class Collaborations {
  private static final Set<String> OTHERS =
      Set.of(
          "choreography",
          "globalTask",
          "globalUserTask",
          "globalManualTask",
          "globalScriptTask",
          "globalBusinessRuleTask",
          "globalConversation",
          "globalChoreographyTask",
          "import");

  private Collaborations() {}

  /** Whether anything is drawn in the process. */
  static boolean isDrawn(Tag process) {
    return process.children().stream().anyMatch(NodeReader::isNode);
  }

  static void note(Tag root, Map<String, Tag> named, Findings findings) {
    for (Tag each : root.children()) {
      if (each.is("collaboration")) noteIn(each, named, findings);
      if (OTHERS.contains(each.name())) {
        findings.note(
            each.id().isEmpty() ? each.name() : each.id(),
            "\"" + each.name() + "\" is not read",
            "draw what is to be run as a process in this file");
      }
    }
  }

  private static void noteIn(Tag collaboration, Map<String, Tag> named, Findings findings) {
    for (Tag each : collaboration.children()) {
      String id = each.id().isEmpty() ? collaboration.id() : each.id();
      if (each.is("participant")) {
        String reference = each.reference("processRef");
        Tag process = reference == null ? null : named.get(reference);
        if (process == null || !isDrawn(process)) {
          findings.note(id, "pools without a process are only drawn", "nothing is to be done");
        }
      } else if (each.is("messageFlow")) {
        findings.note(
            id,
            "message flows are only drawn",
            "give the event that sends and the one that waits the same message");
      } else if (!each.is("documentation") && !each.is("extensionElements")) {
        findings.note(
            id,
            "conversations and remarks of a collaboration are only drawn",
            "nothing is to be done");
      }
    }
  }
}
