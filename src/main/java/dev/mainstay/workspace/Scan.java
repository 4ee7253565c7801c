package dev.mainstay.workspace;

import dev.mainstay.store.StoreFiles;
import dev.mainstay.workspace.Folder.Around;
import dev.mainstay.workspace.LeftOut.Reason;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One scan: its limits, what is left of them, its threads, and the look at a single file. */
final class Scan {
  /** Who is late by more than this hangs. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int TRIES = 2;

  /** A rule of three characters becomes a matcher of a kilobyte, tried on every name. */
  private static final int RULES_MAX = 20_000;

  private final SafeTree tree;
  private final ScanLimits limits;
  private final StoreFiles never;
  private final boolean hashAll;
  private final Clock clock;
  private final long deadlineNanos;
  private final AtomicLong bytesLeft;
  private final AtomicInteger filesLeft;
  private final AtomicInteger foldersLeft;
  private final AtomicInteger rulesLeft = new AtomicInteger(RULES_MAX);
  private final LongAdder looked = new LongAdder();
  private final LongAdder hashed = new LongAdder();
  private final LongAdder bytesHashed = new LongAdder();
  private final LeftOut.Tally leftOut = new LeftOut.Tally();
  private final Crew crew = new Crew(Runtime.getRuntime().availableProcessors());

  Scan(SafeTree tree, ScanLimits limits, StoreFiles never, boolean hashAll, Clock clock) {
    this.tree = tree;
    this.limits = limits;
    this.never = never;
    this.hashAll = hashAll;
    this.clock = clock;
    deadlineNanos = System.nanoTime() + limits.time().toNanos();
    bytesLeft = new AtomicLong(limits.totalBytes());
    filesLeft = new AtomicInteger(limits.files());
    foldersLeft = new AtomicInteger(limits.files());
  }

  /** What to look for, name by name; a name with nothing below it is to be looked at whole. */
  record Wanted(Map<String, Wanted> names) {}

  /** Runs to the end or to the limit of time. */
  Visit run(Folder root, Around around, @Nullable Wanted only) {
    reserve(root);
    Visit first = new Visit(this, root.place(), root, around, only);
    add(first);
    long wait = deadlineNanos - System.nanoTime() + GRACE_NANOS;
    int unfinished = crew.finish(wait);
    if (unfinished > 0) leftOut.add(Reason.TIME, "", unfinished);
    return first;
  }

  /** What is known has its place already; only the rest is free for what is new. */
  private void reserve(Folder known) {
    known.forEach(
        folder -> {
          filesLeft.addAndGet(-folder.files().size());
          foldersLeft.decrementAndGet();
          if (folder.listing() != null) rulesLeft.addAndGet(-folder.listing().ownRules());
        });
  }

  void add(Runnable work) {
    crew.add(work);
  }

  SecureDirectoryStream<Path> open(Folder.Place place) throws IOException {
    return tree.open(place.names());
  }

  long nowMicros() {
    return Entry.micros(clock.instant());
  }

  boolean isOver() {
    return System.nanoTime() - deadlineNanos >= 0;
  }

  boolean isNever(String path, BasicFileAttributes file) {
    return never.contains(path, file.fileKey());
  }

  boolean takeFile() {
    return filesLeft.getAndDecrement() > 0;
  }

  /** Rules that were in force before have their place already. */
  boolean takeRules(IgnoreRules rules, @Nullable IgnoreRules before) {
    return rules == before || rulesLeft.addAndGet(-rules.size()) >= 0;
  }

  boolean takeFolder() {
    return foldersLeft.getAndDecrement() > 0;
  }

  int depthMax() {
    return limits.depth();
  }

  void leave(Reason reason, String path) {
    leftOut.add(reason, path);
  }

  void countLooked(int files) {
    looked.add(files);
  }

  LeftOut leftOut() {
    return leftOut.total();
  }

  ScanResult.Work work() {
    return new ScanResult.Work(looked.sum(), hashed.sum(), bytesHashed.sum());
  }

  static BasicFileAttributes stat(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    return folder
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** Whether what is known of the file holds by its stat alone. */
  boolean isCurrent(@Nullable Entry known, BasicFileAttributes now) {
    return known != null && !hashAll && known.isSettled() && known.stamp().agrees(now);
  }

  /**
   * The file as it is now, hashed if there is need and means; null when it is no more. A content
   * that changed while it was read is hashed, but so marked that the next scan reads it again.
   */
  @Nullable Entry look(
      SecureDirectoryStream<Path> folder, Entry seen, BasicFileAttributes first, Path name) {
    BasicFileAttributes now = first;
    for (int tries = 1; ; tries++) {
      Stamp stamp = Stamp.of(now);
      Reason not = whyNotHashed(stamp.size());
      if (not != null) return without(not, seen, stamp);
      long hashedMicros = nowMicros();
      try {
        byte[] hash = Hasher.mine().hash(folder, name, stamp.size());
        hashed.increment();
        bytesHashed.add(stamp.size());
        now = stat(folder, name);
        if (!now.isRegularFile()) return null;
        boolean same = hash != null && stamp.agrees(now);
        if (same) return new Entry(seen.path(), seen.file(), stamp, hash, hashedMicros);
        if (tries == TRIES) return new Entry(seen.path(), seen.file(), stamp, hash, 0);
      } catch (NoSuchFileException gone) {
        return null;
      } catch (IOException unreadable) {
        return isStillFile(folder, name) ? without(Reason.UNREADABLE, seen, stamp) : null;
      }
    }
  }

  private @Nullable Reason whyNotHashed(long size) {
    if (size > limits.hashedFileBytes()) return Reason.TOO_LARGE;
    if (isOver()) return Reason.TIME;
    if (bytesLeft.addAndGet(-size) >= 0) return null;
    bytesLeft.addAndGet(size); // a smaller file may still fit
    return Reason.BYTES;
  }

  private Entry without(Reason reason, Entry seen, Stamp stamp) {
    leave(reason, seen.path());
    if (seen.hash() != null && seen.stamp().agrees(stamp)) return seen; // in doubt, not refuted
    return Entry.unhashed(seen.path(), seen.file(), stamp);
  }

  private static boolean isStillFile(SecureDirectoryStream<Path> folder, Path name) {
    try {
      return stat(folder, name).isRegularFile();
    } catch (IOException gone) {
      return false;
    }
  }
}
