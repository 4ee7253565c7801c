package dev.mainstay.app;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/**
 * Sees an event when it is put down, and has it heard while the launcher's curl is still on its way
 * to ask for it. What it misses is heard when it is asked for.
 */
final class SpoolWatch implements AutoCloseable {
  private final @Nullable WatchService service;

  private SpoolWatch(@Nullable WatchService service) {
    this.service = service;
  }

  /** Watches until it is closed; where the system does not tell of files at once, not at all. */
  static SpoolWatch start(Spool spool, Desk desk) {
    // Elsewhere the JDK looks into the folder every few seconds, which is of no use here.
    if (!System.getProperty("os.name", "").equals("Linux")) return new SpoolWatch(null);
    SpoolWatch watch = new SpoolWatch(service(spool.folder()));
    if (watch.service == null) return watch;
    Thread thread = new Thread(() -> watch(watch.service, desk), "mainstay-spool");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  /** None where a user watches as much as the system allows; then nothing is seen, as elsewhere. */
  private static @Nullable WatchService service(Path folder) {
    WatchService service = null;
    try {
      service = folder.getFileSystem().newWatchService();
      folder.register(
          service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      return service;
    } catch (IOException tooMany) {
      new SpoolWatch(service).close();
      return null;
    }
  }

  private static void watch(WatchService service, Desk desk) {
    try {
      WatchKey seen;
      do {
        seen = service.take();
        for (WatchEvent<?> event : seen.pollEvents()) {
          if (event.context() instanceof Path file) desk.foresee(file.toString());
        }
      } while (seen.reset());
    } catch (ClosedWatchServiceException | InterruptedException over) {
      // Nobody looks any more.
    }
  }

  @Override
  public void close() {
    try {
      if (service != null) service.close();
    } catch (IOException gone) {
      // Nobody looks any more, as wanted.
    }
  }
}
