package dev.mainstay.bpmn;

import org.jspecify.annotations.Nullable;

/** A way from one node to another: a sequence flow. */
public record Edge(String id, String name, String source, String target, Guard guard) {

  public static Edge of(String id, String source, String target) {
    return new Edge(id, "", source, target, Guard.NONE);
  }

  public Edge when(String condition) {
    return new Edge(id, name, source, target, new Guard(condition, false));
  }

  public Edge otherwise() {
    return new Edge(id, name, source, target, new Guard(null, true));
  }

  /** When it is taken: the condition is CEL; the default one is taken when no other is. */
  public record Guard(@Nullable String condition, boolean isDefault) {
    public static final Guard NONE = new Guard(null, false);
  }
}
