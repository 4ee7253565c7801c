package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * A file is about to be written: noted before the first byte, so that after a crash it can be told
 * whether the write was made, and its request be answered. The temporary file lies beside the file.
 */
public record FileWrite(RepoPath path, String tempName, Change change, Asked asked) {
  /** From which content to which; null where there was no file. */
  public record Change(@Nullable String oldHash, String newHash) {}

  /** For which task, by whom and under which key, and how the request is known again. */
  public record Asked(@Nullable TaskId task, Call by, String fingerprint) {}

  public @Nullable TaskId task() {
    return asked.task();
  }

  public Call by() {
    return asked.by();
  }
}
