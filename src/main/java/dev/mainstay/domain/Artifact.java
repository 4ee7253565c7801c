package dev.mainstay.domain;

import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that came out of a task: a text that the store keeps, or a file of a host that the
 * store knows by its path. Either way its SHA-256 says what it was when it was handed over.
 */
public record Artifact(
    long id, TaskId task, ArtifactType type, @Nullable Place place, Content content) {
  public static final int INLINE_BYTES_MAX = 64 * 1024;
  public static final int PER_TASK_MAX = 1_000;

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** Where a file lies; its path means nothing on another host. */
  public record Place(String path, String host) {
    public static final int HOST_CHARS_MAX = 255;

    public Place {
      path = Text.line("an artifact's path", path, RepoPath.PATH_CHARS_MAX);
      host = Text.line("a host's name", host, HOST_CHARS_MAX);
    }
  }

  /** What it was when it was handed over. */
  public record Content(String hash, long bytes, Instant createdAt) {
    public Content {
      hash = sha256(hash);
      if (bytes < 0) throw new IllegalStateException(bytes + " bytes");
    }
  }

  /** A SHA-256 as people give it, in either case. */
  public static String sha256(String typed) {
    String hash = typed.strip().toLowerCase(Locale.ROOT);
    if (SHA256.matcher(hash).matches()) return hash;
    throw Refusal.invalid("a SHA-256 has 64 hexadecimal digits; 'sha256sum FILE' prints it");
  }

  public boolean isInline() {
    return place == null;
  }

  /** Refuses what has another SHA-256 than it was handed over with. */
  public void mustHave(String hash) {
    if (hash.equals(content.hash())) return;
    throw Refusal.conflict(
        Phrase.of(
            "artifact %d of %s is not what it was: its SHA-256 is %s, it was handed over with %s; %s",
            id,
            task,
            hash,
            content.hash(),
            place == null
                ? "'mainstay verify' says more, and a backup has it"
                : "the file " + place.path() + " was changed, so hand it over again"));
  }

  public JsonObject toJson() {
    return JsonObject.of("id", id, "task_id", task.value(), "artifact_type", type.name())
        .with("file_path", place == null ? null : place.path())
        .with("host", place == null ? null : place.host())
        .with("content_hash", content.hash())
        .with("size_bytes", content.bytes())
        .with("created_at", Times.write(content.createdAt()));
  }

  public static Artifact fromJson(JsonObject json) {
    String path = json.textOrNull("file_path");
    return new Artifact(
        json.number("id"),
        new TaskId(json.text("task_id")),
        new ArtifactType(json.text("artifact_type")),
        path == null ? null : new Place(path, json.text("host")),
        new Content(
            json.text("content_hash"),
            json.number("size_bytes"),
            Times.read(json.text("created_at"))));
  }
}
