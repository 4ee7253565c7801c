package dev.mainstay.workspace;

import dev.mainstay.domain.ScannedFile;
import java.util.List;

/**
 * What a scan found against what was known before it, each list sorted by path. A file is changed
 * when its content is; one that was only touched is in none of the lists. What is gone is given as
 * it was last seen; what a sparse checkout took off the disk is in a list of its own.
 */
record ScanResult(
    List<ScannedFile> added,
    List<ScannedFile> changed,
    List<ScannedFile> gone,
    List<ScannedFile> sparse,
    LeftOut leftOut,
    Work work) {

  /** What the scan cost. */
  record Work(long filesLookedAt, long filesHashed, long bytesHashed) {}

  boolean isNothing() {
    return added.isEmpty() && changed.isEmpty() && gone.isEmpty() && sparse.isEmpty();
  }
}
