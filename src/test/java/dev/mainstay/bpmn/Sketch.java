package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Frame;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process drawn by hand, node by node and line by line. */
final class Sketch {
  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();
  private @Nullable String scope;

  /** With a start and an end, which are not joined to anything yet. */
  static Sketch started() {
    return new Sketch().node("start", NodeKind.START_EVENT).node("end", NodeKind.END_EVENT);
  }

  Sketch node(String id, NodeKind kind) {
    return node(id, kind, Traits.NONE);
  }

  Sketch node(String id, NodeKind kind, Traits traits) {
    nodes.add(new Node(id, "", kind, Frame.in(scope), traits));
    return this;
  }

  Sketch event(String id, NodeKind kind, Trigger trigger) {
    return node(id, kind, Traits.of(trigger));
  }

  Sketch boundary(String id, String activity, boolean interrupting, Trigger trigger) {
    Frame frame = Frame.at(scope, activity, interrupting);
    nodes.add(new Node(id, "", NodeKind.BOUNDARY_EVENT, frame, Traits.of(trigger)));
    return this;
  }

  /** What follows lies in this sub-process; null for the process itself. */
  Sketch in(@Nullable String other) {
    scope = other;
    return this;
  }

  /** Lines from one to the next, each with the name of both: {@code a-b}. */
  Sketch line(String... ids) {
    for (int i = 1; i < ids.length; i++) {
      edges.add(Edge.of(ids[i - 1] + "-" + ids[i], ids[i - 1], ids[i]));
    }
    return this;
  }

  Sketch when(String from, String to, String condition) {
    edges.add(Edge.of(from + "-" + to, from, to).when(condition));
    return this;
  }

  Sketch otherwise(String from, String to) {
    edges.add(Edge.of(from + "-" + to, from, to).otherwise());
    return this;
  }

  Definition drawn() {
    return new Definition("sketch", "", nodes, edges);
  }
}
