package dev.mainstay.domain;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of a workspace, and what became of it since the story began. The base is the content it
 * had then: null when it was not there, empty when it was there and too large to be read.
 */
public record TrackedFile(ScannedFile seen, FileStatus status, @Nullable String baseHash) {
  /** As the first look at a workspace finds it: that is what the story begins with. */
  public static TrackedFile found(ScannedFile seen) {
    return new TrackedFile(seen, FileStatus.UNCHANGED, base(seen));
  }

  /** It appeared after the story began. */
  public static TrackedFile appeared(ScannedFile seen) {
    return new TrackedFile(seen, FileStatus.CREATED, null);
  }

  private static String base(ScannedFile seen) {
    String hash = seen.hash();
    return hash == null ? "" : hash;
  }

  /** The same file, seen again. What it was in the beginning makes it unchanged once more. */
  public TrackedFile seenAgain(ScannedFile now) {
    if (baseHash == null) return new TrackedFile(now, FileStatus.CREATED, null);
    boolean same = Objects.equals(baseHash, base(now));
    return new TrackedFile(now, same ? FileStatus.UNCHANGED : FileStatus.MODIFIED, baseHash);
  }

  /** It is gone; what was made in the story and is gone again leaves nothing behind. */
  public @Nullable TrackedFile gone() {
    return baseHash == null ? null : new TrackedFile(seen, FileStatus.DELETED, baseHash);
  }

  /** The beginning of another story: what is there is unchanged, what was deleted is forgotten. */
  public @Nullable TrackedFile rebased() {
    return status == FileStatus.DELETED ? null : found(seen);
  }

  public String path() {
    return seen.path();
  }

  public FileMeta toMeta() {
    var stat = seen.stat();
    return new FileMeta(seen.path(), seen.hash(), stat.size(), stat.modTime(), status);
  }
}
