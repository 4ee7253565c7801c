package dev.mainstay.domain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message that was sent before anybody waited for it. */
public record WorkflowMessage(
    long id, String name, @Nullable String correlation, JsonObject content, Sent sent) {
  public static final int NAME_CHARS_MAX = 256;

  /** A database keeps no longer ones where it looks them up. */
  public static final int CORRELATION_CHARS_MAX = 200;

  /** Nobody will wait for it any more. */
  public static final Duration LIFE = Duration.ofDays(30);

  /** Where it is written down what became of the messages of a name. */
  public static String stream(String name) {
    return "message/" + name;
  }

  public JsonObject toJson() {
    return JsonObject.of("id", id, "name", name, "correlation", correlation)
        .with("content", content)
        .with("sent_by", sent.by())
        .with("sent_at", Times.write(sent.at()));
  }

  /** Who sent it, and when. */
  public record Sent(String by, Instant at) {}
}
