package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/** A message that was sent before anybody waited for it. */
public record WorkflowMessage(
    long id, String name, @Nullable String correlation, JsonObject content, String sentBy) {

  /** What tells several messages of one name apart is a word, not a text. */
  public static final int CORRELATION_CHARS_MAX = 200;
}
