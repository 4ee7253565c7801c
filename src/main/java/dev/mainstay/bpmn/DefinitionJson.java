package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;

/** Nodes and edges as the tables keep them and as people may write them. */
public final class DefinitionJson {
  private DefinitionJson() {}

  public static JsonObject write(Node node) {
    throw new UnsupportedOperationException("being written: " + node);
  }

  /** A node from its JSON; what it has no use for is refused by name. */
  public static Node readNode(JsonObject json) {
    throw new UnsupportedOperationException("being written: " + json);
  }

  public static JsonObject write(Edge edge) {
    throw new UnsupportedOperationException("being written: " + edge);
  }

  public static Edge readEdge(JsonObject json) {
    throw new UnsupportedOperationException("being written: " + json);
  }
}
