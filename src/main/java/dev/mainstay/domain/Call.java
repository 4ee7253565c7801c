package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * One outside request: who asks, through which door, under which idempotency key, and with the
 * fence of which lease. A key may be left out; then a repeated request is another request.
 */
public record Call(Actor actor, String source, @Nullable String key, @Nullable Long fence) {
  public static final int KEY_CHARS_MAX = 200;

  public Call {
    source = Text.line("a call's source", source, 32);
    if (key != null) key = Text.line("an idempotency key", key, KEY_CHARS_MAX);
  }

  public static Call by(Actor actor, String source) {
    return new Call(actor, source, null, null);
  }

  public Call withKey(@Nullable String newKey) {
    return new Call(actor, source, newKey, fence);
  }

  public Call withFence(@Nullable Long newFence) {
    return new Call(actor, source, key, newFence);
  }
}
