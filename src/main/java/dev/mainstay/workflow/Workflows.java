package dev.mainstay.workflow;

import dev.mainstay.bpmn.Checks;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.DefinitionJson;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Drawing.Point;
import dev.mainstay.bpmn.Drawing.Shape;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Inputs;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.diagram.BpmnFile;
import dev.mainstay.diagram.BpmnFile.Chart;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.workflow.Importing.Candidate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Workflows as they are drawn: taken in, listed, shown and given back. */
public final class Workflows {
  public static final int PAGE_MAX = 1_000;

  /** So many processes may stand in one file, which is kept with each of them. */
  public static final int PROCESSES_MAX = 20;

  /** Who can do work in a terminal. */
  public interface Profiles {
    /** Why nobody does, as one of this profile and on this provider; nothing if somebody can. */
    Optional<String> against(String profile, @Nullable String provider);
  }

  private final Store store;
  private final JsonObject config;
  private final Profiles hands;

  public Workflows(Store store) {
    this(store, JsonObject.EMPTY, (profile, provider) -> Optional.empty());
  }

  /** What starts by itself works on this host, in this folder. */
  public Workflows(Store store, String host, Path folder) {
    this(
        store,
        JsonObject.of("host", host, "work_dir", folder.toAbsolutePath().normalize().toString()),
        (profile, provider) -> Optional.empty());
  }

  private Workflows(Store store, JsonObject config, Profiles hands) {
    this.store = store;
    this.config = config;
    this.hands = hands;
  }

  /** The same where it is known who can do work in a terminal. */
  public Workflows doneBy(Profiles known) {
    return new Workflows(store, config, known);
  }

  /** The text of a file, in whatever encoding its XML declaration says it is written. */
  public static String text(byte[] file) {
    return BpmnFile.text(file);
  }

  /** What was taken in, whether it is a new version, and what whoever drew it should know. */
  public record Imported(Workflow workflow, boolean isNew, List<Problem> notes) {
    JsonObject toJson() {
      return JsonObject.of("workflow", workflow.toJson(), "is_new", isNew)
          .with("notes", notes.stream().map(Problem::toJson).toList());
    }

    static Imported fromJson(JsonObject json) {
      return new Imported(
          Workflow.fromJson(json.object("workflow")),
          Boolean.TRUE.equals(json.get("is_new")),
          json.objects("notes").stream().map(Imported::note).toList());
    }

    private static Problem note(JsonObject json) {
      return new Problem(
          json.text("element"),
          json.text("problem"),
          json.text("advice"),
          Boolean.TRUE.equals(json.get("fatal")));
    }
  }

  /** The newest version of a workflow, and how many executions of all versions are under way. */
  public record Summary(Workflow workflow, long live) {}

  /** One version with all that is in it. */
  public record Shown(Workflow workflow, Definition definition, Drawing drawing) {}

  /**
   * Takes in every process of a BPMN file, each as a new version unless its newest is the same.
   * Nothing is kept when one of them cannot be run; the refusal lists every problem.
   */
  public List<Imported> importBpmn(String xml, Call call) {
    List<Candidate> candidates = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    List<Chart> charts = BpmnFile.read(xml);
    if (charts.size() > PROCESSES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the file has %,d processes; at most %d are taken in at once, so split it",
              charts.size(), PROCESSES_MAX));
    }
    for (Chart chart : charts) {
      List<Problem> found = problems(chart);
      problems.addAll(found);
      Definition definition = chart.definition();
      if (definition == null) continue;
      List<Problem> notes = new ArrayList<>(found);
      notes.addAll(unknownHands(definition));
      candidates.add(new Candidate(definition, chart.drawing(), xml, notes));
    }
    refuseFatal(problems);
    if (candidates.isEmpty()) {
      throw Refusal.invalid("the file has no process; draw one and import it again");
    }
    return store.inTransaction(
        Once.of(
            call,
            "workflow.import",
            JsonObject.of("xml", xml),
            all -> JsonObject.of("imported", all.stream().map(Imported::toJson).toList()),
            json -> json.objects("imported").stream().map(Imported::fromJson).toList()),
        tx -> new Importing(tx, config).all(candidates, call));
  }

  /** The same from JSON: {@code name}, {@code title}, {@code nodes}, {@code edges}. */
  public Imported importJson(JsonObject json, Call call) {
    Candidate drawn = candidate(json);
    refuseFatal(drawn.notes());
    List<Problem> notes = new ArrayList<>(drawn.notes());
    notes.addAll(unknownHands(drawn.definition()));
    Candidate candidate = new Candidate(drawn.definition(), drawn.drawing(), null, notes);
    return store.inTransaction(
        Once.of(call, "workflow.import", json, Imported::toJson, Imported::fromJson),
        tx -> new Importing(tx, config).all(List.of(candidate), call).get(0));
  }

  private static Candidate candidate(JsonObject json) {
    for (String field : json.asMap().keySet()) {
      if (!List.of("name", "title", "nodes", "edges").contains(field)) {
        throw Refusal.invalid(
            "a workflow has no \"" + field + "\"; it has name, title, nodes and edges");
      }
    }
    List<Node> nodes = new ArrayList<>();
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (JsonObject each : json.objects("nodes")) {
      Node node = DefinitionJson.readNode(Definitions.without(each, "position"));
      nodes.add(node);
      if (each.has("position")) shapes.put(node.id(), Shape.fromJson(each.object("position")));
    }
    List<Edge> edges = new ArrayList<>();
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (JsonObject each : json.objects("edges")) {
      Edge edge = DefinitionJson.readEdge(Definitions.without(each, "waypoints"));
      edges.add(edge);
      if (each.has("waypoints")) lines.put(edge.id(), Definitions.points(each));
    }
    String title = json.textOrNull("title");
    Definition definition =
        new Definition(json.text("name"), title == null ? "" : title, nodes, edges);
    return new Candidate(definition, new Drawing(shapes, lines), null, Checks.of(definition));
  }

  private static List<Problem> problems(Chart chart) {
    LinkedHashSet<Problem> all = new LinkedHashSet<>(chart.problems());
    Definition definition = chart.definition();
    if (definition != null) all.addAll(Checks.of(definition));
    return List.copyOf(all);
  }

  private static void refuseFatal(List<Problem> problems) {
    if (problems.stream().noneMatch(Problem::isFatal)) return;
    throw Refusal.invalid(
        problems.stream()
            .filter(Problem::isFatal)
            .map(Problem::toString)
            .collect(Collectors.joining("\n")));
  }

  /** Everything that speaks for or against a file, process by process; nothing is kept. */
  public static List<Problem> check(String xml) {
    return BpmnFile.read(xml).stream().flatMap(chart -> problems(chart).stream()).toList();
  }

  /** The same about JSON. */
  public static List<Problem> check(JsonObject json) {
    return candidate(json).notes();
  }

  /**
   * In the order of their names, the newest version of each; those after one, or from the first.
   */
  public List<Summary> list(@Nullable String after, int limit) {
    Given.limit(limit, PAGE_MAX);
    return store.reading(
        tx ->
            tx.workflows().newestAfter(after == null ? "" : after, limit).stream()
                .map(each -> new Summary(each.workflow(), each.live()))
                .toList());
  }

  /** By the id of a version, by name for its newest, or by {@code name@version}. */
  public Shown show(String which) {
    return store.reading(
        tx -> {
          Workflow workflow = Definitions.which(tx, which);
          return new Shown(
              workflow, Definitions.read(tx, workflow), Definitions.drawing(tx, workflow));
        });
  }

  /** What starts a workflow by itself: moments and messages. None if that was ended. */
  public List<WorkflowStart> schedule(String which) {
    return store.reading(tx -> tx.workflowStarts().of(Definitions.which(tx, which).name()));
  }

  /**
   * Lets what starts a workflow by itself do so no more, or again, from now on by its newest
   * version. A new version begins with what is drawn in it.
   */
  public List<WorkflowStart> schedule(String which, boolean on, Call call) {
    Given.byPerson(call, "decides what starts by itself");
    return store.inTransaction(
        Once.of(
            call,
            "workflow.schedule",
            JsonObject.of("workflow", which, "on", on),
            all -> JsonObject.of("starts", all.size()),
            json -> schedule(which)),
        tx -> {
          tx.workflows().lockAll();
          String name = Definitions.which(tx, which).name();
          Workflow newest = Definitions.which(tx, name);
          List<WorkflowStart> drawn =
              Importing.starts(tx, newest.id(), Definitions.read(tx, newest));
          if (drawn.isEmpty())
            throw Refusal.conflict(Phrase.of("nothing starts %s by itself", name));
          boolean isOn = !tx.workflowStarts().of(name).isEmpty();
          if (isOn == on) {
            throw Refusal.conflict(Phrase.of("%s is %s already", name, on ? "on" : "off"));
          }
          tx.workflowStarts().replace(name, on ? drawn : List.of());
          WorkflowEvent event = new WorkflowEvent.Scheduled(on);
          tx.journal().append(Workflow.stream(name), call, List.of(event));
          return tx.workflowStarts().of(name);
        });
  }

  /** What speaks against a workflow that is there: work that is for profiles nobody knows. */
  public List<Problem> warnings(String which) {
    return unknownHands(show(which).definition());
  }

  /** What to say of a start with these variables: warnings, and variables that nothing gives. */
  public List<String> startNotes(String which, JsonObject variables) {
    Definition definition = show(which).definition();
    List<String> notes = new ArrayList<>();
    unknownHands(definition).forEach(each -> notes.add(each.toString()));
    List<String> missing = Inputs.of(definition).stream().filter(n -> !variables.has(n)).toList();
    if (!missing.isEmpty()) {
      notes.add(
          Phrase.of(
              "it reads %s, which was not given; it stops where the value is missing",
              String.join(", ", missing)));
    }
    boolean isForAgents =
        definition.nodes().stream()
            .map(node -> node.traits().order())
            .anyMatch(order -> order != null && order.hands().profile() != null);
    if (isForAgents) notes.add("a running server places its tasks for agents");
    return notes;
  }

  private List<Problem> unknownHands(Definition definition) {
    List<Problem> found = new ArrayList<>();
    for (Node node : definition.nodes()) {
      Node.Order order = node.traits().order();
      if (order == null || order.hands().profile() == null) continue;
      hands
          .against(order.hands().profile(), order.hands().provider())
          .ifPresent(
              why ->
                  found.add(
                      new Problem(
                          node.id(),
                          Phrase.of("nobody can do it as %s yet", order.hands().profile()),
                          why,
                          false)));
    }
    return found;
  }

  /**
   * A workflow as BPMN, to be written as UTF-8: the file that was imported, or one made from the
   * tables if that file has no drawing.
   */
  public String export(String which) {
    record Found(@Nullable String source, Shown shown) {}
    Found found =
        store.reading(
            tx -> {
              Workflow workflow = Definitions.which(tx, which);
              return new Found(
                  tx.workflows().source(workflow.id()).text(),
                  new Shown(
                      workflow, Definitions.read(tx, workflow), Definitions.drawing(tx, workflow)));
            });
    String source = found.source();
    boolean isDrawn = !found.shown().drawing().shapes().isEmpty();
    if (source != null && isDrawn) return BpmnFile.inUtf8(source);
    return BpmnFile.write(found.shown().definition(), found.shown().drawing());
  }
}
