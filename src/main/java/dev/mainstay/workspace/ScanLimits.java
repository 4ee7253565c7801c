package dev.mainstay.workspace;

import java.time.Duration;

/**
 * How much one scan may take: files known at the end (and as many folders), bytes of a file that is
 * hashed, bytes hashed in all, names in a path, and time.
 */
record ScanLimits(int files, long hashedFileBytes, long totalBytes, int depth, Duration time) {
  private static final int FILES_MAX = 200_000;
  private static final long HASHED_FILE_BYTES_MAX = 64L << 20;
  private static final long TOTAL_BYTES_MAX = 8L << 30;
  private static final int DEPTH_NAMES_MAX = 128;
  private static final int TIME_SECONDS_MAX = 60;

  static final ScanLimits DEFAULT =
      new ScanLimits(
          FILES_MAX,
          HASHED_FILE_BYTES_MAX,
          TOTAL_BYTES_MAX,
          DEPTH_NAMES_MAX,
          Duration.ofSeconds(TIME_SECONDS_MAX));
}
