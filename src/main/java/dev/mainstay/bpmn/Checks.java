package dev.mainstay.bpmn;

import dev.mainstay.domain.Phrase;
import java.util.List;
import java.util.regex.Pattern;

/** Whether a process can be run, and everything that speaks against it. */
public final class Checks {
  public static final int NODES_MAX = 10_000;
  public static final int ID_CHARS_MAX = 200;
  public static final int NAME_CHARS_MAX = 1_000;

  private static final Pattern ID = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.-]*");

  /** What XML cannot hold; a process that has it could not be given back. */
  static final Pattern UNWRITABLE =
      Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uFFFE\\uFFFF]|\\p{Cs}");

  private Checks() {}

  /** All problems, those that keep it from running among them, in the order of the nodes. */
  public static List<Problem> of(Definition definition) {
    Complaints complaints = new Complaints();
    id(complaints, definition.key());
    name(complaints, definition.key(), definition.title());
    if (definition.nodes().isEmpty()) {
      complaints.fatal(definition.key(), "the process is empty", "draw a start event and a task");
    }
    if (definition.nodes().size() > NODES_MAX) {
      complaints.fatal(
          definition.key(),
          Phrase.of(
              "the process has %d nodes, and %d are the most",
              definition.nodes().size(), NODES_MAX),
          "split it, and call one part from the other");
      return complaints.inOrder(definition);
    }
    ScopeChecks scopes = new ScopeChecks(definition, complaints);
    FlowChecks flows = new FlowChecks(definition, complaints);
    EventChecks events = new EventChecks(definition, complaints);
    ActivityChecks activities = new ActivityChecks(complaints);
    for (Node each : definition.nodes()) {
      id(complaints, each.id());
      name(complaints, each.id(), each.name());
      scopes.check(each);
      flows.check(each);
      events.check(each);
      activities.check(each);
    }
    for (Edge each : definition.edges()) {
      id(complaints, each.id());
      name(complaints, each.id(), each.name());
      flows.check(each);
    }
    scopes.checkStarts();
    return complaints.inOrder(definition);
  }

  private static void id(Complaints complaints, String id) {
    if (id.length() > ID_CHARS_MAX) {
      complaints.fatal(
          id.substring(0, ID_CHARS_MAX),
          Phrase.of("the id has %d characters, and %d are the most", id.length(), ID_CHARS_MAX),
          "give it a shorter one");
    } else if (!ID.matcher(id).matches()) {
      complaints.fatal(
          id,
          Phrase.of("\"%s\" is no id", id),
          "begin with a letter and go on with letters, digits, dots, dashes and underscores");
    }
  }

  private static void name(Complaints complaints, String id, String name) {
    if (name.length() > NAME_CHARS_MAX) {
      complaints.fatal(
          id,
          Phrase.of(
              "the name has %d characters, and %d are the most", name.length(), NAME_CHARS_MAX),
          "shorten it, and put the rest into the documentation");
    }
    if (UNWRITABLE.matcher(name).find()) {
      complaints.fatal(
          id, "the name has characters that a file cannot hold", "take the control characters out");
    }
  }
}
