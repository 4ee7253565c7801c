package dev.mainstay.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One file as a scan saw it, and all that a later scan needs to know whether it must look again.
 * The hash is the SHA-256 of the content in hexadecimal digits; a file that was too large or came
 * too late to be hashed has none yet.
 */
public record ScannedFile(String path, @Nullable String hash, Stat stat, Instant hashedAt) {
  public static final int HASH_CHARS = 64;

  /**
   * What the disk says about a file without its being opened. The file key names the file itself,
   * whatever it is called: device and inode.
   */
  public record Stat(long size, Instant modTime, String fileKey) {
    public Stat {
      if (size < 0) throw new IllegalStateException("a file of " + size + " bytes");
      // The store keeps microseconds; what comes back from it must equal what went in.
      modTime = modTime.truncatedTo(ChronoUnit.MICROS);
    }
  }

  public ScannedFile {
    if (path.isEmpty()) throw new IllegalStateException("a scanned file without a path");
    if (hash != null && hash.length() != HASH_CHARS) {
      throw new IllegalStateException(path + " has a hash of " + hash.length() + " digits");
    }
    hashedAt = hashedAt.truncatedTo(ChronoUnit.MICROS);
  }
}
