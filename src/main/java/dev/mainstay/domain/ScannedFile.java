package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One file as a scan saw it, and what a later scan needs to tell whether it must look again.
 * Without a hash it was too large, or came too late, to be read.
 */
public record ScannedFile(String path, @Nullable String hash, Stat stat, Instant hashedAt) {
  /** What a file system tells without opening the file; the key is its device and inode. */
  public record Stat(long size, Instant modTime, String fileKey) {}
}
