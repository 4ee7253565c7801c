package dev.mainstay.store;

import dev.mainstay.store.PageSums.Head;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the pages of a SQLite file are as they were written. What goes from the log into
 * the file is summed up before; what another program took into the file is not, and then nothing is
 * known until somebody looks at all pages. All of it is for whoever has the right to write. A disk
 * that fails here costs the sums and never a commit.
 */
final class SqlitePages implements AutoCloseable {
  /** As many as SQLite itself would let come together before it takes them into the file. */
  private static final int FRAMES_MAX = 1_000;

  private final Path database;
  private final Path log;
  private final LogFrames frames;
  private @Nullable PageSums sums;
  private @Nullable FileChannel follower;

  SqlitePages(Path database) {
    this.database = database;
    this.log = database.resolveSibling(database.getFileName() + "-wal");
    this.frames = new LogFrames(log);
  }

  private PageSums sums() throws IOException {
    PageSums open = sums;
    if (open == null) sums = open = PageSums.open(PageSums.beside(database));
    return open;
  }

  /** Says that the log will have something that is not summed up. */
  void beforeCommit() {
    try {
      Head head = sums().head();
      if (head.folded()) sums().write(head.withFolded(false));
      else if (frames.isEmpty()) sums().clear(head); // somebody else took the log into the file
    } catch (IOException fault) {
      giveUp();
    }
  }

  void afterCommit(long number) {
    try {
      sums().write(sums().head().after(number));
    } catch (IOException fault) {
      giveUp();
    }
  }

  /** Whether the log is long enough to be taken into the file. */
  boolean isLogLong() {
    try {
      FileChannel open = follower;
      if (open == null) follower = open = FileChannel.open(log);
      return LogFrames.isLong(open, FRAMES_MAX);
    } catch (IOException none) {
      return false;
    }
  }

  /** The log is another file once the last connection was closed. */
  void reopenLog() {
    FileChannel open = follower;
    follower = null;
    try {
      if (open != null) open.close();
    } catch (IOException closed) {
      return;
    }
  }

  /** Whether there is nothing in the log, or no log. */
  boolean isLogEmpty() throws IOException {
    return frames.isEmpty();
  }

  /** Sums up what is in the log, so that SQLite may take it into the file. */
  void fold() {
    try {
      if (frames.isEmpty()) return;
      sums().fold(frames.read());
    } catch (IOException fault) {
      giveUp();
    }
  }

  /** Better no sums than wrong ones. */
  private void giveUp() {
    try {
      close();
      PageSums.remove(database);
    } catch (IOException stays) {
      return; // SQLite will find this disk failing, too
    }
  }

  @Override
  public void close() throws IOException {
    reopenLog();
    PageSums open = sums;
    sums = null;
    if (open != null) open.close();
  }
}
