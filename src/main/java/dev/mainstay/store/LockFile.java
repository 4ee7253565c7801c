package dev.mainstay.store;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fair lock among processes: those that write one SQLite file, or the files of one workspace.
 * SQLite's own lock is not fair: beside a busy batcher a single writer waited for seconds. Here
 * everybody passes a turnstile before the lock, so whoever waits goes before whoever has just
 * written. When its process dies, the lock is free.
 *
 * <p>A file's locks belong to the process and vanish when any of its descriptors is closed, so a
 * process opens each lock file once and its stores share it.
 */
public final class LockFile implements AutoCloseable {
  private static final long TURNSTILE = 0;
  private static final long WRITER = 1;
  private static final long USE = 2;
  private static final long USE_NANOS_MAX = 10_000_000_000L;
  private static final long USE_PAUSE_NANOS = 10_000_000;

  private static final long REFUSED_PAUSE_NANOS = 1_000_000;

  /** Independent of the umask: a process that may open the file can block all writers. */
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final Map<Path, LockFile> OPEN = new HashMap<>();

  private final Path path;
  private final FileChannel channel;
  private final @Nullable Object key;
  private final boolean alone;
  private final ReentrantLock inThisProcess = new ReentrantLock(true);
  private int users;
  private @Nullable FileLock writer;

  private LockFile(Path path, boolean alone) throws IOException {
    this.path = path;
    this.alone = alone;
    this.channel = channel(path);
    this.key = keyOf(path);
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  Path path() {
    return path;
  }

  /** Whether the file is still the one that was opened; others lock another one otherwise. */
  boolean isInPlace() throws IOException {
    return Objects.equals(key, keyOf(path));
  }

  /** Says that this process uses the store, until {@link #close}. */
  public static LockFile open(Path path) throws IOException {
    synchronized (OPEN) {
      LockFile file = shared(path);
      if (file == null) {
        file = new LockFile(path, false);
        file.shareUse();
        OPEN.put(path, file);
      }
      file.users++;
      return file;
    }
  }

  /**
   * The one that this process has open. Whoever has it alone is waited for: one who joined him
   * would keep his lock after him, and all other processes out for as long as this one lives.
   */
  private static @Nullable LockFile shared(Path path) {
    long end = System.nanoTime() + USE_NANOS_MAX;
    LockFile file;
    while ((file = OPEN.get(path)) != null && file.alone) {
      long left = end - System.nanoTime();
      if (left <= 0) throw hadAlone("somebody else in this process", path);
      try {
        TimeUnit.NANOSECONDS.timedWait(OPEN, left);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw Refusal.unavailable("interrupted while waiting for " + path + "; repeat it", stop);
      }
    }
    return file;
  }

  private static Refusal hadAlone(String by, Path path) {
    return Refusal.unavailable(
        by + " has " + path + " alone, as a restore has; repeat when it is done", null);
  }

  /** Waits a while for another process that has the store alone. */
  private void shareUse() throws IOException {
    long end = System.nanoTime() + USE_NANOS_MAX;
    while (channel.tryLock(USE, 1, true) == null) {
      if (System.nanoTime() > end) {
        channel.close();
        throw hadAlone("another process", path);
      }
      LockSupport.parkNanos(USE_PAUSE_NANOS);
    }
  }

  /** Has the store for this caller alone until {@link #close}, or nothing when it is in use. */
  static Optional<LockFile> openAlone(Path path) throws IOException {
    synchronized (OPEN) {
      if (OPEN.containsKey(path)) return Optional.empty();
      LockFile file = new LockFile(path, true);
      if (file.channel.tryLock(USE, 1, false) == null) {
        file.channel.close();
        return Optional.empty();
      }
      file.users++;
      OPEN.put(path, file);
      return Optional.of(file);
    }
  }

  private static FileChannel channel(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        OWNER_ONLY);
  }

  /** Takes the right to write; waits its turn among threads and processes. */
  public void lock() throws IOException {
    inThisProcess.lock();
    try {
      FileLock turnstile = waitFor(TURNSTILE);
      try {
        writer = waitFor(WRITER);
      } finally {
        turnstile.release();
      }
    } catch (IOException | RuntimeException | Error fault) {
      inThisProcess.unlock();
      throw fault;
    }
  }

  /**
   * Of two processes each may have one such file in one thread and wait for the other's in another
   * thread. The kernel, which knows only processes, takes that for a deadlock and refuses to wait,
   * which is met by asking again. What is wrong with the file itself is told by asking without
   * waiting, too.
   */
  private FileLock waitFor(long place) throws IOException {
    while (true) {
      try {
        return channel.lock(place, 1, false);
      } catch (ClosedChannelException | FileLockInterruptionException stop) {
        throw stop;
      } catch (IOException refused) {
        FileLock free = channel.tryLock(place, 1, false);
        if (free != null) return free;
        LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
      }
    }
  }

  /**
   * Takes the right to write unless somebody has it, or waits for it. Unlike the way that waits,
   * this one leaves the file open for everybody when its thread is interrupted.
   */
  boolean tryLock() {
    boolean free = !inThisProcess.isHeldByCurrentThread() && !inThisProcess.hasQueuedThreads();
    if (!free || !inThisProcess.tryLock()) return false;
    boolean taken = false;
    try {
      FileLock turnstile = channel.tryLock(TURNSTILE, 1, false);
      if (turnstile == null) return false;
      try {
        writer = channel.tryLock(WRITER, 1, false);
      } finally {
        turnstile.release();
      }
      taken = writer != null;
      return taken;
    } catch (IOException fault) {
      return false; // whoever waits for it meets the same, and tells of it
    } finally {
      if (!taken) unlock();
    }
  }

  public void unlock() {
    FileLock held = writer;
    writer = null;
    try {
      if (held != null) held.release();
    } catch (IOException fault) {
      throw Refusal.unavailable("the lock file " + path + " cannot be released", fault);
    } finally {
      inThisProcess.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users > 0) return;
      OPEN.remove(path, this);
      OPEN.notifyAll();
      channel.close(); // ends all its locks
    }
  }
}
