package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * A file is about to be written: noted before the first byte, so that after a crash it can be told
 * whether the write was made. The temporary file lies beside the file.
 */
public record FileWrite(
    RepoPath path, String tempName, Change change, @Nullable TaskId task, Call by) {
  /** From which content to which; null where there was no file. */
  public record Change(@Nullable String oldHash, String newHash) {}
}
