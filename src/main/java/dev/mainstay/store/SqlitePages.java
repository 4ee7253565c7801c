package dev.mainstay.store;

import dev.mainstay.store.PageSums.Head;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the pages of a SQLite file are as they were written. What goes from the log into
 * the file is summed up before. Where a log was begun anew and not all of the one before was summed
 * up, as another program took it into the file, nothing is known until somebody looks at all pages.
 * All of it is for whoever has the right to write. A disk that fails here costs the sums and never
 * a commit.
 */
final class SqlitePages implements AutoCloseable {
  /** As many as SQLite itself would let come together before it takes them into the file. */
  private static final int FRAMES_MAX = 1_000;

  private final Path file;
  private final Path log;
  private final LogFrames frames;
  private @Nullable PageSums sums;
  private @Nullable Object sumsKey;
  private @Nullable FileChannel follower;
  private boolean wholeBefore;
  private @Nullable Head begun; // what the sums are about while nobody else can change it
  private long salts; // of the log after the last commit

  SqlitePages(Path database) {
    this.file = PageSums.beside(database);
    this.log = LogFrames.beside(database);
    this.frames = new LogFrames(log);
  }

  /** The sums as they lie beside the store: somebody may have removed them, or put others there. */
  private PageSums sums() throws IOException {
    PageSums open = sums;
    if (open != null && Objects.equals(key(), sumsKey)) return open;
    if (open != null) open.close();
    sums = open = PageSums.open(file);
    sumsKey = key();
    return open;
  }

  private @Nullable Object key() {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (IOException none) {
      return null;
    }
  }

  /**
   * Looks, before anything is written, whether all that is in the log is summed up: SQLite may
   * begin it anew now. Nobody else writes from here on until {@link #committed}.
   */
  void begun() {
    try {
      begun = look();
    } catch (IOException fault) {
      giveUp();
    }
  }

  /** What is known of the log; a head of another log is replaced only once it was read whole. */
  private Head look() throws IOException {
    Head head = steadily(() -> sums().head());
    long now = steadily(() -> LogFrames.salts(follower()));
    if (head.salts() != now) {
      Head other = head.of(now, LogFrames.BEGIN);
      steadily(() -> cleared(other));
      head = other;
    }
    long end = head.end();
    wholeBefore = !steadily(() -> LogFrames.hasFrame(follower(), now, end));
    return head;
  }

  private Head cleared(Head head) throws IOException {
    sums().clear(head);
    return head;
  }

  private Head written(Head head) throws IOException {
    sums().write(head);
    return head;
  }

  private interface Use<T> {
    T of() throws IOException;
  }

  /**
   * The JDK closes a file when the thread that uses it is interrupted, as a caller's may be. Then
   * it is opened again, and the thread learns that it was interrupted when this is done.
   */
  private <T> T steadily(Use<T> use) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return use.of();
        } catch (ClosedByInterruptException closed) {
          interrupted |= Thread.interrupted();
          close();
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /** Something was written: the commit with this number, or 0 where it has none. */
  void committed(long number) {
    try {
      // Before anything of the sums: where there are none the log is shortened all the same.
      salts = steadily(() -> LogFrames.salts(follower()));
      Head known = sums == null ? null : begun;
      Head head = known == null ? steadily(() -> sums().head()) : known;
      begun = null;
      Head counted = number == 0 ? head : head.after(number);
      boolean same = salts == head.salts();
      Head after = same ? counted : counted.of(salts, LogFrames.BEGIN);
      steadily(() -> same || wholeBefore ? written(after) : cleared(after));
    } catch (IOException fault) {
      giveUp();
    }
  }

  /** The log, open; null while there is none. */
  private @Nullable FileChannel follower() throws IOException {
    FileChannel open = follower;
    if (open == null && Files.exists(log)) follower = open = FileChannel.open(log);
    return open;
  }

  /** Whether the log, as it was after the last commit, is long enough to be taken into the file. */
  boolean isLogLong() {
    try {
      return steadily(() -> LogFrames.isLong(follower(), salts, FRAMES_MAX));
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

  /** Takes the log into the file, by a way that is given, after its pages are summed up. */
  boolean takeIn(BooleanSupplier checkpoint) {
    boolean summedUp = fold();
    boolean done = checkpoint.getAsBoolean();
    if (summedUp) settle(false);
    return done;
  }

  /** The file is written anew by a way that is given, and nothing is known of it afterwards. */
  <T> T renew(Supplier<T> way) {
    begun();
    try {
      return way.get();
    } finally {
      settle(true);
    }
  }

  /** Sums up what is in the log, so that SQLite may take it into the file. */
  private boolean fold() {
    try {
      if (!frames.read()) return false;
      Head head = sums().head();
      boolean known = head.salts() == frames.salts();
      if (known) sums().fold(frames.takeNew(), head.of(frames.salts(), frames.end()));
      else sums().clear(head.ofUnknown());
      return known;
    } catch (IOException fault) {
      giveUp();
      return false;
    } catch (RuntimeException | Error fault) {
      giveUp(); // pages that were taken from the log would never be summed up
      throw fault;
    }
  }

  /** Whether or not the log is another one now, the sums go with it. */
  private void settle(boolean renewed) {
    reopenLog();
    try {
      Head head = sums().head();
      long salts = LogFrames.salts(follower());
      if (renewed) sums().clear(head.of(salts, LogFrames.BEGIN));
      else if (salts != head.salts()) sums().write(head.of(salts, LogFrames.BEGIN));
    } catch (IOException fault) {
      giveUp();
    }
  }

  /** Better no sums than wrong ones. They are emptied, as others may have the file open. */
  private void giveUp() {
    wholeBefore = false;
    begun = null;
    try {
      if (sums != null) sums.empty();
      close();
    } catch (IOException stays) {
      remove();
    }
  }

  private void remove() {
    try {
      Files.deleteIfExists(file);
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
