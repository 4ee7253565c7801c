package dev.mainstay.workflow;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.bpmn.Timing;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Text;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowTable.EdgeRow;
import dev.mainstay.store.WorkflowTable.NodeRow;
import dev.mainstay.store.WorkflowTable.Source;
import dev.mainstay.workflow.Workflows.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes in workflows, each as a version of its own unless nothing has changed. */
final class Importing {
  private static final int NAME_CHARS_MAX = 128;
  private static final int TITLE_CHARS_MAX = 256;

  /** What stands for one version cannot be the name of all. */
  private static final Pattern VERSION = Pattern.compile("WF-[0-9]+|exec-.*|.*@[0-9]+");

  private final Tx tx;
  private final JsonObject config;

  Importing(Tx tx, JsonObject config) {
    this.tx = tx;
    this.config = config;
  }

  /**
   * A process that somebody wants to take in.
   *
   * @param source the file it comes from, if it comes from one
   */
  record Candidate(
      Definition definition, Drawing drawing, @Nullable String source, List<Problem> notes) {}

  List<Imported> all(List<Candidate> candidates, Call call) {
    tx.workflows().lockAll();
    List<Imported> imported = new ArrayList<>();
    for (Candidate each : candidates) imported.add(one(each, call));
    return imported;
  }

  private Imported one(Candidate candidate, Call call) {
    Definition definition = candidate.definition();
    String name = name(definition.key());
    String hash = hash(definition, candidate.drawing());
    Optional<Workflow> newest = tx.workflows().newest(name);
    boolean isSame =
        newest.filter(each -> tx.workflows().source(each.id()).hash().equals(hash)).isPresent();
    if (isSame) return new Imported(newest.get(), false, candidate.notes());
    // Or an agent could take out of it what a person is to decide.
    if (newest.isPresent()) Given.byPerson(call, "takes in another version of " + name);
    Workflow made =
        new Workflow(
            tx.workflows().nextId(),
            name,
            newest.map(Workflow::version).orElse(0L) + 1,
            title(definition.title()),
            tx.now());
    tx.workflows().insert(made, new Source(candidate.source(), hash, config));
    Definitions.write(tx, made.id(), definition, candidate.drawing());
    List<WorkflowStart> starts = starts(tx, made.id(), definition);
    List<Problem> notes = new ArrayList<>(candidate.notes());
    for (WorkflowStart each : starts) taken(name, each).ifPresent(notes::add);
    tx.workflowStarts().replace(name, starts);
    tx.journal()
        .append(Workflow.stream(name), call, List.of(new WorkflowEvent.Imported(made, hash)));
    return new Imported(made, true, notes);
  }

  private static String name(String key) {
    String name = Text.line("a workflow's name", key, NAME_CHARS_MAX);
    if (!VERSION.matcher(name).matches()) return name;
    throw Refusal.invalid(
        Phrase.of("\"%s\" looks like the id of a version; name the workflow otherwise", name));
  }

  private static String title(String given) {
    return given.isBlank() ? "" : Text.line("a workflow's title", given, TITLE_CHARS_MAX);
  }

  /** Of all that is kept of it, so that the same drawing is the same version. */
  private static String hash(Definition definition, Drawing drawing) {
    List<JsonObject> nodes = new ArrayList<>();
    for (Node node : definition.nodes()) {
      NodeRow row = Definitions.row(node, drawing);
      nodes.add(JsonObject.of("data", row.data(), "position", row.position()));
    }
    List<JsonObject> edges =
        definition.edges().stream()
            .map(edge -> Definitions.row(edge, drawing))
            .map(EdgeRow::data)
            .toList();
    return JournalEntry.sha256(
        JsonText.write(JsonObject.of("title", definition.title(), "nodes", nodes, "edges", edges)));
  }

  /** A message begins one workflow; another that begins by it, too, would wait in vain. */
  private Optional<Problem> taken(String name, WorkflowStart start) {
    String message = start.message();
    if (message == null) return Optional.empty();
    return tx.workflowStarts()
        .forMessage(message)
        .map(first -> tx.workflows().get(first.workflow()).name())
        .filter(first -> !first.equals(name))
        .map(
            first ->
                new Problem(
                    start.node(),
                    Phrase.of("the message %s begins %s already, and that alone", message, first),
                    "name another message, or let that one begin no more with 'mainstay workflow"
                        + " schedule --off'",
                    false));
  }

  /** What starts it without anybody's doing. */
  static List<WorkflowStart> starts(Tx tx, String workflow, Definition definition) {
    List<WorkflowStart> starts = new ArrayList<>();
    for (Node node : definition.starts(null)) {
      Trigger trigger = node.traits().trigger();
      if (node.kind() != NodeKind.START_EVENT || trigger == null) continue;
      if (trigger instanceof Trigger.Message message) {
        starts.add(new WorkflowStart(workflow, node.id(), null, message.name(), 0));
      } else if (trigger instanceof Trigger.Timer timer) {
        Timing.of(timer)
            .first(tx.now())
            .ifPresent(due -> starts.add(new WorkflowStart(workflow, node.id(), due, null, 0)));
      }
    }
    return starts;
  }
}
