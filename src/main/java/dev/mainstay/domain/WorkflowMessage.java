package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/** A message that was sent before anybody waited for it. */
public record WorkflowMessage(
    long id, String name, @Nullable String correlation, JsonObject content, String sentBy) {
  public static final int NAME_CHARS_MAX = 256;

  /** A database keeps no longer ones where it looks them up. */
  public static final int CORRELATION_CHARS_MAX = 200;
}
