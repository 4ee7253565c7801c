package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Two tasks changed the same file, each without the other. The hashes are those of what each left
 * there; one that is missing says that the task deleted the file.
 */
public record Conflict(
    String path, TaskId other, @Nullable String ours, @Nullable String theirs, Instant at) {
  public Conflict {
    path = new RepoPath(path).value();
    ours = hash(ours);
    theirs = hash(theirs);
  }

  private static @Nullable String hash(@Nullable String hash) {
    return hash == null ? null : Text.line("a file's hash", hash, Evidence.HASH_CHARS_MAX);
  }

  boolean isAboutSameAs(Conflict another) {
    return path.equals(another.path) && other.equals(another.other);
  }

  public JsonObject toJson() {
    return JsonObject.of("path", path, "other", other.value(), "ours", ours, "theirs", theirs)
        .with("at", Times.write(at));
  }

  static Conflict fromJson(JsonObject json) {
    return new Conflict(
        json.text("path"),
        new TaskId(json.text("other")),
        json.textOrNull("ours"),
        json.textOrNull("theirs"),
        Times.read(json.text("at")));
  }
}
