package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.Tracker.Looked;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a workspace's state current while a process lives. The file system's notices only say when
 * to look; what changed is always asked of the disk. Where folders cannot be watched, it looks now
 * and then. One caller at a time.
 */
public final class Watch implements AutoCloseable {
  /** Changes come in bursts: so long is waited for the rest of one. */
  private static final Duration QUIET = Duration.ofMillis(100);

  /** Who writes without a pause is looked at all the same. */
  private static final int BURST_MAX = 100;

  /** Without notices, the disk is asked so often. */
  private static final Duration POLL = Duration.ofSeconds(2);

  private final Tracker tracker;
  private final WatchService notices;
  private final Map<Path, WatchKey> watched = new HashMap<>();
  private boolean blind;

  public Watch(Tracker tracker) {
    this.tracker = tracker;
    try {
      this.notices = tracker.site().tree().root().getFileSystem().newWatchService();
    } catch (IOException fault) {
      throw Refusal.unavailable("the workspace cannot be watched: " + fault.getMessage(), fault);
    }
    tracker.scan(); // only a look tells the folders without files
    while (watchFolders()) tracker.scan();
  }

  /** Waits for a change, at most so long, and says what a look at the files found. */
  public Looked await(Duration most) {
    try {
      Duration wait = blind && POLL.compareTo(most) < 0 ? POLL : most;
      WatchKey key = notices.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
      if (key == null && !blind) return tracker.drain();
      for (int burst = 0; key != null && burst < BURST_MAX; burst++) {
        key.pollEvents();
        if (!key.reset()) watched.values().remove(key);
        key = notices.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Looked.NOTHING;
    } catch (ClosedWatchServiceException closed) {
      throw new IllegalStateException("the watch is closed", closed);
    }
    // A folder that came with files in it is watched first, or what comes next would be missed.
    Looked looked = tracker.scan();
    while (watchFolders()) looked = looked.and(tracker.scan());
    return looked;
  }

  /**
   * Watches every folder of the workspace, for files may come to each; says whether there were new
   * ones.
   */
  private boolean watchFolders() {
    Set<Path> folders = tracker.folders();
    boolean grew = false;
    for (Path folder : folders) grew |= !watched.containsKey(folder) && watch(folder);
    for (Path gone : new HashSet<>(watched.keySet())) {
      if (folders.contains(gone)) continue;
      WatchKey key = watched.remove(gone);
      if (key != null) key.cancel();
    }
    return grew;
  }

  private boolean watch(Path folder) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return false;
    try {
      WatchKey key =
          folder.register(
              notices,
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_MODIFY,
              StandardWatchEventKinds.ENTRY_DELETE);
      watched.put(folder, key);
      return true;
    } catch (IOException noMoreWatches) {
      blind = true; // the system's limit of watches is reached, most likely
      return false;
    }
  }

  @Override
  public void close() {
    try {
      notices.close();
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }
}
