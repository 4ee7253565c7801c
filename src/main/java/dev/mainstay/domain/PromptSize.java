package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * How large a prompt was that an agent was given, in tokens, and how large the transcript was that
 * it stands for, where that is known.
 */
public record PromptSize(long tokens, @Nullable Long transcript) {
  public PromptSize {
    if (tokens < 0 || (transcript != null && transcript < 0)) {
      throw new IllegalStateException(tokens + " tokens for " + transcript);
    }
  }

  public static PromptSize of(long tokens) {
    return new PromptSize(tokens, null);
  }

  /** A transcript of nothing is one that nobody has measured. */
  public static PromptSize of(long tokens, long transcript) {
    return new PromptSize(tokens, transcript == 0 ? null : transcript);
  }
}
