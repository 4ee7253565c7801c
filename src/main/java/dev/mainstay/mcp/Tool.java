package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;

/** Something a model can call. The schema is strict: a field it does not name is refused. */
public record Tool(
    String name, String description, JsonObject inputSchema, Hints hints, Doing doing) {

  /** What hosts may conclude before they let it run. */
  public record Hints(boolean readOnly, boolean idempotent) {}

  /** A {@code Refusal} becomes a reply with its sentence; anything else that flies is a bug. */
  @FunctionalInterface
  public interface Doing {
    Reply call(Asking asking, JsonObject arguments);
  }
}
