package dev.mainstay.domain;

import java.time.Instant;

/** What happened to the artifacts of a task. */
public sealed interface ArtifactEvent extends Event {
  /** How the kinds of these events begin. */
  String KINDS = "artifact.";

  /** Something was handed over: what and where it is and its hash, but not its content. */
  record Added(Artifact artifact) implements ArtifactEvent {
    public static final String KIND = "artifact.added";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      var place = artifact.place();
      return JsonObject.of("id", artifact.id(), "artifact_type", artifact.type().name())
          .with("file_path", place == null ? null : place.path())
          .with("host", place == null ? null : place.host())
          .with("content_hash", artifact.content().hash())
          .with("size_bytes", artifact.content().bytes());
    }

    /** Of whom and when is in the journal's entry. */
    public static Added read(TaskId task, JsonObject payload, Instant at) {
      JsonObject whole = payload.with("task_id", task.value()).with("created_at", Times.write(at));
      return new Added(Artifact.fromJson(whole));
    }
  }
}
