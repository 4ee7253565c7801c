package dev.mainstay.domain;

import java.time.Instant;

/**
 * One version of a workflow.
 *
 * @param id of this version, {@code WF-001}
 * @param name by which it is started; all versions have the same
 * @param title what people call it; may be empty
 */
public record Workflow(String id, String name, long version, String title, Instant createdAt) {
  /** The stream of the journal that tells of its versions. */
  public static String stream(String name) {
    return "workflow/" + name;
  }

  public JsonObject toJson() {
    return JsonObject.of("id", id, "name", name, "version", version, "title", title)
        .with("created_at", Times.write(createdAt));
  }

  public static Workflow fromJson(JsonObject json) {
    return new Workflow(
        json.text("id"),
        json.text("name"),
        json.number("version"),
        json.text("title"),
        Times.read(json.text("created_at")));
  }
}
