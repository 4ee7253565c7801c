package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a SQLite store's files are still those that this process opened. SQLite itself goes
 * on writing into files that were deleted, replaced or truncated, and reports success. A check
 * costs one stat per file. Once a file was lost the store stays refused until the process opens it
 * again.
 */
final class OpenedFiles {
  /** Readers may see the old files for this long; a commit is always checked. */
  private static final long READ_NANOS_BETWEEN = 100_000_000;

  /** Never closed: closing would copy a log that is no longer the store's into the database. */
  private static final Queue<Statements> ABANDONED = new ConcurrentLinkedQueue<>();

  private final Path database;
  private final Path log;
  private final Path index;
  private @Nullable Object databaseKey;
  private long databaseBytes;
  private @Nullable Object logKey;
  private @Nullable Object indexKey;
  private @Nullable LockFile lock;
  private int connections;
  private volatile long nextReadCheck = System.nanoTime();
  private volatile @Nullable String lost;

  OpenedFiles(Path database) {
    this.database = database;
    this.log = LogFrames.beside(database);
    this.index = database.resolveSibling(database.getFileName() + "-shm");
  }

  /** Remembers the database file; called before its first connection is opened. */
  synchronized void openDatabase() throws IOException {
    if (databaseKey != null) return;
    BasicFileAttributes found = Files.readAttributes(database, BasicFileAttributes.class);
    databaseBytes = found.size();
    databaseKey = found.fileKey();
  }

  synchronized void openLock(LockFile opened) {
    lock = opened;
  }

  synchronized void connected() {
    connections++;
  }

  /** The last connection to close removes the log, so the next one may make another. */
  synchronized void disconnected() {
    if (--connections > 0) return;
    logKey = null;
    indexKey = null;
  }

  /** Closes a connection, or keeps it for ever where closing would write to a lost file. */
  void disconnect(Statements connection) {
    if (lost == null) SqliteWriter.quietly(connection::close);
    else ABANDONED.add(connection);
    disconnected();
  }

  boolean areLost() {
    return lost != null;
  }

  /** Refuses when a file was found lost before, or now when the last look was a while ago. */
  void checkForReader() {
    if (lost == null) {
      long now = System.nanoTime();
      if (now - nextReadCheck < 0) return;
      nextReadCheck = now + READ_NANOS_BETWEEN;
    }
    check();
  }

  void check() {
    check(false);
  }

  /**
   * Refuses when a file was deleted, replaced or truncated since it was opened. Files that are seen
   * for the first time are remembered. Called when a transaction has begun and again before it is
   * acknowledged.
   */
  void checkForWriter() {
    check(true);
  }

  private void check(boolean writing) {
    String why = lost;
    if (why == null) lost = why = look(writing);
    if (why == null) return;
    throw Refusal.unavailable(
        Phrase.of(
            "the store at %s lost its files: %s while this process had it open; nothing was changed: end this process, then see what 'mainstay doctor' says",
            database, why),
        null);
  }

  private synchronized @Nullable String look(boolean writing) {
    if (databaseKey == null) return null;
    try {
      BasicFileAttributes found = Files.readAttributes(database, BasicFileAttributes.class);
      if (!databaseKey.equals(found.fileKey())) return replaced(database);
      if (found.size() < databaseBytes && isTruncated(found.size())) {
        return database.getFileName() + " was truncated";
      }
      databaseBytes = found.size();
      if (lock != null && !lock.isInPlace()) return replaced(lock.path());
      if (connections == 0) return null;
      logKey = same(log, logKey, writing);
      indexKey = same(index, indexKey, writing);
      return null;
    } catch (Replaced other) {
      return other.getMessage();
    } catch (NoSuchFileException gone) {
      return Path.of(gone.getFile()).getFileName() + " was deleted";
    } catch (IOException unreadable) {
      return "its files cannot be looked at (" + unreadable.getMessage() + ")";
    }
  }

  private static String replaced(Path file) {
    return file.getFileName()
        + (Files.exists(file) ? " was replaced by another file" : " was deleted");
  }

  /** The key of a file that must be the one known; a reader may come before there is one. */
  private static @Nullable Object same(Path file, @Nullable Object known, boolean mustExist)
      throws IOException {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      if (known == null || known.equals(key)) return key;
      throw new Replaced(replaced(file));
    } catch (NoSuchFileException gone) {
      if (known == null && !mustExist) return null;
      throw gone;
    }
  }

  private static final class Replaced extends IOException {
    private static final long serialVersionUID = 1L;

    Replaced(String message) {
      super(message);
    }
  }

  /** A file that was vacuumed is shorter, too, but has as many pages as its head says. */
  private boolean isTruncated(long bytes) throws IOException {
    if (bytes == 0) return true;
    var channel = PageFiles.open(database);
    Integer pageBytes = LogFrames.pageBytes(channel);
    return pageBytes == null || bytes < (long) LogFrames.pagesSaid(channel) * pageBytes;
  }
}
