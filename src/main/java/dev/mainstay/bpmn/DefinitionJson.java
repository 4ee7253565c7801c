package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Edge.Guard;
import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and edges as the tables keep them and as people may write them: flat, and what is not said
 * is the usual.
 */
public final class DefinitionJson {
  static final List<String> NODE_FIELDS =
      List.of(
          "id",
          "kind",
          "name",
          "scope",
          "attached_to",
          "interrupting",
          "type",
          "title",
          "description",
          "priority",
          "profile",
          "provider",
          "worktree",
          "answers",
          "metadata",
          "timer",
          "message",
          "error",
          "terminate",
          "loop",
          "calls",
          "ad_hoc",
          "result",
          "rules");

  static final List<String> EDGE_FIELDS =
      List.of("id", "name", "source", "target", "condition", "default");

  private DefinitionJson() {}

  public static JsonObject write(Node node) {
    Frame frame = node.frame();
    JsonObject json =
        JsonObject.of(
            "id", node.id(),
            "kind", node.kind().typed(),
            "name", notEmpty(node.name()),
            "scope", frame.scope(),
            "attached_to", frame.attachedTo(),
            "interrupting", frame.interrupting() ? null : false);
    return TraitsJson.write(json, node.traits());
  }

  /** A node from its JSON; what it has no use for is refused by name. */
  public static Node readNode(JsonObject json) {
    String id = text(json, "id", "a node");
    String of = Phrase.of("the node \"%s\"", id);
    onlyKnown(of, json, NODE_FIELDS);
    NodeKind kind = NodeKind.parse(text(json, "kind", of));
    Frame frame =
        new Frame(
            textOrNull(json, "scope", of),
            textOrNull(json, "attached_to", of),
            flag(json, "interrupting", true, of));
    String name = Objects.requireNonNullElse(textOrNull(json, "name", of), "");
    return new Node(id, name, kind, frame, new TraitsJson(json, of).read(kind));
  }

  public static JsonObject write(Edge edge) {
    return JsonObject.of(
        "id", edge.id(),
        "name", notEmpty(edge.name()),
        "source", edge.source(),
        "target", edge.target(),
        "condition", edge.guard().condition(),
        "default", edge.guard().isDefault() ? true : null);
  }

  /** An edge from its JSON; without an id it is called after the nodes that it joins. */
  public static Edge readEdge(JsonObject json) {
    String source = text(json, "source", "an edge");
    String target = text(json, "target", "an edge");
    String given = textOrNull(json, "id", "an edge");
    String id = given == null ? source + "_to_" + target : given;
    String of = Phrase.of("the edge \"%s\"", id);
    onlyKnown(of, json, EDGE_FIELDS);
    Guard guard = new Guard(textOrNull(json, "condition", of), flag(json, "default", false, of));
    String name = Objects.requireNonNullElse(textOrNull(json, "name", of), "");
    return new Edge(id, name, source, target, guard);
  }

  static void onlyKnown(String of, JsonObject json, List<String> known) {
    for (String key : json.asMap().keySet()) {
      if (known.contains(key)) continue;
      throw Refusal.invalid(
          Phrase.of("%s has no use for \"%s\"; %s", of, key, Nearest.guess(key, known)));
    }
  }

  static @Nullable String notEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  static String text(JsonObject json, String key, String of) {
    String text = textOrNull(json, key, of);
    if (text == null) throw Refusal.invalid(Phrase.of("%s needs \"%s\"", of, key));
    return text;
  }

  static @Nullable String textOrNull(JsonObject json, String key, String of) {
    Object value = json.get(key);
    if (value == null || value instanceof String) return (String) value;
    throw Refusal.invalid(Phrase.of("\"%s\" of %s must be a text", key, of));
  }

  static boolean flag(JsonObject json, String key, boolean usual, String of) {
    Object value = json.get(key);
    if (value == null) return usual;
    if (value instanceof Boolean flag) return flag;
    throw Refusal.invalid(Phrase.of("\"%s\" of %s must be true or false", key, of));
  }
}
