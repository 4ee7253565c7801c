package dev.mainstay.directory;

import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps a folder and the store in step while a process lives. The file system's notices only say
 * when to look, and the store is asked whether it has moved; what changed is found by content.
 */
public final class DirectoryWatch implements AutoCloseable {
  /** The store has no notices for files, so it is asked this often. */
  private static final Duration TICK = Duration.ofMillis(500);

  /** An editor saves in several steps: so long is waited for the rest of them. */
  private static final Duration QUIET = Duration.ofMillis(100);

  private static final int BURST_MAX = 100;

  private final Store store;
  private final StateDirectories directories;
  private final Path folder;
  private final Call call;
  private final StateDirectory directory;
  private final WatchService notices;
  private long seen = -1;

  DirectoryWatch(Store store, Path folder, Call call) {
    this.store = store;
    this.directories = new StateDirectories(store);
    this.folder = folder;
    this.call = call;
    this.directory = directories.get(folder);
    try {
      this.notices = watching(folder);
    } catch (IOException fault) {
      throw unwatchable(folder, fault);
    }
  }

  /** The system has few watches to give, so one that cannot be used is given back at once. */
  private static WatchService watching(Path folder) throws IOException {
    WatchService notices = folder.getFileSystem().newWatchService();
    try {
      folder.register(
          notices,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      return notices;
    } catch (IOException | RuntimeException fault) {
      notices.close();
      throw fault;
    }
  }

  private static Refusal unwatchable(Path folder, IOException fault) {
    return Refusal.unavailable(
        Phrase.of("%s cannot be watched: %s", folder, fault.getMessage()), fault);
  }

  /** Waits for a change on either side, at most so long; says what came of it. */
  public Optional<Report> await(Duration most) {
    long end = System.nanoTime() + most.toNanos();
    try {
      do {
        WatchKey key = notices.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        boolean noticed = key != null;
        for (int burst = 0; key != null && burst < BURST_MAX; burst++) {
          key.pollEvents();
          key.reset();
          key = notices.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
        }
        if (noticed || number() != seen)
          return Optional.of(synced(() -> directories.sync(folder, call)));
      } while (System.nanoTime() < end);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** What is written to the store while the files are brought into step is looked at next time. */
  Report synced(Supplier<Report> sync) {
    long before = number();
    Report report = sync.get();
    seen = before;
    return report;
  }

  private long number() {
    return store.reading(tx -> tx.dossiers().get(directory.task()).number());
  }

  @Override
  public void close() {
    try {
      notices.close();
    } catch (IOException gone) {
      return;
    }
  }
}
