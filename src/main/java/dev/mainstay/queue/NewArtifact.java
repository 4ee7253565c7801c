package dev.mainstay.queue;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Text;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What somebody hands over: a short text or the path of a file, and perhaps the SHA-256 that it
 * must have.
 */
public record NewArtifact(
    ArtifactType type,
    @Nullable String path,
    @Nullable String content,
    @Nullable String expectedSha256) {
  public NewArtifact {
    if ((path == null) == (content == null)) {
      throw Refusal.invalid("an artifact is either a file or a text; give one of the two");
    }
    if (expectedSha256 != null) expectedSha256 = Artifact.sha256(expectedSha256);
    if (content != null) {
      Text.body("an artifact's text", content, Integer.MAX_VALUE);
      int bytes = content.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > Artifact.INLINE_BYTES_MAX) {
        throw Refusal.tooLarge(
            Phrase.of(
                "an artifact's text has %,d bytes; at most %,d are kept, so write it to a file and hand that over",
                bytes, Artifact.INLINE_BYTES_MAX));
      }
    }
  }

  public static NewArtifact file(ArtifactType type, String path) {
    return new NewArtifact(type, path, null, null);
  }

  public static NewArtifact text(ArtifactType type, String content) {
    return new NewArtifact(type, null, content, null);
  }

  /** The same with markers in the places of secrets; a file stays what it is. */
  NewArtifact withoutSecrets() {
    if (content == null) return this;
    return new NewArtifact(type, path, Redactor.DEFAULT.redact(content), expectedSha256);
  }

  public NewArtifact expecting(@Nullable String sha256) {
    return new NewArtifact(type, path, content, sha256);
  }
}
